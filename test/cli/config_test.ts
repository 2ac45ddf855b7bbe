// `memo config` and `memo config strategies` as people run them, and the daemon that follows.

import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS } from "../../src/core/settings/table.ts";
import { readReceipts, type Receipt } from "../../src/core/recall/receipts.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import { type Home, makeHome, PATIENCE, runMemo, trustIn, warmUp } from "../support/home.ts";
import { readRows } from "../support/fixtures.ts";
import type { Finished } from "../support/run.ts";
import { askHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

function config(home: Home, ...args: string[]): Promise<Finished> {
  return runMemo(home, ["config", ...args]);
}

function withEnv(home: Home, env: Readonly<Record<string, string>>): Home {
  return { ...home, env: { ...home.env, ...env } };
}

Deno.test("memo config set takes KEY VALUE, KEY=VALUE and several at once", async () => {
  await using home = makeHome({}, { mayBeSent: false, hasModel: true });
  const typed = ["strategy.feedback sidequery", "strategy.tool=keyword", "strategy.user=recency"];
  for (const words of [...typed, "threshold.tool=0.4 recall.min_chars=20"]) {
    const { code, stdout, stderr } = await config(home, "set", ...words.split(" "));
    assert.deepEqual([code, stdout], [0, ""], stderr);
  }
  const get = async (key: string) => (await config(home, "get", key)).stdout.trimEnd();
  const keys = ["strategy.feedback", "strategy.tool", "strategy.user", "threshold.tool"];
  assert.deepEqual(await Promise.all(keys.map(get)), ["sidequery", "keyword", "recency", "0.4"]);
  const { stdout } = await config(home, "path");
  assert.equal(stdout.trimEnd(), join(home.memoHome, "config.yaml"));
  assert.match(readFileSync(stdout.trimEnd(), "utf8"), /^strategy:\n {2}feedback: sidequery\n/);
});

Deno.test("memo config says what a preset of recall costs, on stderr, and `get` prints the value alone", async () => {
  await using home = makeHome({}, { hasModel: true });
  const set = await config(home, "set", "recall.preset=balanced");
  assert.deepEqual([set.code, set.stdout], [0, ""]);
  assert.match(
    set.stderr,
    /`balanced` asks a language model, .* \d+ tokens per prompt.*\$0\.\d+.*at most \$1 /,
  );
  const get = await config(home, "get", "recall.preset");
  assert.equal(get.stdout, "balanced\n");
  assert.match(get.stderr, /`balanced` asks a language model[^]*`best` asks a language model/);
  await config(home, "set", "send=off");
  const { stderr } = await config(home, "set", "recall.preset=best");
  assert.match(stderr, /but not now: .*`send` is `off`/);
  assert.doesNotMatch(stderr, /a day/);
});

/** What is typed after an answer, and what `send` is then. */
const SWITCHED = readRows("settings/switched.tsv") as [string, string, string][];

Deno.test("memo config set opens with a setting what it sends, after a yes, and says so", async () => {
  await using home = makeHome({}, { mayBeSent: false });
  for (const [send, typed, then] of SWITCHED) {
    await config(home, "set", `send=${send}`, "recall.preset=local", "strategy.*=hybrid");
    const { stderr } = await config(home, "set", ...typed.split(" "));
    assert.equal((await config(home, "get", "send")).stdout, `${then}\n`, typed);
    if (then !== send) assert.match(stderr, new RegExp(`\`send\` is ${then}`));
  }
  const narrow = withEnv(home, { MEMO_SEND: "capture" });
  await config(home, "set", "send=capture,ask", "recall.preset=local");
  await config(narrow, "set", "recall.preset=best");
  const { stdout } = await config(home, "get", "send");
  assert.equal(stdout, "capture,ask, recall\n", "what a variable has closed for now stays open");
});

Deno.test("memo config set and unset refuse a model what opens something, and nothing that closes", async () => {
  await using home = makeHome({}, { mayBeSent: false });
  await config(home, "set", "send=capture", "llm.daily_usd=0.5", "capture.enabled=false");
  const model = withEnv(home, { CLAUDECODE: "1" });
  for (const [words = ""] of readRows("settings/opening.tsv")) {
    const { code, stderr } = await config(model, ...words.split(" "));
    assert.equal(code, 2, words);
    assert.match(
      stderr,
      /Cannot change `.* only you can decide that\n\nhint: Run `memo config set /,
    );
  }
  for (const closing of ["send=off", "llm.daily_usd=0.1", "recall.min_chars=20"]) {
    assert.equal((await config(model, "set", closing)).code, 0, closing);
  }
});

Deno.test("memo config set refuses what is not valid, says what was meant, and writes nothing", async () => {
  await using home = makeHome({}, { mayBeSent: false, hasModel: true });
  for (const [words = "", message = ""] of readRows("settings/refused.tsv")) {
    const { code, stdout, stderr } = await config(home, "set", ...words.split(" "));
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, new RegExp(message));
  }
  assert.equal(existsSync(join(home.memoHome, "config.yaml")), false);
  assert.equal((await config(home, "get", "recal.min_chars")).code, 2);
  assert.equal((await config(home, "unset", "recal.min_chars")).code, 2);
});

