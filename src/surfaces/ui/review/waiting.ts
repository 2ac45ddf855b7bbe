// What waits for a person's word, over all projects. The page names each by an opaque id that follows from what it is
// about, so that it decides about what it was shown: what has changed since is refused.

import { createHash } from "node:crypto";
import { basename, relative } from "node:path";
import { MemoError } from "../../../errors.ts";
import { textAt } from "../../../core/files/there.ts";
import { DistinctPairs, type Placed } from "../../../core/relation/distinct.ts";
import { type Logged, readChanges } from "../../../core/ledger/change_log.ts";
import { topsOf } from "../../../core/index/standings.ts";
import { markOf, mayOvertake } from "../../../core/memory/basis.ts";
import { isOthers, mayChange } from "../../../core/memory/memory.ts";
import { relate, rivalryIn } from "../../../core/relation/relate.ts";
import { tellBranch, tellDrift } from "../../../core/relation/standing.ts";
import { type Drifted, mayTakeOver } from "../../../features/verbs/stand.ts";
import { knownProjects } from "../../../core/memory/project.ts";
import { placeIn } from "../../../core/memory/scopes.ts";
import { type RepositoryFile, repositoryFiles } from "../../../core/memory/repository_files.ts";
import {
  alikeIn,
  type Decided,
  entriesOf,
  fold,
  mayApprove,
  memberships,
  memoryOf,
} from "../../../features/team/mod.ts";
import type { Step } from "../../../features/upkeep/mod.ts";
import type { CallContext } from "../calls/call.ts";
import { catalogueOf } from "../memories/catalogue.ts";
import { type Conflict, conflictsIn } from "./conflicts.ts";
import { plannedMerges } from "./merges.ts";
import { type Pair, pairsOf } from "./pairs.ts";
import { readAgain } from "./readings.ts";

/** What a decision is about. */
export type Item =
  | {
    readonly kind: "merge";
    readonly memories: readonly Placed[];
    readonly steps: readonly Step[];
  }
  | { readonly kind: "pair"; readonly memories: readonly Placed[] }
  | { readonly kind: "conflict"; readonly conflict: Conflict }
  | { readonly kind: "drift"; readonly note: Drifted }
  | { readonly kind: "note"; readonly decided: Decided }
  | { readonly kind: "files"; readonly project: string; readonly files: readonly RepositoryFile[] };

/** Characters of a memory that are shown; the whole is one click away. */
const TEXT_CHARS = 4000;
/** Characters of an untrusted file: what is longer is trusted on the command line, where all of it is printed. */
const FILE_CHARS = 40_000;
/** Rows of a list; the rest comes when these are decided. */
const MOST = 200;

const items = new WeakMap<CallContext["engine"], Map<string, Item>>();

/** The item with an id; throws a `not-found` MemoError for one that the page was not shown. */
export function itemOf<Kind extends Item["kind"]>(
  id: string,
  { engine }: CallContext,
  ...kinds: readonly Kind[]
): Extract<Item, { kind: Kind }> {
  const found = items.get(engine)?.get(id);
  if (found !== undefined && (kinds as readonly string[]).includes(found.kind)) {
    return found as Extract<Item, { kind: Kind }>;
  }
  throw new MemoError("not-found", "This does not wait any more", { hint: "Reload the list" });
}

/** Everything that waits, and how many memories are still to be compared with the others. */
export async function waitingFor(context: CallContext) {
  const known = new Map<string, Item>();
  const name = (item: Item, ...what: readonly string[]) => {
    const id = createHash("sha256").update(JSON.stringify([item.kind, ...what])).digest("base64url")
      .slice(0, 16);
    known.set(id, item);
    return id;
  };
  const changes = readChanges((await catalogueOf(context)).folders);
  const distinct = new DistinctPairs(changes);
  const asked: Asked = { context, name, read: readAgain(context), changes, distinct };
  const { merges, isLooking } = await mergesOf(asked);
  const { pairs, left } = await alikeOf(asked);
  const lists = {
    held: await heldOf(asked),
    unconfirmed: await unconfirmedOf(asked),
    merges,
    pairs,
    conflicts: await twiceOf(asked),
    drifted: await driftedOf(asked),
    notes: notesOf(context, name),
    repositories: repositoriesOf(context, name),
    left,
    ...isLooking && { isLooking },
  };
  items.set(context.engine, known);
  return lists;
}

