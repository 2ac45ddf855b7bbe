import { MemoError } from "../errors.ts";
import { revision } from "../change/change.ts";
import { candidateOf } from "../capture/candidate.ts";
import { isSuspect, readIn } from "../capture/suspect.ts";
import type { Memory } from "../memory/memory.ts";
import { asRead } from "../memory/provenance.ts";
import { readMemoryFile } from "../memory/folder.ts";
import { titleOf } from "../memory/title.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { turnsAtEnd } from "../transcript/recent.ts";
import type { Turn } from "../transcript/turn.ts";
import { changeOne, findOwn, undoCommand } from "./change.ts";
import { referenceTo } from "./present.ts";
import { refuseRedacted, withoutSecrets } from "./secrets.ts";
import type { ToolContext, ToolResult } from "./tool.ts";
import type { InputOf, OutputOf } from "./schemas.ts";

/** `memory_update`: changes fields of a memory; the old version goes to the archive. */
export async function run(
  { name, ...fields }: InputOf<"memory_update">,
  context: ToolContext,
): Promise<ToolResult<OutputOf<"memory_update">>> {
  const found = findOwn(name, context, "update");
  const { memory, folder } = found;
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
  const changed = newFields(memory, value, { turns, context });
  const change = revision(found, changed, { what: "edit" });
  const { path, archived } = await changeOne(change, context);
  const written = readMemoryFile(path, folder.scope);
  const former = neutraliseLine(memory.name);
  const undo = undoCommand(written);
  const reference = referenceTo(written, context);
  const outcome = reference.name === former
    ? `Updated “${former}”`
    : `Updated “${former}”, which is “${reference.name}” now`;
  const data = { ...reference, outcome, archived, undo, redacted };
  return { data, text: `${outcome}. The user can take it back with \`${undo}\`.` };
}

/** The new fields, which are as little trusted as those of a new memory; those that are not given stay as they are. */
function newFields(
  memory: Memory,
  { text, new_name, ...given }: Omit<InputOf<"memory_update">, "name">,
  { turns, context: { now, session } }: {
    readonly turns: readonly Turn[];
    readonly context: ToolContext;
  },
): Partial<Memory> {
  const title = titleOf(memory.body);
  // A name made from the old text would say what is no longer so.
  const isMade = text !== undefined && memory.name === title.name;
  const name = new_name ?? (isMade ? titleOf(text).name : undefined);
  const description = given.description ??
    (isMade && memory.description === title.sentence ? "" : undefined);
  const [candidate] = candidateOf({
    ...{ body: text ?? "unchanged", name, description, triggers: given.triggers },
  });
  const all = {
    prompt: turns.map(({ prompt }) => prompt).join("\n"),
    steps: turns.flatMap(({ steps }) => steps),
  };
  const said = [new_name, given.description, text].filter((field) => field !== undefined).join(
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
  const successor: Memory = {
    ...memory,
    ...name !== undefined && { name: candidate.name },
    ...description !== undefined && { description: candidate.description },
    ...text !== undefined && { body: candidate.body },
    ...given.triggers !== undefined && { triggers: candidate.triggers },
    type: given.type ?? memory.type,
    tags: given.tags ?? memory.tags,
    updated: now().toISOString(),
    source: turn === undefined
      ? memory.source
      : { session: turn.session, turn: turn.id, transcript: session!.transcript! },
  };
  return reading === undefined ? successor : asRead(successor, reading);
}
