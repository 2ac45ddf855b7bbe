// What a person does in a team: join and leave it, change its rules, propose a note, and find one to read or decide about.

import { rmSync } from "node:fs";
import { MemoError } from "../../errors.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { visible } from "../../core/text/neutralise.ts";
import type { Paths } from "../../paths.ts";
import type { Decided } from "./decide.ts";
import {
  fold,
  type NewEntry,
  type NoteOrigin,
  personName,
  proposal,
  rulesEntry,
  type Team,
} from "./entry.ts";
import {
  addressOf,
  dropWaiting,
  entriesOf,
  keepMembership,
  keepShown,
  lastPoll,
  letWait,
  type Membership,
  memberships,
  shownIn,
  waitingIn,
} from "./membership.ts";
import { append, open, poll, type Polled, VERSION } from "./poll.ts";

export { alikeIn, decide, type Decided, type ReviewDecision } from "./decide.ts";
export { fold, mayApprove, memoryOf, type NoteOrigin, personName, REMOTE } from "./entry.ts";
export {
  entriesOf,
  keepShown,
  lastPoll,
  membership,
  memberships,
  waitingIn,
} from "./membership.ts";
export { poll, pollTeams } from "./poll.ts";
export { makeToken, serverUrl } from "./server.ts";

/** Joins a team, which is made first if it is new; what does not work leaves everything as it was. */
export async function joinTeam(
  wanted: Parameters<typeof keepMembership>[0] & {
    /** The authors whose notes need no other person's approval in a team to be made; undefined: it is there. */
    readonly alone?: readonly string[] | undefined;
  },
  paths: Pick<Paths, "teams">,
): Promise<Polled> {
  const { name, url, alone } = wanted;
  const before = memberships(paths).find((each) => each.name === name);
  if (alone !== undefined && before !== undefined && before.url !== url) {
    throw new MemoError(
      "usage",
      `Cannot create \`${name}\`: you are already in a team with that name`,
      { hint: `Run \`memo team leave ${name}\` first, or choose another name` },
    );
  }
  const old = before && { ...before, ...addressOf(before) }; // before it moved, or got another token
  const member = keepMembership(wanted, paths);
  try {
    if (alone !== undefined) await make(member, alone);
    return await poll(member, new Date());
  } catch (error) {
    if (old === undefined) rmSync(member.folder, { recursive: true, force: true });
    else keepMembership(old, paths);
    throw error;
  }
}

async function make(member: Membership, alone: readonly string[]): Promise<void> {
  using server = open(member);
  if (await server.exists()) {
    throw new MemoError("usage", `Cannot create \`${member.name}\`: the team already exists`, {
      hint: `Run \`memo team join ${member.name} ${member.url}\``,
    });
  }
  await server.create(rulesOf(member, alone));
}

/** Names the authors whose notes need no other person's approval; returns those that count now. */
export async function changeRules(
  member: Membership,
  alone: readonly string[],
): Promise<readonly string[]> {
  const { team } = await append([rulesOf(member, alone)], member, new Date());
  return team.rules?.alone ?? [];
}

function rulesOf({ name, as }: Membership, persons: readonly string[]): NewEntry {
  const alone = persons.flatMap((each) => personName(each) ?? []);
  const at = new Date().toISOString();
  return rulesEntry({ version: VERSION, name, alone }, { author: as, at });
}

/** Leaves a team: its notes go from this machine. */
export function leaveTeam({ folder }: Membership): void {
  rmSync(folder, { recursive: true, force: true });
}

/** What is known of a team without asking its server. */
export function statusOf(member: Membership) {
  const { name, url, as } = member;
  const { read = null, failed = null, wentBack = null } = lastPoll(member) ?? {};
  const team = fold(entriesOf(member));
  const pending = team.notes.reduce((sum, note) => sum + note.pending.length, 0);
  return {
    ...{ name, url, as, notes: approvedIn(team), pending, unsent: waitingIn(member).length },
    ...{ alone: team.rules?.alone ?? [], read, failed, wentBack },
  };
}

/** How many notes a team has approved. */
export function approvedIn({ notes }: Team): number {
  return notes.filter(({ current }) => current !== undefined).length;
}

/**
 * Proposes a memory to a team; returns the note's id, and why it waits here if the server cannot be reached. Rejects if
 * the server does not take it.
 */
export async function proposeNote(
  memory: Memory,
  member: Membership,
  { origin, change, check }: {
    readonly origin: NoteOrigin;
    /** The id of the note that it changes. */
    readonly change: string | undefined;
    /** Throws if the text that would be sent must not be. */
    readonly check: (body: string) => Promise<void>;
  },
): Promise<{ readonly id: string; readonly waits?: string }> {
  const of = change === undefined ? undefined : changeOf(change, member);
  const entry = proposal(memory, { author: member.as, now: new Date(), origin, of });
  await check(entry.body);
  letWait(member, entry);
  const { id, sha256 } = entry;
  keepShown(member, id, sha256); // its author has read it
  try {
    const { entries } = await poll(member, new Date());
    if (!entries.some((each) => each.id === id && each.sha256 === sha256)) {
      throw new MemoError("usage", `Cannot propose \`${memory.name}\`: the server did not keep it`);
    }
    return { id };
  } catch (error) {
    if (error instanceof MemoError && error.kind !== "usage") return { id, waits: error.message };
    // A token for reading never becomes one for writing: the proposal would wait for ever.
    if (error instanceof MemoError) dropWaiting(member, [entry]);
    throw error;
  }
}

