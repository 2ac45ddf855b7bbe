// Whether the commit that decided something is found by the report of the bug that broke it, and whether it could come up
// by itself: with the tasks of sde-bench, whose rules are put into commits among those of a real repository.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonOption, present } from "../../src/cli/bench/shared.ts";
import { openCachedEmbedder } from "../../src/cli/bench/recall.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { readCommits } from "../../src/history/commits.ts";
import { type PastHit, searchHistory } from "../../src/history/search.ts";
import { embedPending } from "../../src/index/embed_pending.ts";
import type { PastEntry } from "../../src/index/history.ts";
import { Index } from "../../src/index/memory_index.ts";
import type { MemoryFolder } from "../../src/memory/memory.ts";
import { loadConfig } from "../../src/settings/config.ts";
import { columns } from "../../src/text/columns.ts";

export interface CommitsOptions {
  readonly suite: string;
  readonly repository?: string;
  readonly json?: JsonOption;
}

/** As much of a task as this takes. */
interface Task {
  readonly task_id: string;
  readonly bug_report: string;
  readonly policy: string;
  readonly module: string;
  readonly function: string;
}

/** What the reports find, with the function's name in them or without. */
interface CommitsRow {
  readonly isNamed: boolean;
  /** Reports whose deciding commit is first, and in the first three. */
  readonly at1: number;
  readonly at3: number;
  /** Of an entry that comes from a score on: how often it is right, and how often another comes if it is not there. */
  readonly byItself: readonly {
    readonly score: number;
    readonly right: number;
    readonly wrong: number;
  }[];
}

/** Scores from which an entry would come up by itself. */
const LINES = [0.3, 0.4, 0.45];
const NOW = new Date("2026-11-21T09:00:00Z");

/** Measures which commit a bug report finds. */
export async function runCommits(options: CommitsOptions, context: CliContext): Promise<void> {
  const tasks = readTasks(options.suite);
  const root = options.repository ?? fileURLToPath(new URL("../..", import.meta.url));
  const others = await readCommits(root);
  const config = loadConfig(context.paths.config, context.env);
  const embedder = await openCachedEmbedder(config.model, context.paths.bench, context);
  const folder = mkdtempSync(join(tmpdir(), "memo-bench-"));
  const index = await Index.open(join(folder, "index.db"));
  try {
    await index.useModel(embedder.id, embedder.dimensions);
    const own: MemoryFolder = { scope: "project", path: folder };
    const entries = [...others, ...tasks.flatMap(commitsOf)];
    await index.history.put(own, { path: "commits", mtimeMs: 1, size: 1 }, entries);
    await embedPending(index.history, embedder, {});
    const ask = async (text: string) =>
      (await searchHistory({ text, limit: 20 }, {
        ...{ index, folders: [own], now: NOW },
        embed: (text) => embedder.embed(text, "query"),
      })).hits;
    const rows: CommitsRow[] = [];
    for (const isNamed of [true, false]) rows.push(await row(tasks, { isNamed, ask }));
    const report = { tasks: tasks.length, commits: entries.length, model: embedder.id, rows };
    await present(report, { json: options.json, depth: { rows: 1 }, table: render(report) });
  } finally {
    index.close();
    await embedder.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function row(
  tasks: readonly Task[],
  { isNamed, ask }: { isNamed: boolean; ask: (text: string) => Promise<readonly PastHit[]> },
): Promise<CommitsRow> {
  const ranks: number[] = [], right: number[] = [], wrong: number[] = [];
  for (const task of tasks) {
    const { bug_report, function: name } = task;
    const hits = await ask(isNamed ? bug_report : bug_report.replaceAll(name, "it"));
    const isIt = ({ entry }: PastHit) => entry.turn === idOf(task, "decides");
    const rank = hits.findIndex(isIt);
    ranks.push(rank < 0 ? Infinity : rank + 1);
    right.push(hits[rank]?.score ?? 0);
    // What would come up if the decision had not been committed.
    wrong.push(hits.find((hit) => !isIt(hit))?.score ?? 0);
  }
  const from = (scores: readonly number[], line: number) =>
    scores.filter((score) => score >= line).length;
  return {
    isNamed,
    at1: ranks.filter((rank) => rank <= 1).length,
    at3: ranks.filter((rank) => rank <= 3).length,
    byItself: LINES.map((line) => ({
      ...{ score: line, right: from(right, line), wrong: from(wrong, line) },
    })),
  };
}

function render(
  { tasks, commits, rows }: {
    readonly tasks: number;
    readonly commits: number;
    readonly rows: readonly CommitsRow[];
  },
): string {
  const lines = rows.flatMap(({ isNamed, at1, at3, byItself }) =>
    byItself.map(({ score, right, wrong }, i) => [
      ...i === 0 ? [isNamed ? "named" : "not named", String(at1), String(at3)] : ["", "", ""],
      ...[score.toFixed(2), String(right), String(wrong)],
    ])
  );
  const head = ["function", "first", "in three", "score from", "deciding commit", "another"];
  return `${tasks} bug reports, ${commits} commits\n\n${columns([head, ...lines])}`;
}

function readTasks(suite: string): Task[] {
  const folder = join(suite, "tasks");
  return readdirSync(folder).sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name, "task.json"), "utf8")));
}

/** The commit that decides, and the later one that breaks it without saying so. */
function commitsOf(task: Task): PastEntry[] {
  const { function: name, policy } = task;
  const commit = (which: "decides" | "breaks", day: string, title: string, body = "") => ({
    ...{ kind: "commit" as const, day, time: "10:00", title, turn: idOf(task, which) },
    text: body === "" ? title : `${title}\n\n${body}`,
  });
  return [
    commit("decides", "2026-03-04", `Settle what ${name} does`, policy),
    commit("breaks", "2026-09-04", `perf: simplify ${name}`),
  ];
}

function idOf({ task_id }: Task, which: "decides" | "breaks"): string {
  return `${task_id}-${which}`;
}
