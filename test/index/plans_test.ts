// What SQLite visits for each statement that a session runs, in a store so large that a look at every memory stands out.

import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient } from "@libsql/client";
import { type MethodContext, METHODS } from "../../src/core/daemon/methods.ts";
import { Served } from "../../src/core/daemon/served.ts";
import { Sessions } from "../../src/core/daemon/sessions.ts";
import { Engine } from "../../src/core/engine/engine.ts";
import { runJobs } from "../../src/core/engine/jobs.ts";
import { capturePipeline } from "../../src/core/engine/surroundings.ts";
import { Index, passageTexts, syncFolder } from "../../src/core/index/mod.ts";
import { memoryFolders, placeIn } from "../../src/core/memory/scopes.ts";
import { FEATURES } from "../../src/features.ts";
import { pathsFor } from "../../src/paths.ts";
import { seededRandom } from "../../bench/random.ts";
import { MEMORY, serveReplies, turn, useModel } from "../capture/support.ts";
import { type Cost, costsOf } from "../support/costs.ts";
import { readFixture } from "../support/fixtures.ts";
import { gitHistory } from "../support/git_history.ts";
import { type Home, makeHome } from "../support/home.ts";
import { serveLoopback } from "../support/loopback.ts";

const MEMORIES = 3000;
const DIMENSIONS = 16;

/** Steps of a run that visits nothing, and of 20 rows of a plain loop: a look at all memories takes three for each. */
const STEPS_OF_RUN = 1000, STEPS_OF_HIT = 100;

/** What may visit more, and why. */
const ALLOWED: readonly { readonly what: RegExp; readonly because: string }[] = [
  { what: /^SELECT folder, type, count/, because: "memories are counted once a generation" },
  {
    what: /^SELECT count.* FROM passages p JOIN/,
    because: "once a daemon, before vectors are read",
  },
  { what: /^SELECT count.* memories_listed/, because: "once a change, in an index alone" },
  { what: /FROM standings WHERE top <>/, because: "once a commit or a capture" },
];