type Name = (item: Item, ...what: readonly string[]) => string;

/** What the lists of one answer share. */
interface Asked {
  readonly context: CallContext;
  readonly name: Name;
  readonly read: ReturnType<typeof readAgain>;
  readonly changes: readonly Logged[];
  readonly distinct: DistinctPairs;
}

/** A memory as a list shows it. */
function shown({ memory, folder }: Placed, context: CallContext) {
  const { name, type, description, body, path, created, updated } = memory as Placed["memory"];
  return {
    ...{ id: context.listed.idOf({ path, folder }), name, type, description },
    ...{ body: body.slice(0, TEXT_CHARS), isCut: body.length > TEXT_CHARS },
    at: updated ?? created ?? null,
    scope: folder.scope,
    project: folder.project === undefined ? null : basename(folder.project),
  };
}

/** Captured memories that ask for something the user has not asked for. */
async function heldOf({ context, read }: Asked) {
  const { held } = await catalogueOf(context);
  return held.slice(0, MOST).flatMap(({ head: { path }, folder }) => {
    const memory = read(path, folder);
    return memory === undefined ? [] : [shown({ memory, folder }, context)];
  });
}

/** Notes that are not the person's word, and not confirmed by them: from a page, an import, a model's conclusion. */
async function unconfirmedOf({ context, read }: Asked) {
  const { entries } = await catalogueOf(context);
  return entries.filter(({ head, folder, states }) => {
    const basis = markOf(head)?.basis ?? "confirmed";
    return basis !== "confirmed" && !states.includes("held") && !isOthers(folder.scope);
  }).slice(0, MOST).flatMap(({ head, folder }) => {
    const memory = read(head.path, folder);
    if (memory === undefined) return [];
    const { says = "not said by the user" } = markOf(head) ?? {};
    return [{
      ...shown({ memory, folder }, context),
      basis: says,
      mayForget: mayChange(folder.scope),
    }];
  });
}

/** Notes that the code has left behind. */
async function driftedOf({ context, name, read }: Asked) {
  const { byPath, folders } = await catalogueOf(context);
  const standings = await context.engine.withIndex((index) =>
    index.standings.byPath(topsOf(folders), context.now())
  );
  return [...standings].slice(0, MOST).flatMap(([path, { drift, branch }]) => {
    const folder = byPath.get(path)?.folder;
    const memory = folder && mayChange(folder.scope) ? read(path, folder) : undefined;
    if (memory === undefined || folder === undefined) return [];
    const note = { memory, folder, archived: false, drift };
    return [{
      id: name({ kind: "drift", note }, memory.digest ?? "", JSON.stringify(drift)),
      memory: shown({ memory, folder }, context),
      what: [...drift.map(tellDrift), ...branch === undefined ? [] : [tellBranch(branch)]],
      verdicts: [...new Set(drift.map(({ verdict }) => verdict))],
      mayTakeOver: mayTakeOver(note),
    }];
  });
}

/** What a sync has kept twice. */
async function twiceOf({ context, name, changes }: Asked) {
  const { byPath } = await catalogueOf(context);
  return conflictsIn(changes, (path) => byPath.has(path)).map((conflict) => {
    const { id, current, other, at } = conflict;
    return {
      id: name({ kind: "conflict", conflict }, id, current.digest, other.digest),
      ...{ name: current.memory.name, at, isTwo: other.path !== undefined },
    };
  }).slice(0, MOST);
}