/** What is dubious about a value that is set all the same; undefined: nothing is. */
const DOUBTFUL = readRows("settings/doubtful.tsv") as [string, string][];

Deno.test("memo config set warns of what is dubious about a value, and sets it", async () => {
  await using home = makeHome({ MEMO_RECALL_MAX_MEMORIES: "4" }, { mayBeSent: false });
  for (const [typed, said] of DOUBTFUL) {
    const { code, stderr } = await config(home, "set", typed);
    assert.equal(code, 0, typed);
    if (said === "") assert.doesNotMatch(stderr, /warning/, typed);
    else assert.match(stderr, new RegExp(said));
  }
  assert.equal((await config(home, "get", "strategy.feedbak")).stdout, "keyword\n");
});

Deno.test("memo config list leaves out what is rarely needed, unless it is set or --all asks for it", async () => {
  await using home = makeHome();
  await config(home, "set", "recall.min_chars=20");
  const listed = async (...args: string[]) => {
    const { stdout, stderr } = await config(home, "list", ...args);
    return { keys: [...stdout.matchAll(/^[a-z_]+(?:\.[a-z_*]+)?(?= {2})/gm)].map(String), stderr };
  };
  const rare = SETTINGS.filter((row) => row.isRare).map(({ key }) => String(key));
  const [some, all] = [await listed(), await listed("--all")];
  const hidden = SETTINGS.map(({ key }) => String(key)).filter((key) => !some.keys.includes(key));
  assert.deepEqual(hidden, rare.filter((key) => !["recall.min_chars", "llm.hosts"].includes(key)));
  assert.match(some.stderr, new RegExp(`^${hidden.length} rarely needed settings not listed`, "m"));
  assert.deepEqual(SETTINGS.filter(({ key }) => !all.keys.includes(key)), []);
  assert.equal(all.stderr, "");
});

Deno.test("memo config list --json shows every setting with value, default and where it comes from", async () => {
  await using home = makeHome({}, { mayBeSent: false, hasModel: true });
  await config(home, "set", "recall.min_chars=20", "strategy.tool=keyword");
  await trustIn(
    home,
    home.write("project/.claude/memo.yaml", "recall.max_memories: 3\nmodel: theirs\n"),
  );
  const there = withEnv(home, { MEMO_THRESHOLD_GOTCHA: "0.7" });
  const { code, stdout, stderr } = await config(there, "list", "--json");
  assert.equal(code, 0);
  const rows: { key: string; value: unknown; default: unknown; from: string }[] = JSON.parse(
    stdout,
  );
  const keys = rows.map(({ key }) => key);
  assert.deepEqual(SETTINGS.filter((row) => !keys.includes(row.key)), []);
  const row = (key: string) => {
    const { value, default: normal, from } = rows.find((row) => row.key === key)!;
    return [value, normal, from];
  };
  assert.deepEqual(row("recall.min_chars"), [20, 10, "config.yaml:2"]);
  assert.deepEqual(row("strategy.tool"), ["keyword", "hybrid", "config.yaml:4"]);
  assert.deepEqual(row("recall.max_memories"), [3, 5, ".claude/memo.yaml:1"]);
  assert.deepEqual(row("threshold.gotcha"), [0.7, 0.35, "MEMO_THRESHOLD_GOTCHA"]);
  assert.deepEqual(row("model"), ["builtin", "builtin", "default"]);
  assert.match(stderr, /warning: .*memo\.yaml` line 2: A project cannot set `model`/);
  const { stdout: text } = await config(there, "list");
  assert.match(text, /^recall\.min_chars +20 +\S.* \(config\.yaml:2; default 10\)$/m);
});

Deno.test("memo config unset goes back to the default, also what memo does not know", async () => {
  await using home = makeHome({}, { mayBeSent: false, hasModel: true });
  const path = join(home.memoHome, "config.yaml");
  writeFileSync(path, "# mine\nrecall:\n  min_chars: 20\nold.setting: 1\n");
  const { code, stderr } = await config(home, "unset", "recall.min_chars", "old.setting");
  assert.equal(code, 0);
  assert.equal(stderr, "`recall.min_chars` is 10 (default)\n`old.setting` was removed\n");
  assert.equal(readFileSync(path, "utf8"), "# mine\n");
  assert.match(
    (await config(home, "unset", "model")).stderr,
    /`model` was not set in .*config\.yaml/,
  );
});

Deno.test("a broken config.yaml is named with its line, and the defaults hold", async () => {
  await using home = makeHome({}, { mayBeSent: false });
  home.write("state/config.yaml", "recall:\n  min_chars: [20\nmodel: x\n");
  const set = await config(home, "set", "recall.min_chars=5");
  assert.deepEqual([set.code, set.stdout], [2, ""]);
  assert.match(set.stderr, /config\.yaml`: line \d+, column \d+: .*\n\nhint: /);
  const { code, stdout, stderr } = await config(home, "get", "model");
  assert.deepEqual([code, stdout], [0, "builtin\n"]);
  assert.match(stderr, /^warning: Cannot read .*line \d+/);
});

