// What waits for a person's word, over all projects. The page names each by an opaque id that follows from what it is
// about, so that it decides about what it was shown: what has changed since is refused.

import { basename } from "node:path";
import type { FoundMemory } from "../../core/ledger/find.ts";
import { formatBranch, formatDrift, topsOf } from "../../core/relation/standing.ts";
import { markOf } from "../../core/memory/provenance.ts";
import { memoryNow } from "../../core/memory/folder.ts";
import { isOthers, mayChange } from "../../core/memory/memory.ts";
import { contradictionsIn } from "../../core/recall/overtaken.ts";
import { distinctIn, type PlacedMemory } from "../../core/relation/relate.ts";
import { MemoError } from "../../errors.ts";
import {
  alikeIn,
  type Decided,
  entriesOf,
  fold,
  mayApprove,
  memberships,
  memoryOf,
} from "../../features/team/mod.ts";
import { type CallContext, shortDigest } from "./calls/call.ts";
import { type Catalogue, catalogueOf } from "./catalogue.ts";

/** What a decision is about. */
export type Item =
  | { readonly kind: "pair"; readonly memories: readonly PlacedMemory[] }
  | { readonly kind: "drift"; readonly note: FoundMemory }
  | { readonly kind: "note"; readonly decided: Decided };

/** Characters of a memory that are shown; the whole is one click away. */
const TEXT_CHARS = 4000;
/** Rows of a list; the rest comes when these are decided. */
const MOST = 200;

/** The item with an id; throws a `not-found` MemoError for one that the page was not shown. */
export function itemOf<Kind extends Item["kind"]>(
  id: string,
  { listed }: CallContext,
  kind: Kind,
): Extract<Item, { kind: Kind }> {
  const found = listed.items.get(id);
  if (found?.kind === kind) return found as Extract<Item, { kind: Kind }>;
  throw new MemoError("not-found", "Already decided", { hint: "Reload the list" });
}

/** Everything that waits. */
export async function waitingFor(context: CallContext) {
  const known = new Map<string, Item>();
  const add: ReviewListing["add"] = (item, ...of) => {
    const id = shortDigest(JSON.stringify([item.kind, ...of]));
    known.set(id, item);
    return id;
  };
  const list = { context, add, catalogue: await catalogueOf(context) };
  const [pairs, drifted] = [await listPairs(list), await listDrifted(list)];
  const [held, unconfirmed, notes] = [listHeld(list), listUnconfirmed(list), listNotes(list)];
  context.listed.items = known;
  return { held, unconfirmed, pairs, drifted, notes };
}

/** What the lists of one answer share; `add` keeps what a decision is about, by the id that follows from `of`. */
interface ReviewListing {
  readonly context: CallContext;
  readonly catalogue: Catalogue;
  add(item: Item, ...of: readonly string[]): string;
}

/** A memory as a list shows it. */
function summary({ memory, folder }: PlacedMemory, { listed }: CallContext) {
  const { name, type, description, body, path, created, updated } = memory;
  return {
    ...{ id: listed.idOf({ path, folder }), name, type, description },
    ...{ body: body.slice(0, TEXT_CHARS), isCut: body.length > TEXT_CHARS },
    at: updated ?? created ?? null,
    scope: folder.scope,
    project: folder.project === undefined ? null : basename(folder.project),
  };
}

/** The memory at a path as its file is now; none where that has gone. */
function placedAt(path: string, { byPath }: Catalogue): FoundMemory[] {
  const { folder } = byPath.get(path) ?? {};
  const memory = folder && memoryNow(path, folder.scope);
  return memory === undefined || folder === undefined ? [] : [{ memory, folder, archived: false }];
}

/** Captured memories that ask for something the user has not asked for. */
function listHeld({ context, catalogue }: ReviewListing) {
  const held = catalogue.entries.filter(({ states, folder }) =>
    states.includes("held") && mayChange(folder.scope)
  );
  return held.slice(0, MOST).flatMap(({ head }) => placedAt(head.path, catalogue))
    .map((placed) => summary(placed, context));
}

