// What becomes of a candidate, by where its words come from and what the known memories say: one table, read from above.

import { changedAt } from "../memory/age.ts";
import {
  areOfOneSession,
  type Memory,
  type MemoryFile,
  type MemoryFolder,
} from "../memory/memory.ts";
import {
  BASES,
  basisOf,
  isSuspect,
  isSuspectMemory,
  mayOvertake,
  type ProvenanceMark,
} from "../memory/provenance.ts";
import { type Conflict, rivalryIn } from "../relation/relate.ts";
import { hasTrait } from "../memory/types.ts";
import { haveSameFacts } from "../text/language/stopwords.ts";
import { isRule } from "../text/rule.ts";
import type { Turn } from "../transcript/turns.ts";
import type { Candidate } from "./candidate.ts";
import { isNamesake, nearest, type Verdict } from "./dedupe.ts";
import { type Existing, isFile, type KnownFile, wasArchived } from "./known.ts";
import type { Similar } from "./remember.ts";
import { hasReadOutside, type Spoken } from "./conversation.ts";
import type { Evidence } from "./evidence.ts";

/** What becomes of a candidate; what is held waits for the user's review. */
export type Decision = "written" | "held" | "confirmed" | "dropped";

/**
 * Where a candidate's words come from: the user; something that was read; the model, who made it of both; or, suspect,
 * something that was read and says what the user wants, or asks for what no memory needs.
 */
export type Provenance = "said" | Exclude<ProvenanceMark, "confirmed" | "elsewhere">;

/** A candidate, and what it is decided by. */
export interface Situation {
  readonly candidate: Candidate;
  readonly turn: Turn;
  readonly provenance: Provenance;
  /** What the candidate has to do with the known memories. */
  readonly verdict: Verdict<Existing>;
  readonly known: readonly Existing[];
  readonly folder: MemoryFolder;
  /** Whether it is to be saved on request, even if it was saved or forgotten in this turn before. */
  readonly isAsked: boolean;
}

/** The first that applies decides. */
const CASES: readonly {
  readonly when: (situation: Situation) => boolean;
  readonly decision: Decision;
}[] = [
  // The turn is captured again, and has left this before.
  { when: (it) => !it.isAsked && isFromTurn(it), decision: "dropped" },
  // The memory that it repeats or replaces is newer.
  { when: ({ turn, verdict }) => isOlder(turn, verdict.known), decision: "dropped" },
  // What the user has not said neither replaces a note of theirs nor confirms one, nor stands beside its namesake.
  { when: (it) => it.provenance !== "said" && isRival(it), decision: "dropped" },
  // A fact that was only read before, and that the user has said now, becomes a normal memory.
  {
    when: ({ verdict: { kind, known } }) => kind === "repeats" && mayOvertake(known!.memory),
    decision: "confirmed",
  },
  // The user has forgotten it since.
  {
    when: ({ candidate, turn, folder, isAsked }) =>
      !isAsked && wasArchived(candidate, turn.id, folder),
    decision: "dropped",
  },
  { when: ({ provenance }) => provenance === "suspect", decision: "held" },
  { when: () => true, decision: "written" },
];

/** Decides what becomes of a candidate. */
export function decide(situation: Situation): Decision {
  return CASES.find(({ when }) => when(situation))!.decision;
}

/** Compares a candidate with what the user has said and what was read; `replaced` is the note that it is to replace. */
export async function provenanceIn(
  candidate: Pick<Candidate, "name" | "description" | "type" | "body" | "fromTool">,
  { evidence, turn, replaced }: {
    readonly evidence: Evidence;
    readonly turn: Spoken | undefined;
    readonly replaced?: Memory | MemoryFile | undefined;
  },
): Promise<Provenance> {
  const [rule = ""] = candidate.body.split(/\n\s*\n|\n(?=\*\*)/); // the model words the reasons
  const isWish = hasTrait(candidate.type, "wish");
  const old = replaced && mayOvertake(replaced) ? `${replaced.name}\n${replaced.body}` : undefined;
  const read = evidence.readingOf(rule, { isFact: !isWish, replaced: old });
  const isSaid = !candidate.fromTool && read === undefined &&
    await evidence.hasMeant(rule, { turn, replaced: old });
  // A page may be put into other words: in a turn that read one, anything that the user has not said counts as its.
  const reading = read ??
    (candidate.fromTool
      ? "read-tool"
      : !isSaid && turn && hasReadOutside(turn)
      ? "read-web"
      : undefined);
  // A page's claims about the user, or its instructions, are not the user's word.
  if (reading !== undefined && isWish) return "suspect";
  const isFact = reading !== undefined && !hasTrait(candidate.type, "order") && !isRule(rule);
  if (!isFact && isSuspect(wordsOf(candidate), evidence.typed)) return "suspect";
  return reading ?? (isSaid ? "said" : "concluded");
}

/** Whether what has a provenance may take the place of a memory: of no user's note, unless the user has said it. */
export function mayReplace(provenance: Provenance, memory: Memory | MemoryFile): boolean {
  if (provenance === "suspect") return false;
  const basis = basisOf({ tags: provenance === "said" ? [] : [provenance] });
  return BASES[basis].rank <= BASES[basisOf(memory)].rank;
}

/** Whether a turn ended before a memory was last changed, which makes the memory the newer one. */
export function isOlder({ at }: Turn, existing: Existing | undefined): boolean {
  return existing !== undefined && isFile(existing) &&
    Date.parse(at) < changedAt(existing.memory);
}

/** Whether the turn has left the memory that a candidate repeats, or one that says the same in other words. */
function isFromTurn({ candidate, turn, verdict, known }: Situation): boolean {
  const left = known.filter((each) => isFile(each) && each.memory.source?.turn === turn.id);
  if (verdict.known !== undefined) return left.includes(verdict.known);
  const alike = nearest(candidate, left.filter(({ memory }) => memory.type === candidate.type));
  return alike !== undefined && haveSameFacts(wordsOf(candidate), wordsOf(alike.memory));
}

/** Whether a candidate that the user has not said would touch a memory; a suspect one stands beside nothing that is like it. */
function isRival({ candidate, provenance, verdict, known }: Situation): boolean {
  if (verdict.known !== undefined) return !mayReplace(provenance, verdict.known.memory);
  return provenance === "suspect"
    ? nearest(candidate, known) !== undefined
    : known.some(({ memory }) => isNamesake(candidate, memory) && !mayReplace(provenance, memory));
}

/** The latest memory beside a new one that it overtakes, else one that it says otherwise of. */
export function contradicted<K extends KnownFile>(
  memory: Memory,
  beside: readonly K[],
  similar: readonly Similar[],
): { readonly known: K; readonly kind: Conflict } | undefined {
  const relations = new Map(similar.map(({ path, relation }) => [path, relation]));
  const found = beside.flatMap((known) => {
    const older = known.memory;
    const mayNot = areOfOneSession(memory, older) || isSuspectMemory(older) ||
      (!mayOvertake(memory) && mayOvertake(older));
    const relation = relations.get(older.path);
    const kind = mayNot || relation === undefined ? undefined : rivalryIn(relation);
    return kind === undefined ? [] : [{ kind, known }];
  }).sort((a, b) => changedAt(b.known.memory) - changedAt(a.known.memory));
  return found.find(({ kind }) => kind === "overtaken") ?? found[0];
}

function wordsOf({ name, description, body }: Pick<Memory, "name" | "description" | "body">) {
  return `${name}\n${description}\n${body}`;
}
