import { candidateOf } from "../../core/capture/candidate.ts";
import { provenanceOf } from "../../core/capture/remember.ts";
import { MemoError } from "../../errors.ts";
import {
  isSuspectMemory,
  marksIn,
  mayOvertake,
  withoutMarks,
  withProvenance,
} from "../../core/memory/provenance.ts";
import { inheriting, type Memory } from "../../core/memory/memory.ts";
import { retitled } from "../../core/memory/title.ts";
import { turnsAtEnd } from "../../core/transcript/recent.ts";
import type { WritingContext } from "./tool.ts";

/** What a tool may change in a memory. */
interface GivenFields {
  readonly text?: string | undefined;
  readonly new_name?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly triggers?: readonly string[] | undefined;
}

/**
 * The new fields, which are as little trusted as those of a new memory; those that are not given stay as they are. A
 * note keeps its marks; one of the user's takes no words that the user has not said.
 */
export async function newFields(
  memory: Memory,
  { text, new_name, ...given }: GivenFields,
  { now, session, embedder }:
    & Pick<WritingContext, "now" | "session">
    & Partial<Pick<WritingContext, "embedder">>,
): Promise<Partial<Memory>> {
  const refused = (because: string) =>
    new MemoError("usage", `Cannot update \`${memory.name}\`: ${because}`, {
      hint: "Ask the user to say it, or to run `memo edit`",
    });
  if (isSuspectMemory(memory)) throw refused("it waits for the user's review");
  const transcript = session?.transcript;
  const turns = transcript === undefined ? [] : await turnsAtEnd(transcript);
  const made = text === undefined ? {} : retitled(memory, text);
  const name = new_name ?? made.name;
  const description = given.description ?? made.description;
  const said = [new_name, given.description, text].filter((field) => field !== undefined);
  const fields = { type: memory.type, name, description, triggers: given.triggers };
  const [candidate] = candidateOf({ ...fields, body: text ?? "unchanged" });
  const [claim] = candidateOf({ ...fields, body: said.join("\n") });
  const turn = turns.at(-1);
  const provenance = claim === undefined || said.length === 0
    ? "said"
    : await provenanceOf(claim, { turns, transcript, embedder, turn, replaced: memory });
  if (candidate === undefined || provenance === "suspect") {
    throw refused("the new text asks for something that the user has not said");
  }
  if (provenance !== "said" && mayOvertake(memory)) {
    throw refused("the user has not said the new text in this conversation");
  }
  const successor: Memory = {
    ...memory,
    ...name !== undefined && { name: candidate.name },
    ...description !== undefined && { description: candidate.description },
    ...text !== undefined && { body: candidate.body },
    ...given.triggers !== undefined && { triggers: candidate.triggers },
    type: given.type ?? memory.type,
    tags: [...withoutMarks(given.tags ?? memory.tags), ...marksIn(memory.tags)],
    updated: now().toISOString(),
    source: turn === undefined
      ? memory.source
      : { session: turn.session, turn: turn.id, transcript: transcript! },
  };
  return withProvenance(inheriting(successor, [memory]), provenance);
}