/** Notes that are not the person's word, and not confirmed by them: from a page, an import, a model's conclusion. */
function listUnconfirmed({ context, catalogue }: ReviewListing) {
  const found = catalogue.entries.flatMap(({ head, folder, states }) => {
    const mark = markOf(head);
    const isOpen = mark !== undefined && mark.basis !== "confirmed" &&
      !states.includes("held") && !isOthers(folder.scope);
    return isOpen ? [{ path: head.path, mark }] : [];
  });
  return found.slice(0, MOST).flatMap(({ path, mark }) =>
    placedAt(path, catalogue).map((placed) => ({
      ...summary(placed, context),
      basis: mark.says ?? "not said by the user",
      mayForget: mayChange(placed.folder.scope),
    }))
  );
}

/** Notes that the code has left behind. */
async function listDrifted({ context, catalogue, add }: ReviewListing) {
  const standings = await context.engine.withIndex((index) =>
    index.standings.byPath(topsOf(catalogue.folders), context.now())
  );
  return [...standings].slice(0, MOST).flatMap(([path, { drift, branch }]) =>
    placedAt(path, catalogue).filter(({ folder }) => mayChange(folder.scope)).map((note) => ({
      id: add({ kind: "drift", note }, note.memory.digest ?? "", JSON.stringify(drift)),
      memory: summary(note, context),
      what: [...drift.map(formatDrift), ...branch === undefined ? [] : [formatBranch(branch)]],
      verdicts: [...new Set(drift.map(({ verdict }) => verdict))],
    }))
  );
}

/** Pairs of which a later memory contradicts an earlier one, as `memo doctor` finds them. */
async function listPairs({ context, catalogue, add }: ReviewListing) {
  // They are looked for again when memories have changed.
  const found = await context.listed.made(
    "pairs",
    catalogue.stamp,
    () => contradictions(context, catalogue),
  );
  const said = distinctIn(catalogue.folders);
  return found.filter(({ older, later }) => !said.has(older, later)).slice(0, MOST)
    .flatMap(({ older, later, kind }) => {
      const pair = [older, later].flatMap(({ path }) => placedAt(path, catalogue));
      const [first, second] = pair;
      if (first === undefined || second === undefined) return [];
      const digests = pair.map(({ memory }) => JSON.stringify([memory.name, memory.body]));
      return [{
        id: add({ kind: "pair", memories: pair }, ...digests),
        kind,
        older: summary(first, context),
        newer: summary(second, context),
      }];
    });
}

async function contradictions({ engine }: CallContext, { entries }: Catalogue) {
  const own = entries.filter(({ folder, states }) =>
    mayChange(folder.scope) && !states.includes("held")
  );
  const shown = new Set(own.map(({ head }) => head.path));
  const folders = [...new Set(own.map(({ folder }) => folder))];
  const found = await engine.withIndex((index) => contradictionsIn(index, folders));
  return found.filter((pair) => shown.has(pair.older.path) && shown.has(pair.later.path));
}

/** Proposals to teams, as they were last read from the server. */
function listNotes({ context: { paths }, add }: ReviewListing) {
  return memberships(paths).flatMap((member) => {
    const team = fold(entriesOf(member));
    return team.notes.flatMap((note) =>
      note.pending.map((version) => {
        const { proposal } = version;
        const { name, type, description, body } = memoryOf(proposal);
        const decided = { member, team, note, version };
        return {
          id: add({ kind: "note", decided }, member.name, note.id, proposal.sha256),
          ...{ team: member.name, name, type, description, body, at: proposal.at },
          author: proposal.author,
          mayApprove: mayApprove(member.as, proposal, team.rules?.alone ?? []),
          isChange: note.current !== undefined,
          alike: alikeIn(team, proposal).map(({ name, how }) => ({ name, how })),
        };
      })
    );
  }).slice(0, MOST);
}
