// The memories, as the page lists and shows them.

import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import { MemoError, messageOf } from "../../../errors.ts";
import { statsOf } from "../../../core/files/stats.ts";
import { ageInDays } from "../../../core/memory/age.ts";
import { archiveOf, bytesOf, versionBytes, wayTo } from "../../../core/ledger/archive.ts";
import { CHANGES, type Logged } from "../../../core/ledger/change_log.ts";
import type { Found } from "../../../core/ledger/find.ts";
import { LONGEST_FILE } from "../../../core/memory/limits.ts";
import type { MemoryFolder } from "../../../core/memory/memory.ts";
import { provenanceOf } from "../../../core/memory/provenance.ts";
import { digestOf } from "../../../core/memory/trust.ts";
import { readUsage, usageOf } from "../../../core/ledger/usage.ts";
import { changesOf, type FileIn, versionAt } from "../../../core/ledger/versions.ts";
import { isStale } from "../../../core/ledger/usage_score.ts";
import { tilde } from "../../../paths.ts";
import { search } from "../../../core/recall/search.ts";
import { oneLine } from "../../../core/text/one_line.ts";
import { transcriptCommand } from "../../../core/transcript/command.ts";
import { diffOf } from "../diff.ts";
import { type Catalogue, catalogueOf, type Entry, isOwn } from "../memories/catalogue.ts";
import { idSchema, memoryOf, versionSchema } from "../memories/changing.ts";
import { filtered, filteredOnce, filtersSchema } from "../memories/filters.ts";
import { keepOpened } from "../memories/opened.ts";
import { type CallContext, defineCall } from "./call.ts";
import type { ListedMemory } from "../listed.ts";
import { realPath } from "../../../core/memory/project.ts";
import { folded } from "../../../core/text/folded.ts";

/** Rows of one answer. */
const MOST_ROWS = 500;
/** Maximum hits of a search; and of one that nothing fits, which then shows what is nearest. */
const SEARCHED = 200, NEAREST = 12;
/** Maximum wait for the model: while it loads, words alone are searched for. */
const EMBED_MS = 1500;
const QUERY_CHARS = 2000, PASSAGE_CHARS = 240;

/** How a memory was found. */
interface Match {
  readonly entry: Entry;
  readonly score?: number;
  /** Whether recall would give it: its score reaches the threshold of its type. */
  readonly isAbove?: boolean;
  readonly passage?: string;
}

/**
 * `memories {query?, filters, offset, limit}`: the memories that pass the filters, newest first; with a query those that
 * it finds, as recall ranks them. `as: "ids"` is all of them, for a change of many; `find` asks for the place of one.
 */
export const memories = defineCall({
  name: "memories",
  writes: false,
  params: z.strictObject({
    query: z.string().max(QUERY_CHARS).default(""),
    filters: filtersSchema.default({}),
    offset: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(MOST_ROWS).default(100),
    as: z.enum(["rows", "ids"]).default("rows"),
    find: idSchema.optional(),
  }),
  async run({ query, filters, offset, limit, as, find }, context) {
    const catalogue = await catalogueOf(context);
    const options = { projects: catalogue.projects, now: context.now().getTime() };
    const { found, failures, isNear } = query.trim() === ""
      ? { found: undefined, failures: [], isNear: false }
      : await searched(query.trim(), catalogue, context);
    const { passing, facets } = found === undefined
      ? filteredOnce(catalogue.entries, filters, options)
      : filtered(found.map(({ entry }) => entry), filters, options);
    const { listed } = context;
    const idOf = ({ head: { path }, folder }: Entry) => listed.idOf({ path, folder });
    if (as === "ids") return { ids: passing.filter(({ folder }) => isOwn(folder)).map(idOf) };
    const byEntry = new Map(found?.map((each) => [each.entry, each]));
    return {
      total: passing.length,
      all: catalogue.entries.length,
      offset,
      rows: passing.slice(offset, offset + limit).map((entry) => ({
        id: idOf(entry),
        ...toRow(entry, catalogue),
        ...scoreOf(byEntry.get(entry)),
      })),
      facets,
      projects: catalogue.projects.map(({ key, name }) => ({ key, name })),
      ...!catalogue.isFresh && { isReading: true },
      ...find !== undefined && { index: passing.findIndex((entry) => idOf(entry) === find) },
      ...isNear && { isNear },
      ...failures.length > 0 && { failures },
    };
  },
});

