// The memories, as the page lists and shows them.

import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
import { statsOf } from "../../../core/files/there.ts";
import type { FoundMemory } from "../../../core/ledger/find.ts";
import { isStale, readUsage, usageOf } from "../../../core/ledger/usage.ts";
import { ageInDays } from "../../../core/memory/age.ts";
import { LONGEST_FILE, mayChange, transcriptCommand } from "../../../core/memory/memory.ts";
import { provenanceOf } from "../../../core/memory/provenance.ts";
import { search } from "../../../core/recall/search.ts";
import { folded } from "../../../core/text/nearest.ts";
import { oneLine } from "../../../core/text/neutralise.ts";
import { messageOf } from "../../../errors.ts";
import { tilde } from "../../../paths.ts";
import { type Catalogue, type CatalogueEntry, catalogueOf, STATES } from "../catalogue.ts";
import { type CallContext, idSchema, look, memoryOf } from "./call.ts";

/** Rows of one answer. */
const MOST_ROWS = 10_000;
/** Maximum hits of a search; and of one that nothing fits, which then shows what is nearest. */
const SEARCHED = 200, NEAREST = 12;
/** Maximum wait for the model: while it loads, words alone are searched for. */
const EMBED_MS = 1500;
const QUERY_CHARS = 2000, PASSAGE_CHARS = 240;

const filtersSchema = z.strictObject({
  /** A project's key; empty: what belongs to none. */
  project: z.string().max(16).optional(),
  type: z.string().max(200).optional(),
  state: z.enum(STATES).optional(),
});

/** The values that a memory has of each filter. */
const VALUES: Readonly<
  Record<keyof z.output<typeof filtersSchema>, (entry: CatalogueEntry) => readonly string[]>
> = {
  project: ({ project }) => [project ?? ""],
  type: ({ head }) => [head.type],
  state: ({ states }) => states,
};

/** How a memory was found. */
interface Match {
  readonly entry: CatalogueEntry;
  readonly score?: number;
  /** Whether recall would give it: its score reaches the threshold of its type. */
  readonly isAbove?: boolean;
  readonly passage?: string;
}

/**
 * `memories {query?, filters?, limit?}`: the memories that pass the filters, newest first; with a query those that it
 * finds, as recall ranks them.
 */
export const memories = look(
  {
    query: z.string().max(QUERY_CHARS).default(""),
    filters: filtersSchema.default({}),
    limit: z.number().int().min(1).max(MOST_ROWS).default(100),
  },
  async ({ query, filters, limit }, context) => {
    const catalogue = await catalogueOf(context);
    const { entries, projects, isFresh } = catalogue;
    const { found, failures, isNear } = query.trim() === ""
      ? { found: entries.map((entry): Match => ({ entry })), failures: [], isNear: false }
      : await searched(query.trim(), catalogue, context);
    const names = Object.keys(VALUES) as (keyof typeof VALUES)[];
    const active = names.filter((name) => filters[name] !== undefined);
    const passing = found.filter(({ entry }) =>
      active.every((name) => VALUES[name](entry).includes(filters[name]!))
    );
    const labels = new Map(projects.map(({ key, name }) => [key, name]));
    return {
      total: passing.length,
      all: entries.length,
      rows: passing.slice(0, limit).map((match) => rowOf(match, labels, context)),
      // What there is to choose from, whatever is chosen now.
      facets: Object.fromEntries(names.map((name) => [
        name,
        facetOf(found.flatMap(({ entry }) => VALUES[name](entry)), labels),
      ])),
      ...!isFresh && { isReading: true },
      ...isNear && { isNear },
      ...failures.length > 0 && { failures },
    };
  },
);

/** The values of a filter with their counts, most frequent first. */
function facetOf(values: readonly string[], labels: ReadonlyMap<string, string>) {
  return [...Map.groupBy(values, (value) => value)].map(([value, same]) => ({
    ...{ value, count: same.length },
    ...labels.has(value) && { label: labels.get(value) },
  })).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function rowOf(
  { entry, score, isAbove, passage = "" }: Match,
  labels: ReadonlyMap<string, string>,
  { listed }: CallContext,
) {
  const { head: { path, name, type }, folder, project, changed, states } = entry;
  const said = oneLine(passage).slice(0, PASSAGE_CHARS).toWellFormed();
  return {
    id: listed.idOf({ path, folder }),
    ...{ name, type, scope: folder.scope, changed, states },
    project: labels.get(project ?? "") ?? null,
    ...score !== undefined && { score, isAbove },
    ...said && { passage: said },
  };
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
    return [{ match: { entry, score, isAbove: !belowThreshold, passage }, fits }];
  });
  const fitting = hits.filter(({ fits }) => fits).map(({ match }) => match);
  const known = new Set(fitting.map(({ entry }) => entry));
  const scores = new Map(hits.map(({ match }) => [match.entry, match]));
  const wanted = folded(query);
  const named = entries.filter((entry) =>
    !known.has(entry) && folded(entry.head.name).includes(wanted)
  ).slice(0, SEARCHED).map((entry): Match => scores.get(entry) ?? { entry });
  const found = [...fitting, ...named];
  const isNear = found.length === 0 && hits.length > 0;
  return {
    found: isNear ? hits.slice(0, NEAREST).map(({ match }) => match) : found,
    failures: [...answer.failures, ...failed],
    isNear,
  };
}

/** `memory {id}`: a memory with its text and what is known of it; or that it is gone. */
export const memory = look({ id: idSchema }, ({ id }, context) => {
  if (statsOf(context.listed.get(id).path) === undefined) return { id, isGone: true };
  const found = memoryOf(id, context);
  return { id, ...textOf(found, context), ...factsOf(found, context) };
});

/** The text of a file, and whether it can be edited here. */
function textOf({ memory: { path, size }, folder }: FoundMemory, { listed }: CallContext) {
  if (size > LONGEST_FILE) {
    const head = readFileSync(path).subarray(0, LONGEST_FILE);
    return { text: new TextDecoder().decode(head), isCut: true, mayEdit: false, digest: null };
  }
  const bytes = readFileSync(path);
  const digest = listed.keepOpened(bytes);
  const mayEdit = mayChange(folder.scope) && isUtf8(bytes);
  return { text: new TextDecoder().decode(bytes), isCut: false, mayEdit, digest };
}

function factsOf({ memory, folder }: FoundMemory, { paths, now, env }: CallContext) {
  const { name, type, tags, never = [], pinned, created, updated, source } = memory;
  const usage = usageOf(readUsage(paths.usage), memory.path);
  const at = now();
  return {
    ...{ name, type, tags, never, pinned, created, updated, usage },
    scope: folder.scope,
    project: folder.project === undefined ? null : basename(folder.project),
    file: tilde(memory.path, env),
    days: ageInDays(memory, at),
    isStale: isStale(memory, { now: at, usage }),
    source: source === undefined ? null : {
      command: transcriptCommand(source) ?? null,
      import: source.import ?? null,
      said: provenanceOf(memory) ?? null,
    },
    problems: memory.problems.map(({ message }) => message),
    mayChange: mayChange(folder.scope),
  };
}