function changeOf(id: string, member: Membership) {
  const notes = fold(entriesOf(member)).notes.filter((note) => note.id.startsWith(id));
  const [note] = notes;
  if (note !== undefined && notes.length === 1 && id.length >= 4) {
    return { id: note.id, supersedes: note.current?.proposal.sha256 };
  }
  throw new MemoError("not-found", `Cannot find \`${id}\` in team \`${member.name}\``, {
    hint: "Run `memo list --scope team` or `memo team pending` to see their ids",
  });
}

/** A team as its server has it now; where that cannot be reached, as it was last known, with a warning. */
async function current(member: Membership, warn: (text: string) => void): Promise<Team> {
  try {
    return (await poll(member, new Date())).team;
  } catch (error) {
    if (!(error instanceof MemoError)) throw error;
    warn(`warning: ${error.message}; showing the last known state`);
    return fold(entriesOf(member));
  }
}

/** Every version of every note in the user's teams, or in the one with a name. */
async function versionsIn({ paths, warn }: TeamContext, name?: string): Promise<Decided[]> {
  const found: Decided[] = [];
  for (const member of memberships(paths)) {
    if (name !== undefined && member.name !== name) continue;
    const team = await current(member, warn);
    found.push(
      ...team.notes.flatMap((note) =>
        [...note.current === undefined ? [] : [note.current], ...note.pending]
          .map((version) => ({ member, team, note, version }))
      ),
    );
  }
  return found;
}

interface TeamContext {
  readonly paths: Pick<Paths, "teams">;
  /** Takes a warning where a server cannot be reached. */
  readonly warn: (text: string) => void;
}

/** Every version that waits in the user's teams, or in the one with a name. */
export async function pendingVersions(
  name: string | undefined,
  context: TeamContext,
): Promise<Decided[]> {
  return (await versionsIn(context, name)).filter(({ version }) => version.approved === undefined);
}

/** Characters of a digest in `ID@VERSION`: too many for another text to be made that begins alike. */
const SHORT = 16;

/** The version that `ID` or `ID@VERSION` means, in whichever team. */
export async function findVersion(
  id: string,
  about: "pending" | "current" | "any",
  context: TeamContext,
): Promise<Decided> {
  const [wanted = "", digest = ""] = id.toLowerCase().split("@");
  const meant = (await versionsIn(context)).filter(({ note, version: { proposal, approved } }) =>
    wanted.length >= 4 && note.id.startsWith(wanted) && proposal.sha256.startsWith(digest) &&
    (about === "any" || (about === "pending") === (approved === undefined))
  );
  // Of versions that wait it is the one that the user has read.
  const isRead = ({ member, note, version: { proposal } }: Decided) =>
    about === "pending" && digest === "" && proposal.sha256 === shownIn(member)[note.id];
  const found = meant.filter((each) =>
    isRead(each) || !meant.some((other) => other.note === each.note && isRead(other))
  );
  const isOneNote = new Set(found.map(({ note }) => note)).size === 1;
  const all = about === "any" && isOneNote ? found.slice(-1) : found;
  const [one, ...others] = all;
  if (one !== undefined && others.length === 0) return one;
  if (one === undefined) {
    throw new MemoError("not-found", `Cannot find \`${id}\` in your teams`, {
      hint: about === "current" ? "Run `memo list --scope team`" : "Run `memo team pending`",
    });
  }
  const each = all.map((each) => `  ${idOf(each)} by ${visible(each.version.proposal.author)}`);
  throw new MemoError("usage", `\`${id}\` is ambiguous:\n${each.join("\n")}`, {
    hint: "Pass one of these",
  });
}

/** Throws unless the version that waits is the one that was shown here, or that the id names. */
export function refuseUnread({ member, note, version: { proposal } }: Decided, id: string): void {
  const shown = shownIn(member)[note.id];
  if (shown === proposal.sha256 || (id.split("@")[1] ?? "").length >= SHORT) return;
  const because = shown === undefined
    ? "you have not read it"
    : "its text changed after you read it";
  throw new MemoError("usage", `Cannot decide about \`${id}\`: ${because}`, {
    hint: `Run \`memo team show ${note.id}\` first, or name a version from \`memo team pending\``,
  });
}

/** How a version is named: by its note and its digest. */
export function idOf({ note, version: { proposal } }: Decided): string {
  return `${note.id}@${proposal.sha256.slice(0, SHORT)}`;
}

/** Whether it changes a text that is no longer the approved one. */
export function isBeside({ note, version: { proposal, approved } }: Decided): boolean {
  return approved === undefined && note.current !== undefined &&
    proposal.supersedes !== note.current.proposal.sha256;
}