function toRow({ head, folder, project, changed, usage, states }: Entry, catalogue: Catalogue) {
  const { name, type, tags } = head;
  return {
    ...{ name, type, tags, scope: folder.scope, changed },
    project: catalogue.projects.find(({ key }) => key === project)?.name ?? null,
    ...{ shown: usage.shown, used: usage.used, states, mayChange: isOwn(folder) },
  };
}

function scoreOf({ score, isAbove, passage = "" }: Partial<Match> = {}) {
  const said = oneLine(passage).slice(0, PASSAGE_CHARS).toWellFormed();
  return { ...score !== undefined && { score, isAbove }, ...said && { passage: said } };
}

/**
 * What a query finds: what fits it, as `memo search` says, and then what has it in its name, which may not be typed to its
 * end yet; where that is nothing, what is nearest.
 */
async function searched(
  query: string,
  { folders, byPath, entries }: Catalogue,
  { engine, place, now }: CallContext,
) {
  const config = engine.config(place);
  const failed: string[] = [];
  const answer = await engine.withIndex((index) =>
    search(query, { limit: SEARCHED }, {
      ...{ index, folders, config, now: now() },
      embed: (text) => engine.embedWithin(text, EMBED_MS),
    })
  ).catch((error) => {
    failed.push(messageOf(error));
    return { hits: [], failures: [] };
  });
  const hits = answer.hits.flatMap(({ memory, score, belowThreshold, fits, passage }) => {
    const entry = byPath.get(memory.path);
    if (entry === undefined) return []; // changed since
    return [{ found: { entry, score, isAbove: !belowThreshold, passage }, fits }];
  });
  const fitting = hits.filter(({ fits }) => fits).map(({ found }) => found);
  const known = new Set(fitting.map(({ entry }) => entry));
  const wanted = folded(query);
  const scores = new Map(hits.map(({ found }) => [found.entry, found]));
  const named = entries.filter((entry) => entry.folded.includes(wanted) && !known.has(entry))
    .slice(0, SEARCHED).map((entry): Match => scores.get(entry) ?? { entry });
  const found = [...fitting, ...named];
  const isNear = found.length === 0 && hits.length > 0;
  return {
    found: isNear ? hits.slice(0, NEAREST).map(({ found }) => found) : found,
    failures: [...answer.failures, ...failed],
    isNear,
  };
}

/** Versions that are listed. */
const MOST_VERSIONS = 200;

/** `memory {id}`: a memory with its text, what is known of it, and its versions, newest first; or that it is gone. */
export const memory = defineCall({
  name: "memory",
  writes: false,
  params: z.strictObject({ id: idSchema }),
  run({ id }, context) {
    const { path } = context.listed.get(id);
    if (statsOf(path) === undefined) return Promise.resolve({ id, isGone: true });
    const found = memoryOf(id, context);
    return Promise.resolve({ id, ...textOf(found, context), ...factsOf(found, context) });
  },
});

/** The text of a file, and whether it can be edited here. */
function textOf({ memory: { path, size }, folder }: Found, context: CallContext) {
  if (size > LONGEST_FILE) {
    const head = readFileSync(path).subarray(0, LONGEST_FILE);
    return { text: new TextDecoder().decode(head), isCut: true, mayEdit: false, digest: null };
  }
  const bytes = readFileSync(path);
  const digest = keepOpened(bytes, context);
  const mayEdit = isOwn(folder) && isUtf8(bytes);
  return { text: new TextDecoder().decode(bytes), isCut: false, mayEdit, digest };
}

