import { candidateOf } from "../capture/candidate.ts";
import { readIn } from "../capture/read_in.ts";
import { isSuspect } from "../capture/suspect.ts";
import { MemoError } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import { asRead } from "../memory/provenance.ts";
import { inheriting } from "../memory/source_sessions.ts";
import { titleOf } from "../memory/title.ts";
import { turnsAtEnd } from "../transcript/recent.ts";
import type { ToolContext } from "./tool.ts";

/** What a tool may change in a memory. */
interface GivenFields {
  readonly text?: string | undefined;
  readonly new_name?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly triggers?: readonly string[] | undefined;
}

/** The new fields, which are as little trusted as those of a new memory; those that are not given stay as they are. */
export async function newFields(
  memory: Memory,
  { text, new_name, ...given }: GivenFields,
  { now, session }: Pick<ToolContext, "now" | "session">,
): Promise<Partial<Memory>> {
  const transcript = session?.transcript;
  const turns = transcript === undefined ? [] : await turnsAtEnd(transcript);
  const title = titleOf(memory.body);
  // A name made from the old text would say what is no longer so.
  const isMade = text !== undefined && memory.name === title.name;
  const name = new_name ?? (isMade ? titleOf(text).name : undefined);
  const description = given.description ??
    (isMade && memory.description === title.sentence ? "" : undefined);
  const [candidate] = candidateOf({
    body: text ?? "unchanged",
    name,
    description,
    triggers: given.triggers,
  });
  const said = [new_name, given.description, text].filter((field) => field !== undefined).join(
    "\n",
  );
  if (candidate === undefined || isSuspect(said, turns)) {
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
      : { session: turn.session, turn: turn.id, transcript: transcript! },
  };
  const whole = inheriting(successor, [memory]);
  return reading === undefined ? whole : asRead(whole, reading);
}
