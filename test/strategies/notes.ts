// The notes that strategies are tried on, in a real index with the real model's vectors.

import { openEmbedder } from "../../src/core/embed/mod.ts";
import { embedPending } from "../../src/core/index/embed_pending.ts";
import { Query } from "../../src/core/index/query.ts";
import { pathsFor } from "../../src/paths.ts";
import { analyze } from "../../src/core/text/analyze.ts";
import { isStopword } from "../../src/core/text/language/stopwords.ts";
import type { Ask } from "../../strategies/strategy.ts";
import { makeIndex, memoryFile } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";

using state = temporaryFolder();
const embedder = await openEmbedder(
  "builtin",
  pathsFor({ MEMO_HOME: state.path, HOME: state.path }),
);

const NOTES: readonly [name: string, body: string][] = [
  [
    "JWT setup",
    "Access tokens are RS256 and live 15 minutes; the refresh token sits in an httpOnly cookie.",
  ],
  ["Deploys", "A tag on main is rolled out by Argo. Never kubectl apply by hand."],
  ["Package manager", "Use pnpm; npm breaks the lockfile. PGBOUNCER_URL must be set before tests."],
  ["Plants", "The ficus by the window wants water every ten days."],
  ["数据库连接池", "生产环境的连接池大小是二十，不要改。"],
  ["Copias de seguridad", "La base de datos se copia cada noche a las tres."],
];

/** Prompts of every kind: plain, in other scripts, without a word, far too long, full of query syntax. */
export const QUERIES = [
  "where does the refresh token live",
  "what is PGBOUNCER_URL for",
  "连接池大小",
  "copia de la base de datos",
  "!!! ??? ---",
  "the of and",
  "x".repeat(5000),
  'quotes " and OR NOT (parentheses) * ^ : - in FTS syntax',
];

/** An index of the notes, repeated until there are `count`, with their vectors. */
export async function corpusOf(count = NOTES.length) {
  const files = Array.from({ length: count }, (_, i) => {
    const [name, body] = NOTES[i % NOTES.length]!;
    return memoryFile({ path: `/memories/${i}.md`, name, body, mtimeMs: i });
  });
  const made = await makeIndex(files);
  await made.index.useModel(embedder.id, embedder.dimensions);
  await embedPending(made.index, embedder);
  return { ...made, corpus: await made.index.corpus([made.folder]) };
}

/** The time that ages are counted to. */
export const NOW = new Date("2026-11-21T12:00:00Z");

/** Stands in for the language model: picks the notes whose line shares a word with the request, and invents two. */
const ask: Ask = ({ prompt }) => {
  const [notes, request] = prompt.split("\n\nRequest:\n");
  const words = new Set(analyze(request!).filter((word) => !isStopword(word)));
  const picks = notes!.split("\n").slice(1).flatMap((line) =>
    analyze(line).some((word) => words.has(word)) ? [/^- (\S+)/.exec(line)![1]!] : []
  );
  return Promise.resolve({
    selected_memories: [...picks, "../made/up.md", "nowhere.md"].slice(0, 7),
  });
};
/** What a strategy is called with: a limit, the time, and the model that can be asked. */
export const options = (limit: number) => ({ limit, now: NOW, ask });
/** A query whose vector the real model makes. */
export const query = (text: string) => new Query(text, (text) => embedder.embed(text, "query"));
