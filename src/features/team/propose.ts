import { randomBytes } from "node:crypto";
import { MemoError } from "../../errors.ts";
import { serializeMemory } from "../../core/memory/file.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { withoutPrivate } from "../../core/text/private.ts";
import { isAboutUser, MOST_BYTES, type NewEntry, type Origin } from "./entry.ts";

export interface ProposalOptions {
  readonly author: string;
  readonly now: Date;
  readonly origin: Origin;
  /** The note that it changes, and the version that was read. */
  readonly of?: { readonly id: string; readonly supersedes: string | undefined } | undefined;
}

/**
 * A memory as a row that proposes it. It takes along what the memory says and nothing of where it was said. Throws a
 * `usage` MemoError for what no team may have.
 */
export function proposal(
  memory: Memory,
  { author, now, origin, of }: ProposalOptions,
): NewEntry {
  if (isAboutUser(memory)) throw refuse(memory, "it is about you", "Share what others can use");
  const body = serializeMemory({
    ...memory,
    body: withoutPrivate(memory.body),
    pinned: false,
    never: undefined,
    supersedes: [],
    source: undefined,
  });
  const bytes = Buffer.byteLength(body);
  if (bytes > MOST_BYTES) {
    throw refuse(memory, `it has ${bytes} bytes, and a note at most ${MOST_BYTES}`, "Split it");
  }
  return {
    kind: "note",
    state: "proposed",
    author,
    origin,
    body,
    id: of?.id ?? randomBytes(5).toString("hex"),
    sha256: digestOf(body),
    ...of?.supersedes !== undefined && { supersedes: of.supersedes },
    at: now.toISOString(),
  };
}

function refuse({ name }: Memory, because: string, hint: string): MemoError {
  return new MemoError("usage", `Cannot propose \`${name}\` to a team: ${because}`, { hint });
}