/** A unit vector that depends on the text alone. */
function vectorOf(text: string): number[] {
  const random = seededRandom(
    [...text].reduce((sum, char) => sum * 31 + char.charCodeAt(0) | 0, 7),
  );
  const vector = Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function fill(home: Home): void {
  const note = (name: string, type: string, body: string, source = "") =>
    `---\nname: ${name}\ntype: ${type}\n${source}---\n${body}\n`;
  const userFolder = dirname(
    home.write("feedback_sign.md", note("Sign", "feedback", "Sign all commits.")),
  );
  home.keep(
    "gotcha_kiln.md",
    note("Kiln", "gotcha", "The tests of src/kiln.ts fail with EFIXTURE 7411."),
  );
  for (let i = 0; i < MEMORIES; i++) {
    const type = ["fact", "feedback", "decision", "gotcha", "tool"][i % 5]!;
    const source = `triggers: [fetch part ${i}]\nsource:\n  session: s${i >> 2}\n  turn: t${i}\n`;
    const text = note(`Part ${i}`, type, `It lies in drawer ${i % 97}, by shelf_${i}.ts.`, source);
    writeFileSync(join(i % 2 === 0 ? home.privately : userFolder, `${type}_${i}.md`), text);
  }
}

/** Gives every memory a vector, and has none wait for a judge: with a model, both would take minutes. */
async function settle(index: Index): Promise<void> {
  const countTokens = (text: string) => text.length;
  for (let batch; (batch = await index.queue.pending(500)).length > 0;) {
    await index.queue.put(
      await Promise.all(batch.map(async (seen) => {
        const texts = await passageTexts(seen, { countTokens });
        return {
          seen,
          passages: texts.map(({ start, end, text }) => ({
            ...{ start, end, hash: "", vector: Float32Array.from(vectorOf(text)) },
          })),
        };
      })),
    );
  }
  const client = createClient({ url: `file:${index.path}` });
  await client.execute(`UPDATE memories SET related = 1`);
  client.close();
}

/** A daemon's answers to hooks, and its captures, in a home with many memories. */
async function makeSession() {
  const vectors = await serveLoopback(({ body }, response) => {
    const { model, input } = JSON.parse(body);
    response.end(JSON.stringify({ data: [{ index: 0, embedding: vectorOf(input) }], model }));
  });
  const api = await serveReplies({ journal: [], memories: [MEMORY] });
  const home = makeHome({ ANTHROPIC_API_KEY: "k" }, { hasModel: true });
  useModel(home, api);
  appendFileSync(
    join(home.memoHome, "config.yaml"),
    `model: "${vectors.url}/v1#made-up"\ndream.enabled: false\nenrich.enabled: false\n`,
  );
  const { env } = home, paths = pathsFor(env), place = placeIn(paths, home.project);
  const repository = gitHistory(home.project);
  repository.write("src/kiln.ts", "export const kiln = 1;\n".repeat(20));
  repository.commit("First");
  fill(home);
  const failures: unknown[] = [];
  const log = (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
    if ("failed" in fields && !isEmpty(fields["failed"])) failures.push({ event, ...fields });
  };
  const engine = new Engine({ paths, env, log, background: true, features: FEATURES });
  const index = await Index.open(paths.db);
  const { id, dimensions } = await engine.model.embedder();
  await index.useModel(id, dimensions);
  for (const folder of memoryFolders(place)) await syncFolder(index, folder);
  await settle(index);
  index.close();
  const sessions = new Sessions(env, paths);
  const { signal } = new AbortController();
  return {
    home,
    failures,
    /** Answers an event, and does what waits for the answer to be out. */
    async hook(fixture: string, fields: object = {}): Promise<string> {
      const later: ((isTaken: boolean) => unknown)[] = [];
      const context = {
        ...{ engine, log, sessions, served: new Served(), capture: { wake() {} } },
        defer: (work: typeof later[number]) => void later.push(work),
      } as Partial<MethodContext> as MethodContext;
      const transcript_path = join(home.claude, "projects", "p", "s.jsonl");
      const input = { ...readFixture(fixture), cwd: home.project, transcript_path, ...fields };
      const answer = await METHODS["hook"]!({ input, claude: home.claude }, context);
      for (const work of later) await work(true);
      await engine.embedded();
      return JSON.stringify(answer);
    },
    /** Captures a turn, and does what follows a capture. */
    async capture(prompt: string): Promise<string> {
      const where = { transcript: "/t/s.jsonl", cwd: home.project, claude: home.claude };
      const pipeline = capturePipeline(engine, log, { envFor: () => env });
      const said = turn({ id: "new", cwd: home.project, prompt });
      const plan = await pipeline.plan([said], { ...where, signal });
      await pipeline.apply(plan, where);
      await engine.embedded();
      await runJobs({ engine, place, env, log, now: new Date(), signal, after: "capture" });
      await engine.embedded();
      return JSON.stringify(plan.changes);
    },
    async [Symbol.asyncDispose]() {
      await engine.close();
      await home[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      await vectors[Symbol.asyncDispose]();
    },
  };
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

const isExcessive = ({ steps, runs, hits }: Cost) =>
  steps > runs * STEPS_OF_RUN + hits * STEPS_OF_HIT;

Deno.test("no statement of a start, a prompt, a moment or a capture looks at every memory of a large store", async (t) => {
  await using session = await makeSession();
  const { home, hook, capture } = session;
  const of = { session_id: "s" },
    ask = (prompt: string) => hook("UserPromptSubmit", { ...of, prompt });
  const at = (name: string) => ({ tool_input: { file_path: join(home.project, name) } });
  const failed = {
    tool_input: { command: "npm test" },
    error: "Exit code 1\nError: EFIXTURE 7411: the server does not answer",
  };
  const edited = () => {
    const file_path = home.keep(
      "gotcha_kiln.md",
      "---\nname: Kiln\n---\nIt fails with EFIXTURE 7412.\n",
    );
    return hook("PostToolUse.Edit", { ...of, tool_input: { file_path } });
  };
  const EVENTS: readonly (readonly [name: string, act: () => Promise<string>, answer: RegExp])[] = [
    ["a start", () => hook("SessionStart.startup", of), /memo keeps memories/],
    ["a prompt", () => ask("why do the tests of the kiln fail with EFIXTURE 7411?"), /7411/],
    ["a prompt that many memories match", () => ask("in which drawer is part 400?"), /./],
    ["a prompt that names a memory", () => ask("please fetch part 99"), /Part 99/],
    ["a prompt after all that", () => ask("and what about the weather?"), /./],
    ["a file that is read", () => hook("PreToolUse.Read", at("src/kiln.ts")), /7411/],
    ["an error", () => hook("PostToolUseFailure.Bash", { ...of, ...failed }), /./],
    ["a memory that is edited", edited, /./],
    ["an answer's end", () => hook("Stop", of), /./],
    ["a capture", () => capture("No, use pnpm, never npm"), /Use pnpm/],
    ["a prompt after a capture", () => ask("install a package"), /pnpm/],
    ["a session's end", () => hook("SessionEnd.other", of), /./],
  ];
  const allowed = new Set<unknown>();
  for (const [name, act, answer] of EVENTS) {
    await t.step(name, async () => {
      const costs = await costsOf(async () => assert.match(await act(), answer));
      assert.ok(costs.length > 0);
      const excessive = costs.filter(isExcessive).filter(({ sql }) => {
        const row = ALLOWED.find(({ what }) => what.test(sql));
        if (row !== undefined) allowed.add(row);
        return row === undefined;
      });
      assert.deepEqual(excessive, []);
    });
  }
  assert.deepEqual(session.failures, []);
  assert.deepEqual(ALLOWED.filter((row) => !allowed.has(row)), [], "what is allowed for nothing");
});
