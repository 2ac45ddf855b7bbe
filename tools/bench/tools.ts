// What memo's tools cost a session: what stands in every request, and what a search puts into the conversation.

import { loadConfig } from "../../src/settings/config.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { described } from "../../src/mcp/describe.ts";
import { INSTRUCTIONS } from "../../src/mcp/instructions.ts";
import type { Tool, ToolContext } from "../../src/mcp/tool.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { search } from "../../src/mcp/tools/search.ts";
import { buildStore, type Store } from "../../bench/store.ts";
import { spreadOf } from "../../bench/latency.ts";
import type { Suite } from "../../bench/suite.ts";

/** Characters of what Claude Code puts into every request. */
export interface Standing {
  /** Schemas of the tools that are always loaded, with names and descriptions. */
  readonly schemas: number;
  readonly instructions: number;
  /** Names of the tools that are loaded when they are needed. */
  readonly names: number;
}

/** What `memory_search` gives for the questions of a suite. */
export interface SearchRow {
  readonly limit: number;
  /** Questions with an answer, and the share whose answer stands in the result with its text, or is at least named. */
  readonly answered: number;
  readonly inText: number;
  readonly named: number;
  /** Characters of a result. */
  readonly chars: { readonly p50: number; readonly p95: number };
  /** The same for questions that nothing answers. */
  readonly unanswered: { readonly p50: number; readonly p95: number };
}

/** The defaults. */
const CONFIG = loadConfig("", {});

/** Counts what stands in every request. */
export function standing(): Standing {
  const sent = (tool: Tool) => {
    const { name, description, inputSchema } = described(tool);
    return JSON.stringify({ name: `mcp__memo__${name}`, description, input_schema: inputSchema });
  };
  const always = TOOLS.filter(({ isAlwaysLoaded }) => isAlwaysLoaded);
  const named = TOOLS.filter(({ isAlwaysLoaded }) => !isAlwaysLoaded);
  return {
    schemas: always.reduce((sum, tool) => sum + sent(tool).length, 0),
    instructions: INSTRUCTIONS.length,
    names: named.reduce((sum, { name }) => sum + `mcp__memo__${name}\n`.length, 0),
  };
}

/** Calls `memory_search` with the questions of a suite. */
export async function benchSearches(
  suite: Suite,
  { limits, embedder, folder }: {
    readonly limits: readonly number[];
    readonly embedder: Embedder;
    readonly folder: string;
  },
): Promise<SearchRow[]> {
  const store = await buildStore(suite, { folder, embedder });
  try {
    const rows: SearchRow[] = [];
    for (const limit of limits) rows.push(await row(suite, { limit, store, embedder }));
    return rows;
  } finally {
    store.index.close();
  }
}

async function row(
  suite: Suite,
  { limit, store, embedder }: {
    readonly limit: number;
    readonly store: Store;
    readonly embedder: Embedder;
  },
): Promise<SearchRow> {
  const answered: number[] = [], unanswered: number[] = [];
  let inText = 0, named = 0;
  for (const { id, text: query, scope } of suite.queries) {
    const text = await search.run({ query, limit }, contextOf(store, scope, embedder));
    const best = [...suite.qrels.get(id) ?? []].filter(([, grade]) => grade >= 2);
    (best.length === 0 ? unanswered : answered).push(text.length);
    const names = best.map(([document]) => store.nameOf(document));
    if (names.some((name) => text.includes(`\n## ${name} [`))) inText++;
    if (names.some((name) => text.includes(` ${name} [`))) named++;
  }
  return {
    limit,
    answered: answered.length,
    inText: inText / answered.length,
    named: named / answered.length,
    chars: spread(answered),
    unanswered: spread(unanswered),
  };
}

/** As much of a tool's surroundings as a search takes. */
function contextOf(store: Store, scope: string | undefined, embedder: Embedder): ToolContext {
  const context: Partial<ToolContext> = {
    folders: store.foldersOf(scope),
    config: CONFIG,
    now: () => store.now,
    withIndex: (work) => work(store.index),
    embed: (text) => embedder.embed(text, "query"),
  };
  return context as ToolContext;
}

function spread(chars: readonly number[]): SearchRow["chars"] {
  const { p50, p95 } = spreadOf(chars);
  return { p50, p95 };
}
