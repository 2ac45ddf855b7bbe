import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  askModel,
  check,
  complete,
  findClaude,
  LoginRefused,
  readSpending,
} from "../../src/core/llm/mod.ts";
import { claudeExecutable } from "../support/claude.ts";
import { type Home, makeHome } from "../support/home.ts";
import { sendJson, serveLoopback } from "../support/loopback.ts";
import { serveMessagesApi, textOf } from "../support/messages_api.ts";
import { contextOf, fakeClaude, QUESTION } from "./support.ts";
import { until } from "../support/until.ts";
import { readRows } from "../support/fixtures.ts";

const RESULT = JSON.stringify({
  type: "result",
  is_error: false,
  result: '{"picks":["a.md"]}',
  structured_output: { picks: ["a.md"] },
  total_cost_usd: 0.002,
  usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 7 },
  modelUsage: { "claude-haiku-5-5": {} },
});

Deno.test("claude is started bare, guarded, away from any project, and reads the prompt on stdin", async () => {
  await using home = makeHome();
  const variables = fakeClaude(
    home,
    `{ printf '%s\\n' "$@"; echo ---; cat; echo; pwd; env; } > "$MEMO_HOME/seen"; echo '${RESULT}'`,
  );
  const context = contextOf(home, {
    ...variables,
    CLAUDECODE: "1",
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_CODE_OAUTH_TOKEN: "kept",
    DISABLE_TELEMETRY: "0",
  });
  assert.deepEqual(await complete(QUESTION, context), {
    text: '{"picks":["a.md"]}',
    json: { picks: ["a.md"] },
    model: "claude-haiku-5-5",
    inputTokens: 100,
    outputTokens: 7,
    costUsd: 0.002,
  });
  const [args, rest] = readFileSync(join(home.memoHome, "seen"), "utf8").split("---\n");
  assert.deepEqual(args!.trimEnd().split("\n"), [
    ...["-p", "--safe-mode", "--no-session-persistence", "--tools", "", "--effort", "low"],
    ...["--system-prompt", "You pick.", "--model", "claude-haiku-5-5", "--output-format", "json"],
    ...["--json-schema", JSON.stringify(QUESTION.schema)],
  ]);
  const [prompt, cwd, ...env] = rest!.trimEnd().split("\n");
  assert.deepEqual([prompt, cwd], ["Which ones?", home.memoHome]);
  const expected = [
    ...["CLAUDE_HEADLESS=1", "MEMO_CHILD=1", "CLAUDE_CODE_OAUTH_TOKEN=kept"],
    "CLAUDE_CODE_MAX_RETRIES=0",
    ...["DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1"],
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
  ];
  for (const line of expected) assert.ok(env.includes(line), line);
  assert.ok(env.includes(`CLAUDE_CONFIG_DIR=${home.claude}`));
  assert.ok(!env.some((line) => /^CLAUDECODE=|CHILD_SESSION/.test(line)));
});

// Ways in which claude gives no answer, and what the error says.
for (const [what, script = "", message = ""] of readRows("llm/failures.tsv")) {
  Deno.test(`claude: ${what} is no answer`, async () => {
    await using home = makeHome();
    const context = contextOf(home, fakeClaude(home, script));
    const asking = askModel(QUESTION, context);
    await assert.rejects(asking, { kind: "llm", message: new RegExp(message) });
    await asking.catch((error) =>
      assert.equal(error instanceof LoginRefused, what === "not logged in")
    );
  });
}

Deno.test("claude that is slow is ended when time is over, with all that it has started", async () => {
  await using home = makeHome();
  const script = `sleep 300 & echo $! > "$MEMO_HOME/pids"; echo $$ >> "$MEMO_HOME/pids"; wait`;
  const context = { ...contextOf(home, fakeClaude(home, script)), timeoutMs: 500 };
  await assert.rejects(askModel(QUESTION, context), { kind: "timeout" });
  assert.equal(readSpending(context.paths.spending)[0]!.outcome, "timed out");
  const pids = readFileSync(join(home.memoHome, "pids"), "utf8").trim().split("\n").map(Number);
  assert.equal(pids.length, 2);
  await until("both have ended", () => !pids.some(isAlive));
});

Deno.test("claude is found on the search path, once, and what is named must be there", async () => {
  await using home = makeHome();
  assert.equal(findClaude(contextOf(home, { PATH: "/nowhere" })), undefined);
  const { MEMO_LLM_CLAUDE_PATH: path } = fakeClaude(home, "exit 0");
  const PATH = `/nowhere:${home.root}`;
  const ofSession = contextOf(home, { PATH, CLAUDECODE: "1" });
  assert.equal(findClaude(ofSession), undefined, "a project can set a session's search path");
  assert.equal(findClaude(contextOf(home, { PATH })), path);
  assert.equal(findClaude(ofSession), path, "what a person's own terminal has found");
  assert.equal(findClaude(contextOf(home, { PATH: "/nowhere" })), path, "it is known from then on");
  const login = contextOf(home, { CLAUDE_CONFIG_DIR: join(home.project, ".claude") });
  const inProject = { ...login, cwd: home.project };
  assert.equal(findClaude(inProject), undefined, "no login that lies in the project");
  const missing = contextOf(home, {
    MEMO_LLM_PROVIDER: "claude",
    MEMO_LLM_CLAUDE_PATH: "/nowhere/claude",
  });
  await assert.rejects(askModel(QUESTION, missing), /`\/nowhere\/claude` is not an executable$/);
});