/** What a dream would merge: memories of which one says nothing beyond another. */
async function mergesOf({ context, name, read, distinct }: Asked) {
  const { found, isLooking } = await plannedMerges(context);
  const merges = found.slice(0, MOST).flatMap((steps) => {
    // What was decided since the look is no merge any more.
    const memories = steps.flatMap(({ path, folder, before }): Placed[] => {
      const memory = read(path, folder);
      return memory === undefined || memory.digest !== before ? [] : [{ memory, folder }];
    });
    const isOver = memories.length < 2 || memories.length !== steps.length ||
      memories.some(({ memory }, i) =>
        memories.slice(i + 1).some((other) => distinct.has(memory, other.memory))
      );
    if (isOver) return [];
    const kept = memories[steps.findIndex(({ kind }) => kind === "replace")] ?? memories[0]!;
    return [{
      id: name(
        { kind: "merge", memories, steps },
        ...steps.map(({ path, before }) => `${path} ${before}`),
      ),
      because: steps[0]!.because ?? "",
      name: kept.memory.name,
      count: memories.length,
    }];
  });
  return { merges, isLooking };
}

/** Pairs that are near each other and not the same: a person says whether both are to be. */
async function alikeOf({ context, name, read, distinct }: Asked) {
  const { found, left } = await pairsOf(context);
  const pairOf = ({ one, other, kind, differ }: Pair) => {
    const [a, b] = [read(one.path, one.folder), read(other.path, other.folder)];
    if (a === undefined || b === undefined || distinct.has(a, b)) return undefined;
    const [older, newer] = (a.updated ?? a.created ?? "") <= (b.updated ?? b.created ?? "")
      ? [{ memory: a, folder: one.folder }, { memory: b, folder: other.folder }]
      : [{ memory: b, folder: other.folder }, { memory: a, folder: one.folder }];
    const isOver = rivalryIn(relate(older.memory, newer.memory)) === "overtaken" &&
      mayOvertake({ ...newer.memory, scope: newer.folder.scope });
    return {
      id: name({ kind: "pair", memories: [older, newer] }, a.digest ?? "", b.digest ?? ""),
      ...{
        kind: isOver ? "overtaken" : kind,
        differ: [...differ],
        older: shown(older, context),
        newer: shown(newer, context),
      },
    };
  };
  const pairs: NonNullable<ReturnType<typeof pairOf>>[] = [];
  for (const pair of found) {
    if (pairs.length === MOST) break; // the files of the others are not read
    const told = pairOf(pair);
    if (told !== undefined) pairs.push(told);
  }
  return { pairs, left };
}

/** Proposals to teams, as they were last read from the server. */
function notesOf({ paths }: CallContext, name: Name) {
  return memberships(paths).flatMap((member) => {
    const team = fold(entriesOf(member));
    return team.notes.flatMap((note) =>
      note.pending.map((version) => {
        const { proposal } = version;
        const { name: title, type, description, body } = memoryOf(proposal);
        return {
          id: name({ kind: "note", decided: { member, team, note, version } }, ...[
            member.name,
            note.id,
            proposal.sha256,
          ]),
          ...{ team: member.name, name: title, type, description, body, at: proposal.at },
          author: proposal.author,
          mayApprove: mayApprove(member.as, proposal, team.rules?.alone ?? []),
          isChange: note.current !== undefined,
          alike: alikeIn(team, proposal).map(({ name, how }) => ({ name, how })),
        };
      })
    );
  }).slice(0, MOST);
}

/** Files of repositories that nothing of is read before a person has allowed it. */
function repositoriesOf({ paths, place }: CallContext, name: Name) {
  const roots = new Set(knownProjects(paths.claude).map(({ root }) => root));
  const places = [place, ...[...roots].map((root) => placeIn(place, root, root))];
  const found = new Map(
    places.flatMap((each) => {
      const its = repositoryFiles(each);
      return its === undefined ? [] : [[its.project.root, its] as const];
    }),
  );
  return [...found.values()].flatMap(({ project, files }) => {
    const waiting = files.filter(({ trusted }) => !trusted);
    if (waiting.length === 0) return [];
    const texts = waiting.map(({ path }) => {
      const text = textAt(path);
      return text === undefined || text.length > FILE_CHARS ? undefined : text;
    });
    const whole = waiting.filter((_, i) => texts[i] !== undefined);
    return [{
      id: name(
        { kind: "files", project: project.root, files: whole },
        ...whole.map(({ digest }) => digest),
      ),
      project: project.name,
      files: waiting.map(({ path, kind, type, name }, i) => ({
        ...{ name, kind: type ?? kind, file: relative(project.top, path), text: texts[i] ?? null },
      })),
    }];
  }).slice(0, MOST);
}
