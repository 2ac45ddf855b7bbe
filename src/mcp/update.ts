import { MemoError } from "../errors.ts";
import { candidateOf } from "../capture/candidate.ts";
import { isSuspect, readIn } from "../capture/suspect.ts";
import { versionOf } from "../memory/archive.ts";
import type { Memory } from "../memory/memory.ts";
import { asRead } from "../memory/provenance.ts";
import { readMemoryFile, writeMemory } from "../memory/store.ts";
import { readFileSync } from "node:fs";
import { digestOf } from "../memory/trust.ts";
import { titleOf } from "../memory/title.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { turnsAtEnd } from "../transcript/recent.ts";
import type { Turn } from "../transcript/turn.ts";
import { findOwn, follow, tell, undoCommand } from "./change.ts";
import { referenceTo } from "./present.ts";
import { refuseRedacted, withoutSecrets } from "./secrets.ts";
import type { ToolContext, ToolResult } from "./tool.ts";
import type { InputOf, OutputOf } from "./schemas.ts";

/** `memory_update`: changes fields of a memory; the old version goes to the archive. */
export async function run(
  { name, ...fields }: InputOf<"memory_update">,
  context: ToolContext,
): Promise<ToolResult<OutputOf<"memory_update">>> {
  const { memory, folder } = findOwn(name, context, "update");
  const { value, redacted } = await withoutSecrets(fields, context);
  refuseRedacted(value.text);
  if (Object.values(value).every((field) => field === undefined)) {
    throw new MemoError("usage", `Cannot update \`${memory.name}\`: nothing to change is given`, {
      hint: "Pass `text`, `new_name`, `description`, `type`, `tags` or `triggers`",
    });
  }
  const turns = context.session?.transcript === undefined
    ? []
    : await turnsAtEnd(context.session.transcript);
  const successor = changed(memory, value, { turns, context });
  const original = readFileSync(memory.path, "utf8");
  const path = writeMemory(successor, folder, {
    ...{ replaces: memory.path, original, what: "edit", now: context.now() },
  });
  const archived = versionOf(path, digestOf(original), folder);
  await follow(folder, context);
  const written = readMemoryFile(path, folder.scope);
  const former = neutraliseLine(memory.name);
  const replaced = memory.name === written.name ? undefined : memory.name;
  tell("updated", { memory: written, folder, replaced }, context);
  const undo = undoCommand(written);
  const reference = referenceTo(written, context);
  const outcome = reference.name === former
    ? `Updated “${former}”`
    : `Updated “${former}”, which is “${reference.name}” now`;
  const data = { ...reference, outcome, archived, undo, redacted };
  return { data, text: `${outcome}. The user can take it back with \`${undo}\`.` };
}

/** The memory with the new fields, which are as little trusted as those of a new memory. */
function changed(
  memory: Memory,
  { text, new_name, ...fields }: Omit<InputOf<"memory_update">, "name">,
  { turns, context: { now, session } }: {
    readonly turns: readonly Turn[];
    readonly context: ToolContext;
  },
): Memory {
  const title = titleOf(memory.body);
  // A name made from the old text would say what is no longer so.
  const isMade = text !== undefined && memory.name === title.name;
  const [candidate] = candidateOf({
    body: text ?? memory.body,
    name: new_name ?? (isMade ? titleOf(text).name : memory.name),
    description: fields.description ??
      (isMade && memory.description === title.sentence ? "" : memory.description),
    type: fields.type ?? memory.type,
    triggers: fields.triggers ?? memory.triggers,
  });
  const all = {
    prompt: turns.map(({ prompt }) => prompt).join("\n"),
    steps: turns.flatMap(({ steps }) => steps),
  };
  const said = [new_name, fields.description, text].filter((field) => field !== undefined).join(
    "\n",
  );
  if (candidate === undefined || isSuspect(said, all)) {
    throw new MemoError(
      "usage",
      `Cannot update \`${memory.name}\`: the new text asks for something that the user has not said`,
      { hint: "Ask the user to say it, or to run `memo edit`" },
    );
  }
  const turn = turns.at(-1);
  const reading = text === undefined || turn === undefined
    ? undefined
    : readIn(text, { turn, all: turns });
  const { name, description, body, triggers } = candidate;
  const successor: Memory = {
    ...memory,
    ...{ name, description, body, triggers },
    type: fields.type ?? memory.type,
    tags: fields.tags ?? memory.tags,
    updated: now().toISOString(),
    source: turn === undefined
      ? memory.source
      : { session: turn.session, turn: turn.id, transcript: session!.transcript! },
  };
  return reading === undefined ? successor : asRead(successor, reading);
}
