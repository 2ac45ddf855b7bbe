import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readReceipts } from "../../../src/recall/receipts.ts";
import type { Log } from "../../../src/files/log.ts";
import { hasMoment } from "../../../src/link/moments.ts";
import { serializeMemory } from "../../../src/memory/file.ts";
import { projectOf } from "../../../src/memory/project.ts";
import { hooksOf } from "../../../bench/sessions/serve.ts";
import type { Send } from "../../../src/prove/replay.ts";
import { makeWorld } from "../../../bench/sessions/world.ts";
import type { Share } from "../../../bench/share.ts";
import { layOutTree, type Repository } from "./suite.ts";

/** What came at one read or failure. */
export interface MomentCase {
  readonly repository: string;
  readonly kind: "read" | "failure";
  /** The file, or the command. */
  readonly at: string;
  /** The memory that has to come; null: none may. */
  readonly wanted: string | null;
  readonly came: string | null;
  readonly chars: number;
}

/** The sums of some cases. */
export interface MomentRow {
  readonly split: Repository["split"];
  readonly kind: MomentCase["kind"];
  /** The cases that need a memory and got it. */
  readonly right: Share;
  /** Those that got another one. */
  readonly wrong: Share;
  /** The benign cases that got one. */
  readonly false: Share;
  /** Median length of an entry with its frame. */
  readonly chars: number;
}

export interface MomentsRun {
  readonly model: string;
  readonly memories: number;
  readonly rows: readonly MomentRow[];
  /** What went wrong. */
  readonly failed: readonly MomentCase[];
}

export interface MomentsOptions {
  readonly now: Date;
  readonly log: Log;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** Sends each read and each failure through the hooks, each in a session of its own. */
export async function benchMoments(
  repositories: readonly Repository[],
  options: MomentsOptions,
): Promise<MomentsRun> {
  const cases: MomentCase[] = [];
  let model = "";
  for (const [i, repository] of repositories.entries()) {
    options.onProgress?.(repository.name, i, repositories.length);
    const run = await runRepository(repository, options);
    cases.push(...run.cases);
    model = run.model;
  }
  const splitOf = new Map(repositories.map(({ name, split }) => [name, split]));
  const rows = (["dev", "test"] as const).flatMap((split) =>
    (["read", "failure"] as const).map((kind) =>
      rowOf(
        split,
        kind,
        cases.filter((each) => splitOf.get(each.repository) === split && each.kind === kind),
      )
    )
  ).filter(({ right, false: wrongly }) => right.of + wrongly.of > 0);
  return {
    model,
    memories: repositories.reduce((sum, { memories }) => sum + memories.length, 0),
    rows,
    failed: cases.filter((each) => !isRight(each)),
  };
}

async function runRepository(
  repository: Repository,
  { now, log }: MomentsOptions,
): Promise<{ readonly cases: readonly MomentCase[]; readonly model: string }> {
  const { name, memories, reads, failures } = repository;
  await using world = makeWorld({ model: "http://127.0.0.1:9", settings: {}, log });
  const cwd = world.project(name);
  layOutTree(repository, cwd);
  execFileSync("git", ["init", "--quiet"], { cwd });
  const { folder } = projectOf(cwd, world.claude);
  mkdirSync(folder, { recursive: true });
  const idOf = new Map<string, string>();
  for (const { id, ...memory } of memories) {
    const path = join(folder, `${memory.type}_${id}.md`);
    const file = { ...memory, triggers: [], tags: [], confidence: 1, pinned: false };
    writeFileSync(path, serializeMemory(file as unknown as Parameters<typeof serializeMemory>[0]));
    idOf.set(path, id);
  }
  await world.sync(name);
  await world.engine.embedded();
  const { id: model } = await world.engine.embedder();
  const send = hooksOf(world, { now, log });
  const cases: MomentCase[] = [];
  const ask = async (
    kind: MomentCase["kind"],
    at: string,
    wanted: string | null,
    input: object,
  ) => {
    const base = { session_id: `${kind}-${cases.length}`, cwd };
    const text = await sendInSession(send, base, input);
    const came = text === "" ? null : idOf.get(lastGiven(world.engine.paths.receipts)) ?? "?";
    cases.push({ repository: name, kind, at, wanted, came, chars: text.length });
  };
  await send({ session_id: "first", cwd, hook_event_name: "SessionStart", source: "startup" });
  const where = { ...world.engine.paths, projectDir: cwd };
  for (let tries = 0; tries < 200 && !await hasMoment(where, ["file"]); tries++) await sleep(50);
  for (const { file, memory } of reads) {
    await ask("read", file, memory, {
      hook_event_name: "PreToolUse",
      tool_name: "Read",
      tool_input: { file_path: join(cwd, file) },
    });
  }
  for (const { command, output, memory } of failures) {
    await ask("failure", command, memory, {
      hook_event_name: "PostToolUseFailure",
      tool_name: "Bash",
      tool_input: { command },
      error: `Exit code 1\n${output}`,
    });
  }
  return { cases, model };
}

async function sendInSession(send: Send, base: object, input: object): Promise<string> {
  const text = await send({ ...base, ...input });
  await sleep(5); // the receipt is written after the answer
  return text;
}

function lastGiven(receipts: string): string {
  return readReceipts(receipts, 1)[0]?.memories[0]?.path ?? "";
}

/** Several memories may be about one file. */
function isRight({ wanted, came }: MomentCase): boolean {
  return wanted === null ? came === null : wanted.split("|").includes(came ?? "");
}

function rowOf(
  split: Repository["split"],
  kind: MomentCase["kind"],
  cases: readonly MomentCase[],
): MomentRow {
  const needing = cases.filter(({ wanted }) => wanted !== null);
  const benign = cases.filter(({ wanted }) => wanted === null);
  const share = (of: readonly MomentCase[], is: (each: MomentCase) => boolean): Share => ({
    n: of.filter(is).length,
    of: of.length,
  });
  const lengths = cases.map(({ chars }) => chars).filter((chars) => chars > 0).sort((a, b) =>
    a - b
  );
  return {
    split,
    kind,
    right: share(needing, isRight),
    wrong: share(needing, (each) => each.came !== null && !isRight(each)),
    false: share(benign, ({ came }) => came !== null),
    chars: lengths[Math.floor(lengths.length / 2)] ?? 0,
  };
}