Deno.test({
  name: "memo config edit opens the file and checks what was written",
  ignore: process.platform === "win32",
  fn: async () => {
    await using home = makeHome({}, { mayBeSent: false, hasModel: true });
    const editor = home.write("editor.sh", '#!/bin/sh\nprintf "%s\\n" "$TEXT" > "$1"\n');
    chmodSync(editor, 0o755);
    const edit = (text: string) => config(withEnv(home, { EDITOR: editor, TEXT: text }), "edit");
    assert.deepEqual(await edit("recall.min_chars: 20"), { code: 0, stdout: "", stderr: "" });
    assert.equal((await config(home, "get", "recall.min_chars")).stdout, "20\n");
    assert.match((await edit("recal.min_chars: 20")).stderr, /did you mean `recall\.min_chars`/);
    const broken = await edit("a: [");
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /line 2, column 1: .*\n\nhint: Run `memo config edit` again/);
  },
});

Deno.test("memo config strategies shows each strategy and the types that use it here", async () => {
  await using home = makeHome({}, { mayBeSent: false, hasModel: true });
  await config(home, "set", "strategy.feedback=sidequery", "strategy.tool=keyword");
  const { stdout } = await runMemo(home, ["config", "strategies", "--json"]);
  const rows: { name: string; types: string[] }[] = JSON.parse(stdout);
  assert.deepEqual(rows.map(({ name }) => name), STRATEGIES.map(({ name }) => name));
  const types = Object.fromEntries(rows.map(({ name, types }) => [name, types]));
  assert.deepEqual(types["sidequery"], ["feedback"]);
  assert.deepEqual(types["keyword"], ["tool"]);
  assert.ok(types["hybrid"]!.includes("*") && !types["hybrid"]!.includes("feedback"));
  const text = (await runMemo(home, ["config", "strategies"])).stdout;
  assert.match(text, /^sidequery +api +preview +feedback +\S/m);
});

Deno.test("the running daemon follows a changed setting at the next prompt, and a project's own file", async () => {
  await using home = makeHome(PATIENCE, { hasModel: true });
  home.write("tool_kiln.md", "---\nname: Kiln\ntype: tool\n---\nThe kiln service has port 7070.\n");
  await runMemo(home, ["index"]);
  await warmUp(home);
  let sessions = 0;
  /** It is written when the hook has had its answer. */
  const receiptOf = (session: string): Promise<Receipt> =>
    until(`a receipt of ${session}`, () => {
      const found = readReceipts(join(home.memoHome, "receipts.jsonl"), 1)[0];
      return found?.session === session && found;
    });
  const prompt = async () => {
    const session = `s${sessions++}`;
    await askHook(home, "which port has the kiln", session);
    const { outcome, why } = await receiptOf(session);
    return outcome === "gated" ? why : outcome;
  };
  assert.equal(await prompt(), "hit");
  await config(home, "set", "recall.min_chars=200");
  assert.equal(await prompt(), "too short");
  await config(home, "unset", "recall.min_chars");
  assert.equal(await prompt(), "hit");
  // A project's file cannot silence what is the user's.
  await trustIn(home, home.write("project/.claude/memo.yaml", "recall.min_chars: 300\n"));
  assert.equal(await prompt(), "hit");
  await trustIn(home, home.write("project/.claude/memo.yaml", "recall: [\n"));
  assert.equal(await prompt(), "hit");
});
