import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../../bench/answer.ts";
import { foldOf, HELD_OUT } from "../../bench/mine.ts";
import { recommend } from "../../bench/recommend.ts";
import type { Suite } from "../../bench/suite.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";
import { memoryFile } from "../support/index.ts";
import { answerOf } from "./answers.ts";

const MEMORIES = [
  memoryFile({
    path: "/m/feedback_pnpm.md",
    name: "Use pnpm",
    description: "Package manager of our repositories",
    triggers: ["how do I install things", "Use pnpm!"],
    body: "Never npm.",
    type: "feedback",
  }),
  memoryFile({ path: "/m/tool_vpn.md", name: "VPN", description: "", body: "Staging needs it." }),
];

Deno.test("What is asked for is not in what is searched, and the rest is", () => {
  for (const heldOut of HELD_OUT) {
    const { suite, skipped } = foldOf(MEMORIES, heldOut);
    const searched = JSON.stringify(suite.documents).toLowerCase();
    assert.equal(suite.queries.length, 1);
    for (const { text } of suite.queries) assert.ok(!searched.includes(text.toLowerCase()), text);
    assert.deepEqual([...suite.qrels.values()], [new Map([["/m/feedback_pnpm.md", 1]])]);
    assert.equal(skipped, heldOut === "triggers" ? 1 : 0); // its name says the same
  }
  assert.ok(foldOf(MEMORIES, "triggers").suite.documents[0]!.description !== "");
  assert.ok(foldOf(MEMORIES, "description").suite.documents[0]!.triggers!.length === 2);
});

/** Answers to one prompt for each document, which stand at the given ranks. */
function answersAt(suite: Suite, rank: (i: number) => number): Answer[] {
  return suite.queries.map((query, i) =>
    answerOf(
      query,
      Array.from({ length: 10 }, (_, at) => ({
        id: at + 1 === rank(i) ? suite.documents[i]!.id : `other-${at}`,
        score: 1 - at / 10,
      })),
    )
  );
}

function suiteOf(count: number, type: string): Suite {
  const ids = Array.from({ length: count }, (_, i) => `${i}`);
  return {
    documents: ids.map((id) => ({ id, text: id, type })),
    queries: ids.map((id) => ({ id, text: id })),
    qrels: new Map(ids.map((id) => [id, new Map([[id, 1]])])),
  };
}

const config = loadConfig("/nowhere", {});

Deno.test("A strategy is recommended where it is better by more than chance, with the command that sets it", () => {
  const suite = suiteOf(30, "tool");
  const answers = new Map([
    ["hybrid", answersAt(suite, () => 2)],
    ["keyword", answersAt(suite, (i) => i % 5 === 0 ? 2 : 1)],
    ["recency", answersAt(suite, () => 9)],
  ]);
  const [row] = recommend(suite, answers, { config, strategies: [...answers.keys()] });
  assert.equal(row!.type, "tool");
  assert.ok(row!.verdict.kind === "change");
  assert.equal(row!.verdict.command, "memo config set strategy.tool=keyword");
});

Deno.test("Nothing is recommended for a difference that is chance, or too small, or rests on few prompts", () => {
  const verdict = (count: number, rank: (i: number) => number) => {
    const suite = suiteOf(count, "tool");
    const answers = new Map([
      ["hybrid", answersAt(suite, () => 2)],
      ["keyword", answersAt(suite, rank)],
    ]);
    return recommend(suite, answers, { config, strategies: ["hybrid", "keyword"] })[0]!.verdict
      .kind;
  };
  assert.equal(verdict(30, (i) => i % 2 === 0 ? 1 : 9), "keep");
  assert.equal(verdict(400, (i) => i % 20 === 0 ? 1 : 2), "keep"); // significant, and 0.025
  assert.equal(verdict(19, () => 1), "too few");
});

/** Every file below a folder with its size and time. */
function snapshot(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort().map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}

function writeMemory(home: Home, name: string, triggers: readonly string[]): void {
  const head = `name: ${name}\ndescription: What there is to know about ${name}\ntype: tool\n`;
  const asked = triggers.length === 0 ? "" : `triggers: ${JSON.stringify(triggers)}\n`;
  home.write(`tool_${name}.md`, `---\n${head}${asked}---\nThe ${name} service has a port.\n`);
}

Deno.test("memo bench works with a handful of memories, changes none, and says that they are too few", async () => {
  await using home = makeHome({}, { hasModel: true });
  writeMemory(home, "kiln", ["where do the bricks come from"]);
  writeMemory(home, "oven", []);
  writeMemory(home, "stove", ["it does not get hot"]);
  await runMemo(home, ["index"]);
  const before = [snapshot(home.claude), snapshot(home.memoHome)];
  const json = join(home.root, "mine.json");
  const stdout = await succeed(home, ["bench", "--json", json]);
  assert.match(stdout, /Too little to tell/);
  assert.match(stdout, /Nothing to change/);
  assert.equal(JSON.parse(readFileSync(json, "utf8")).prompts.answerable, 5);
  assert.deepEqual([snapshot(home.claude), snapshot(home.memoHome)], before);
});

Deno.test("memo bench without memories says so", async () => {
  await using home = makeHome({}, { hasModel: true });
  const { code, stderr } = await runMemo(home, ["bench"]);
  assert.equal(code, 1);
  assert.match(stderr, /no memories here[^]*memo add/);
});