function factsOf({ memory, folder }: Found, context: CallContext) {
  const { paths, now, env } = context;
  const { name, description, type, tags, triggers, never = [], pinned, created, updated } = memory;
  const usage = usageOf(readUsage(paths.usage), memory.path);
  const at = now();
  return {
    ...{ name, description, type, tags, triggers, never, pinned, created, updated },
    scope: folder.scope,
    project: folder.project === undefined ? null : basename(folder.project),
    file: tilde(memory.path, env),
    days: ageInDays(memory, at),
    isStale: isStale(memory, { now: at, usage }),
    usage,
    source: memory.source === undefined ? null : {
      command: transcriptCommand(memory.source) ?? null,
      import: memory.source.import ?? null,
      said: provenanceOf(memory) ?? null,
    },
    problems: memory.problems.map(({ message }) => message),
    mayChange: isOwn(folder),
    mayShare: isOwn(folder) && folder.scope !== "shared",
    mayNever: isOwn(folder) && folder.scope !== "shared",
    history: historyOf(placeOf({ path: memory.path, folder })),
  };
}

/** The changes of a memory that memo has made, newest first; what somebody has changed by hand is told apart. */
function historyOf(place: FileIn) {
  const changes = changesOf(place).toReversed().slice(0, MOST_VERSIONS);
  const there = bytesOf(join(place.folder.path, place.file), place.folder.path);
  const digest = there && digestOf(there);
  const [last] = changes;
  const isByHand = last?.after !== undefined && last.after !== digest;
  return {
    isByHand,
    versions: changes.map((change, i) => ({
      version: change.id,
      at: change.at,
      what: CHANGES[change.what],
      because: change.because ?? null,
      isUndone: change.undone,
      isCurrent: i === 0 && !isByHand,
      isThere: isThere(change, changes.slice(0, i), { folder: place.folder, present: digest }),
    })),
  };
}

/** Whether the version after a change can be brought back: it is there, or what came after it has kept it. */
function isThere(
  { after }: Logged,
  newer: readonly Logged[],
  { folder, present }: { readonly folder: MemoryFolder; readonly present: string | undefined },
): boolean {
  if (after === undefined) return false;
  if (after === present) return true;
  const kept = newer.find(({ before }) => before?.digest === after)?.before;
  return kept !== undefined && statsOf(join(archiveOf(folder), kept.archived)) !== undefined;
}

/** `version {id, version}`: what a change has made of a memory, line by line. */
export const version = defineCall({
  name: "version",
  writes: false,
  params: z.strictObject({ id: idSchema, version: versionSchema }),
  run({ id, version }, { listed }) {
    const place = placeOf(listed.get(id));
    const change = changesOf(place).find((each) => each.id === version);
    if (change === undefined) {
      throw new MemoError("not-found", "There is no such version on this page", {
        hint: "Reload the list",
      });
    }
    const path = join(place.folder.path, place.file);
    const before = change.before && versionBytes(change.before, { path, folder: place.folder });
    const after = change.after === undefined ? undefined : versionAt(place, { change: version });
    const isLost = (change.before !== undefined && before === undefined) ||
      (after !== undefined && after.kind === "none");
    if (isLost) return Promise.resolve({ lines: [], isLost });
    const [old, own] = [before, after?.kind === "version" ? after.bytes : undefined].map((bytes) =>
      bytes === undefined ? "" : new TextDecoder().decode(bytes)
    );
    return Promise.resolve({ lines: diffOf(old!, own!) });
  },
});

/** A memory's place among the versions of its folder. */
function placeOf({ path, folder }: ListedMemory): FileIn {
  return { folder, file: wayTo(realPath(path), realPath(folder.path)) };
}