for (const place of [[".local", "bin"], [".claude", "local"]]) {
  Deno.test(`claude is found in ~/${place.join("/")}, where an alias leads, but not if that is a project`, async () => {
    await using home = makeHome();
    const folder = join(home.root, ...place);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "claude"), "#!/bin/sh\n", { mode: 0o755 });
    const context = contextOf(home, { PATH: "/nowhere" });
    mkdirSync(join(folder, ".git"));
    assert.equal(findClaude({ ...context, cwd: folder }), undefined);
    assert.equal(findClaude({ ...context, cwd: home.project }), join(folder, "claude"));
    // What the search path has comes first.
    rmSync(context.paths.claudeFound);
    const { MEMO_LLM_CLAUDE_PATH: path } = fakeClaude(home, "exit 0");
    assert.equal(findClaude(contextOf(home, { PATH: home.root })), path);
  });
}

Deno.test("claude is never run from a project, from node_modules, or from where others can write", async () => {
  await using home = makeHome();
  const at = (...parts: string[]) => {
    const folder = join(home.root, ...parts);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "claude"), "#!/bin/sh\n", { mode: 0o755 });
    return folder;
  };
  const open = at("open");
  chmodSync(open, 0o777);
  const folders = [at("project", "bin"), at("other", "node_modules", ".bin"), open, "."];
  const find = (cwd: string) => {
    rmSync(join(home.memoHome, "claude"), { force: true });
    return findClaude({ ...contextOf(home, { PATH: folders.join(":") }), cwd });
  };
  mkdirSync(join(home.project, ".git"));
  assert.equal(find(join(home.project, "src")), undefined);
  const usual = at("bin");
  folders.push(usual);
  assert.equal(find(home.project), join(usual, "claude"));
  mkdirSync(join(home.root, ".git")); // somebody keeps their dot files in git
  rmSync(join(home.project, ".git"), { recursive: true });
  folders.shift();
  assert.equal(find(home.project), join(usual, "claude"));
  if (process.getuid?.() === 0) chownSync(usual, 65534, 65534);
  else folders.pop();
  assert.equal(find(home.project), undefined, "a folder of another user's");
});

const KEY = { ANTHROPIC_API_KEY: "sk-ant-loopback" };

/** What the real claude is asked with in a home. */
async function realClaude(home: Home, url: string, variables: Record<string, string>) {
  const own = { MEMO_LLM_PROVIDER: "claude", MEMO_LLM_CLAUDE_PATH: await claudeExecutable() };
  return contextOf(home, { ...own, ANTHROPIC_BASE_URL: url, ...variables });
}

Deno.test("the real claude says without a question whether it is logged in", async () => {
  await using home = makeHome();
  const found = async (variables = {}) =>
    await check(await realClaude(home, "http://127.0.0.1:1", variables));
  await assert.rejects(found(), { kind: "llm", message: "`claude` is not logged in" });
  assert.equal(await found(KEY), "logged in");
});

Deno.test("the real claude answers a question, and leaves neither transcript nor telemetry", async () => {
  await using home = makeHome();
  await using api = await serveMessagesApi(() => [
    { type: "tool_use", name: "StructuredOutput", input: { picks: ["a.md"] } },
  ]);
  const context = await realClaude(home, api.url, KEY);
  const { json, model, costUsd } = await complete(QUESTION, context);
  assert.deepEqual([json, model], [{ picks: ["a.md"] }, "claude-haiku-5-5"]);
  assert.ok(costUsd! > 0);
  assert.equal(textOf(api.requests[0]!, "user"), "Which ones?");
  assert.equal(existsSync(join(home.claude, "projects")), false);
  assert.equal(existsSync(join(home.claude, "telemetry")), false, "nor what it could not send");
});

Deno.test("the real claude is not waited for where the server has no time: it says so, and is asked again later", async () => {
  await using home = makeHome();
  await using server = await serveLoopback((_, response) => {
    const error = { type: "error", error: { type: "rate_limit_error", message: "Slow down." } };
    sendJson(response, 429, error, { "retry-after": "30" });
  });
  const context = await realClaude(home, server.url, KEY);
  await assert.rejects(complete(QUESTION, context), { kind: "llm", message: /did not answer: / });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "); // ended, and not yet fetched
  } catch {
    return false;
  }
}
