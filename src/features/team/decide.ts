import { MemoError } from "../../errors.ts";
import { visible } from "../../core/text/neutralise.ts";
import {
  type EntryState,
  isSameRow,
  mayApprove,
  memoryOf,
  type NewEntry,
  type NoteVersion,
  type Team,
  type TeamEntry,
  type TeamNote,
} from "./entry.ts";
import type { Membership } from "./membership.ts";
import { append, type Polled } from "./poll.ts";
import { CUTOFFS, jaccard, subsumes, termsOf } from "../../core/relation/relate.ts";
import type { Memory } from "../../core/memory/memory.ts";

/** The decisions of a reviewer, and the row that each writes. */
const STATES = {
  approved: "approved",
  rejected: "retired",
  retired: "retired",
} as const satisfies Record<string, EntryState>;
export type ReviewDecision = keyof typeof STATES;

/** A version of a note that is decided about. */
export interface Decided {
  readonly member: Membership;
  readonly team: Team;
  readonly note: TeamNote;
  readonly version: NoteVersion;
}

/**
 * Records a person's decision about notes on their teams' servers, for each team in one step, and reads what has become
 * of it: returns what others have decided about the same texts meanwhile, in sentences. Rejects with a MemoError that
 * names whose decision stands where this one does not.
 */
export async function decide(
  all: readonly Decided[],
  decision: ReviewDecision,
  now: Date,
): Promise<string[]> {
  for (const { member, team, note, version: { proposal } } of all) {
    const may = decision !== "approved" ||
      mayApprove(member.as, proposal, team.rules?.alone ?? []);
    if (may) continue;
    throw new MemoError("usage", "Cannot approve your own proposal: someone else must approve it", {
      hint: `Ask a colleague to run \`memo team approve ${note.id}\``,
    });
  }
  const entryFor = ({ member, note, version: { proposal: { sha256 } } }: Decided): NewEntry => ({
    ...{ id: note.id, kind: "note", body: "", sha256, author: member.as, origin: {} },
    ...{ state: STATES[decision], at: now.toISOString() },
  });
  const meanwhile: string[] = [];
  for (const its of Map.groupBy(all, ({ member }) => member.folder).values()) {
    const { member } = its[0]!;
    const polled = await append(its.map(entryFor), member, now);
    for (const each of its) meanwhile.push(...outcome(each, entryFor(each), decision, polled));
  }
  return meanwhile;
}

/** What the others' rows have made of a decision; throws where it is not what the team's notes say. */
function outcome(
  { note, version: { proposal, approved } }: Decided,
  own: NewEntry,
  decision: ReviewDecision,
  { team, entries }: Pick<Polled, "team" | "entries">,
): string[] {
  const name = `\`${visible(memoryOf(proposal).name)}\``;
  const its = entries.filter(({ id }) => id === note.id);
  const { current, pending } = team.notes.find(({ id }) => id === note.id) ?? { pending: [] };
  const isCurrent = current?.proposal.sha256 === own.sha256;
  const isOpen = isCurrent || pending.some((each) => each.proposal.sha256 === own.sha256);
  const isOwn = (entry: TeamEntry) => isSameRow(entry, own);
  if (!its.some(isOwn) || (decision === "approved" ? !isCurrent : isOpen)) {
    const last = its.findLast((entry) => !isOwn(entry) && entry.seq > proposal.seq);
    const text = last?.sha256 === own.sha256 ? "it" : "a different text";
    const because = last === undefined
      ? "the server did not keep it"
      : `${visible(last.author)} has since ${DONE[last.state](text)}`;
    throw new MemoError("usage", `${name} is not ${decision}: ${because}`, {
      hint: `Run \`memo team show ${note.id}\` to see its current state`,
    });
  }
  const other = its.find(({ state, sha256, seq }) =>
    state === "approved" && sha256 === own.sha256 && seq > proposal.seq
  );
  return decision !== "rejected" || other === undefined || approved !== undefined ? [] : [
    `${visible(other.author)} had approved ${name} in the meantime; it is withdrawn for everyone`,
  ];
}

const DONE: Readonly<Record<EntryState, (text: string) => string>> = {
  proposed: (text) => `proposed ${text}`,
  approved: (text) => `approved ${text}`,
  retired: (text) => `withdrawn ${text}`,
};

/** An approved note that a proposal repeats, or says otherwise. */
export interface SimilarNote {
  readonly id: string;
  readonly name: string;
  /** `same`: it says nothing beyond it. `differs`: much the same words, and a value or a `not` that differs. */
  readonly how: "same" | "differs";
}

/** The approved notes that a reviewer should see beside a proposal, by the check that `memo dream` merges by. */
export function alikeIn({ notes }: Team, proposal: TeamEntry): SimilarNote[] {
  const own = textOf(proposal);
  return notes.flatMap(({ id, current }): SimilarNote[] => {
    if (current === undefined || id === proposal.id) return [];
    const other = textOf(current.proposal);
    const isSame = subsumes(own, other);
    if (!isSame && jaccard(termsOf(own), termsOf(other)) < CUTOFFS.beside) return [];
    return [{ id, name: other.name, how: isSame ? "same" : "differs" }];
  });
}

/** A proposal as a memory; made once, since what is compared of it is kept with it. */
function textOf(proposal: TeamEntry): Memory {
  const known = TEXTS.get(proposal) ?? memoryOf(proposal);
  TEXTS.set(proposal, known);
  return known;
}

const TEXTS = new WeakMap<TeamEntry, Memory>();
