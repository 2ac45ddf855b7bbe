import * as z from "zod";
import { messageOf } from "../../errors.ts";
import { search } from "../../recall/search.ts";
import { oneLine } from "../../text/one_line.ts";
import { type Catalogue, catalogueOf, type Entry, folded, isOwn } from "../memories/catalogue.ts";
import { filtered, filteredOnce, filtersSchema } from "../memories/filters.ts";
import { type CallContext, defineCall } from "./call.ts";

/** Rows of one answer. */
const MOST_ROWS = 500;
/** Maximum hits of a search; and of one that nothing fits, which then shows what is nearest. */
const SEARCHED = 200, NEAREST = 12;
/** Maximum wait for the model: while it loads, words alone are searched for. */
const EMBED_MS = 1500;
const QUERY_CHARS = 2000, PASSAGE_CHARS = 240;

/** How a memory was found. */
interface Found {
  readonly entry: Entry;
  readonly score?: number;
  /** Whether recall would give it: its score reaches the threshold of its type. */
  readonly isAbove?: boolean;
  readonly passage?: string;
}

/**
 * `memories {query?, filters, offset, limit}`: the memories that pass the filters, newest first; with a query those that
 * it finds, as recall ranks them. `as: "ids"` is all of them, for a change of many.
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
  }),
  async run({ query, filters, offset, limit, as }, context) {
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

function scoreOf({ score, isAbove, passage = "" }: Partial<Found> = {}) {
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
    .slice(0, SEARCHED).map((entry): Found => scores.get(entry) ?? { entry });
  const found = [...fitting, ...named];
  const isNear = found.length === 0 && hits.length > 0;
  return {
    found: isNear ? hits.slice(0, NEAREST).map(({ found }) => found) : found,
    failures: [...answer.failures, ...failed],
    isNear,
  };
}
