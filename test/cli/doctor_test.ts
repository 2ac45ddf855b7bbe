import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { enqueue, putOff, readJobs } from "../../src/core/capture/queue.ts";
import { CHECKS } from "../../src/surfaces/cli/doctor.ts";
import { raiseHint, readSpending, writeSpending } from "../../src/core/llm/mod.ts";
import { type Receipt, writeReceipt } from "../../src/core/recall/receipts.ts";
import { pathsFor } from "../../src/paths.ts";
import { blockName } from "../../src/core/text/block.ts";
import { fakeClaude } from "../llm/support.ts";
import { fakeClient } from "../support/claude.ts";
import { type Home, makeHome, MEMO, runMemo, settle, succeed } from "../support/home.ts";
import { sendJson, serveLoopback } from "../support/loopback.ts";

interface Finding {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  readonly fix?: string;
}

/** What the doctor finds in a home, by check, and how it ends. */
async function examine(
  home: Home,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<{ code: number | null; found: (name: string) => Finding }> {
  const patient = { ...home, env: { ...home.env, PATH: "/usr/bin:/bin", ...settle(home, env) } };
  const { code, stdout, stderr } = await runMemo(patient, ["doctor", "--json", ...args]);
  assert.equal(stderr, "");
  const findings: Finding[] = JSON.parse(stdout);
  assert.deepEqual(findings.map(({ name }) => name), CHECKS.map(({ name }) => name));
  for (const finding of findings) {
    if (finding.status !== "ok") assert.ok(finding.fix, `${finding.name} says what to do next`);
  }
  return { code, found: (name) => findings.find((finding) => finding.name === name)! };
}

Deno.test("memo doctor counts memories that a later one contradicts, and not those that both hold", async () => {
  await using home = makeHome();
  const note = (file: string, text: string, day: string) =>
    home.write(
      file,
      `---\nname: ${text}\ndescription: ""\ntype: decision\nupdated: ${day}\n---\n${text}\n`,
    );
  note("a.md", "Tokens expire after 24 hours", "2026-05-01");
  note("b.md", "Cookies expire after 7 days", "2026-06-01");
  assert.equal((await examine(home)).found("contradictions").status, "ok");
  note("c.md", "Tokens expire after 30 minutes", "2026-06-01");
  const { status, detail, fix } = (await examine(home)).found("contradictions");
  assert.equal(status, "warn");
  assert.match(detail, /^1 memory .*24 hours” from 2026-05-01, later “Tokens expire after 30/);
  assert.match(fix!, /memo forget/);
});

Deno.test("memo doctor counts memories that a model has said to be contradicted, in whatever words", async () => {
  await using home = makeHome();
  const note = (file: string, text: string, more = "") =>
    home.write(file, `---\nname: ${text}\ntype: decision\n${more}---\n${text}\n`);
  note("a.md", "Payments sign the release", "updated: 2026-05-01\n");
  note("b.md", "Ask Ines first", "updated: 2026-06-01\ntags: [contradicts:a.md]\n");
  const { status, detail } = (await examine(home)).found("contradictions");
  assert.equal(status, "warn");
  assert.match(detail, /^1 memory .*Payments sign the release” .*later “Ask Ines first”/);
});

Deno.test("memo doctor finds nothing wrong where memo is installed", async () => {
  await using home = makeHome({}, { hasModel: true });
  home.write("a.md", "---\nname: A\ndescription: A\ntype: tool\n---\nUse pnpm.\n");
  for (const args of [["init"], ["index"]]) await succeed(home, args);
  const patient = {
    ...home,
    env: { ...home.env, PATH: "/usr/bin:/bin", MEMO_CAPTURE_ENABLED: "false" },
  };
  const { code, stdout } = await runMemo(patient, ["doctor"]);
  assert.equal(code, 0, stdout);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, CHECKS.length);
  for (const line of lines) assert.match(line, /^ok /);
  assert.match(stdout, /embedding model +`builtin\/[\w.-]+@.*`, 384 dimensions\n/);
  assert.match(stdout, /index +1 memory, /);
});

Deno.test("memo doctor fails where the hooks are missing, and names the command that adds them", async () => {
  await using home = makeHome();
  const { code, found } = await examine(home);
  assert.equal(code, 1);
  assert.deepEqual(found("hooks"), {
    name: "hooks",
    status: "fail",
    detail: "Claude Code's settings have no hooks of memo's",
    fix: "Run `memo init`",
  });
});

Deno.test("memo doctor knows this memo in hooks that a person wrote, and another one in others", async () => {
  await using home = makeHome();
  await succeed(home, ["init"]);
  const file = join(home.claude, "settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  const hooks = [{ type: "command", command: "memo hook" }];
  for (const [i, event] of Object.keys(settings.hooks).entries()) {
    settings.hooks[event] =
      [[{ hooks }], [{ matcher: "", hooks }], [{ matcher: "*", hooks }]][i % 3];
  }
  writeFileSync(file, JSON.stringify(settings));
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  assert.equal(
    (await examine(home, { PATH: `${bin}:/usr/bin:/bin` })).found("hooks").status,
    "fail",
  );
  symlinkSync(MEMO, join(bin, "memo"));
  const { status, detail } = (await examine(home, { PATH: `${bin}:/usr/bin:/bin` })).found("hooks");
  assert.deepEqual([status, /written by hand/.test(detail)], ["ok", true]);
  delete settings.hooks.SubagentStart;
  writeFileSync(file, JSON.stringify(settings));
  const some = (await examine(home, { PATH: `${bin}:/usr/bin:/bin` })).found("hooks");
  assert.deepEqual([some.status, some.fix], ["warn", "Run `memo init` to add them"]);
  assert.match(some.detail, /written by hand, without `SubagentStart`$/);
  settings.hooks.PreToolUse = [{ matcher: "Read", hooks }];
  writeFileSync(file, JSON.stringify(settings));
  const narrow = (await examine(home, { PATH: `${bin}:/usr/bin:/bin` })).found("hooks");
  assert.equal(narrow.status, "fail");
});

Deno.test("memo doctor says that Codex waits for the trust of memo's hooks, by a session that left no receipt", async () => {
  await using home = makeHome();
  await succeed(home, ["init", "--agent", "codex"]);
  const { found } = await examine(home);
  assert.equal(found("agents").detail, "Codex CLI");
  assert.equal(found("hooks").status, "ok", "Claude Code need not have them");
  assert.equal(found("hooks").detail, "not in Claude Code, only in Codex CLI");
  const day = join(home.root, ".codex", "sessions", "2026", "11", "23");
  mkdirSync(day, { recursive: true });
  const session = (id: string, meta: object) => {
    const path = join(day, `rollout-2026-11-23T16-08-59-${id}.jsonl`);
    writeFileSync(path, JSON.stringify({ type: "session_meta", payload: { id, ...meta } }) + "\n");
    utimesSync(path, new Date(), new Date(Date.now() + 60_000));
  };
  session("01a2092a-f6ce", { thread_source: "subagent" });
  assert.equal((await examine(home)).found("agents").status, "ok", "a subagent has no prompt");
  session("01a2092a-f3b0", { thread_source: "user" });
  const { status, fix } = (await examine(home)).found("agents");
  assert.equal(status, "warn");
  assert.match(fix!, /type \/hooks/);
  writeReceipt(pathsFor(home.env).receipts, {
    at: "2026-11-23T16:09:00Z",
    session: "01a2092a-f3b0",
    outcome: "no hit",
  } as Receipt);
  assert.equal((await examine(home)).found("agents").status, "ok");
});

Deno.test("memo doctor knows which hooks a strategy needs that asks a language model", async () => {
  await using home = makeHome();
  const current = fakeClient(home, "2.1.329");
  const path = { PATH: current.env["PATH"]! };
  await runMemo(current, ["init"]);
  await runMemo(current, ["config", "set", "strategy.feedback=sidequery"]);
  assert.equal((await examine(home, path)).found("hooks").status, "ok");
  // Set by hand, behind memo's back.
  writeFileSync(join(home.memoHome, "config.yaml"), "");
  const { status, detail, fix } = (await examine(home, path)).found("hooks");
  assert.equal(status, "fail");
  assert.match(detail, /`PostToolBatch` is not needed/);
  assert.match(fix!, /memo init/);
});

Deno.test("memo doctor fails where hooks are switched off, or settings are no strict JSON", async () => {
  await using home = makeHome();
  await succeed(home, ["init"]);
  const path = join(home.claude, "settings.json");
  const installed = Deno.readTextFileSync(path);
  writeFileSync(path, installed.replace("{", '{ "disableAllHooks": true,'));
  const off = await examine(home);
  assert.equal(off.code, 1);
  assert.match(off.found("Claude Code settings").detail, /`disableAllHooks`/);
  writeFileSync(path, installed.replace("{", "{ // mine"));
  const broken = await examine(home);
  assert.equal(broken.found("Claude Code settings").status, "fail");
  assert.match(broken.found("Claude Code settings").detail, /settings\.json/);
});

Deno.test("memo doctor says where Claude Code's auto memory is, and that a project cannot move it", async () => {
  await using home = makeHome();
  const settings = (path: string, values: unknown) => home.write(path, JSON.stringify(values));
  settings(".claude/settings.json", { autoMemoryDirectory: "~/notes" });
  assert.equal((await examine(home)).found("auto memory").detail, "`~/notes`");
  settings(".claude/settings.json", { autoMemoryDirectory: "~/notes", autoMemoryEnabled: false });
  assert.match((await examine(home)).found("auto memory").detail, /^off \(`autoMemoryEnabled`\)/);
  home.write("notes/db.md", "---\nname: The database\ntype: project\n---\nIt is Postgres.\n");
  assert.match(
    (await examine(home)).found("auto memory").detail,
    /1 memory in `~\/notes` not recalled; `memo import auto-memory` copies them/,
  );
  const { stderr } = await runMemo(home, ["list"]);
  assert.match(
    stderr,
    /1 memory of Claude Code's in `~\/notes` left out: `autoMemoryEnabled` is off/,
  );
  settings("project/.claude/settings.local.json", { autoMemoryDirectory: "/elsewhere" });
  const { status, detail } = (await examine(home)).found("auto memory");
  assert.equal(status, "warn");
  assert.match(detail, /settings\.local\.json` sets `autoMemoryDirectory`/);
});

Deno.test("memo doctor tells a folder open to others, settings not in force, and unsound memories", async () => {
  await using home = makeHome();
  chmodSync(home.memoHome, 0o755);
  home.write("state/config.yaml", "recall:\n  min_charz: 5\n");
  home.write("broken.md", "---\nname: a: b\n---\nText.\n");
  home.write("MEMORY.md", "# Mine\n");
  const { found } = await examine(home);
  assert.match(found("state folder").detail, /mode 755/);
  assert.match(found("state folder").fix!, /^Run `chmod 700 /);
  assert.match(found("settings").detail, /min_charz/);
  assert.match(found("memory files").detail, /broken\.md` \(Front matter is not YAML/);
  home.write("broken.md", "---\nname: b\ndescription: b\ntype: tool\n---\nText.\n");
  const mended = (await examine(home)).found("memory files");
  assert.match(mended.detail, /`.*MEMORY\.md` was not written by memo/);
});

Deno.test("memo doctor fails where the embedding model is missing", async () => {
  await using home = makeHome();
  home.write("state/config.yaml", "model: /some-model\n");
  const { code, found } = await examine(home);
  assert.equal(code, 1);
  assert.equal(found("embedding model").status, "fail");
  assert.match(found("embedding model").detail, /some-model/);
  assert.match(found("embedding model").fix!, /^Run `memo config set model=/);
});

Deno.test("memo doctor says a cause once, with all that fails by it", async () => {
  await using home = makeHome();
  writeFileSync(join(home.root, "file"), "");
  const env = { ...home.env, MEMO_HOME: join(home.root, "file", "memo") };
  const { stdout } = await runMemo({ ...home, env }, ["doctor", "--offline"]);
  assert.equal(stdout.match(/Cannot open the index/g)?.length, 1, stdout);
  assert.match(stdout, /^FAIL +embedding model .*\(also: index, memory files, code\)\. /m);
});

Deno.test("memo doctor asks the server whether the model of the settings is there, unless offline", async () => {
  await using home = makeHome();
  await using server = await serveLoopback(({ path }, response) =>
    path === "/v1/models/claude-haiku-5-5"
      ? sendJson(response, 200, { id: "claude-haiku-5-5" })
      : sendJson(response, 404, { error: { message: "model: claude-1" } })
  );
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
  const model = async (variables: object, ...args: string[]) =>
    (await examine(home, { ...env, ...variables }, args)).found("language model");
  assert.deepEqual(await model({}), {
    name: "language model",
    status: "ok",
    detail: "`anthropic`, model `claude-haiku-5-5`, available on the server",
  });
  const retired = await model({ MEMO_LLM_MODEL: "claude-1" });
  assert.equal(retired.status, "warn");
  assert.match(retired.detail, /has no model `claude-1`/);
  assert.match(retired.fix!, /memo config set llm\.model/);
  assert.equal(server.received.length, 2);
  assert.equal((await model({ MEMO_LLM_MODEL: "claude-1" }, "--offline")).status, "ok");
  assert.equal(server.received.length, 2);
});

Deno.test("memo doctor contacts nobody and runs no program before a yes, nor after Off", async () => {
  await using home = makeHome({}, { mayBeSent: false });
  await using server = await serveLoopback((_, response) => sendJson(response, 200, {}));
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
  const config = join(home.memoHome, "config.yaml");
  for (
    const [answer, sent] of [["", "nothing is sent until you say yes"], [
      "send: off\n",
      "nothing (",
    ]]
  ) {
    const own = fakeClaude(home, 'touch "$MEMO_HOME/ran"');
    writeFileSync(config, answer + readFileSync(config, "utf8").replace(/^send:.*\n/m, ""));
    for (const variables of [env, { ...env, MEMO_LLM_PROVIDER: own["MEMO_LLM_PROVIDER"]! }]) {
      const { found } = await examine(home, variables, ["--deep"]);
      assert.equal(found("language model").status, "ok");
      assert.ok(found("sent").detail.startsWith(sent!), found("sent").detail);
    }
  }
  assert.equal(server.received.length, 0);
  assert.equal(existsSync(join(home.memoHome, "ran")), false);
});

Deno.test("memo doctor names the server that a variable names and no setting allows, and the setting", async () => {
  await using home = makeHome();
  const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "https://gw.example/v1" };
  const { found } = await examine(home, env);
  for (const name of ["sent", "language model"]) {
    assert.equal(found(name).status, "warn");
    assert.match(
      found(name).detail,
      /names `gw\.example`; to allow it: `memo config set llm\.hosts=.*,gw\.example`$/,
    );
  }
});

Deno.test("memo doctor says one thing about a day's calls that are used up", async () => {
  await using home = makeHome();
  const queue = join(home.memoHome, "capture");
  const job = (message: string, hint: string) => {
    enqueue(
      queue,
      { transcript: "/t/a.jsonl", cwd: "/", claude: home.claude, isOver: true },
      new Date(),
    );
    putOff(queue, readJobs(queue)[0]!, { message, hint }, new Date());
  };
  for (const key of ["capture.session_calls", "llm.daily_calls"]) {
    job("used up", raiseHint(key));
    const { detail, fix } = (await examine(home)).found("capture");
    assert.doesNotMatch(detail, /next try/);
    assert.equal(fix, `It goes on tomorrow; to go on now, run \`memo config set ${key} NUMBER\``);
  }
  job("no answer", "Check `ANTHROPIC_API_KEY`, then run `memo doctor`");
  const { detail, fix } = (await examine(home)).found("capture");
  assert.match(detail, /next try at/);
  assert.match(fix!, /^Run `memo import conversations/);
});

Deno.test("memo doctor warns where prompts do without the language model that was set", async () => {
  await using home = makeHome();
  const path = join(home.memoHome, "receipts.jsonl");
  const why = "sidequery: The language model's answer is not JSON: `Sorry`";
  for (const failed of [true, false, true]) {
    const at = new Date().toISOString();
    const rest = { outcome: "hit", memories: [], chars: 0, ms: {}, ...failed && { why } } as const;
    writeReceipt(path, { at, ...rest });
  }
  const { status, detail } = (await examine(home)).found("prompts");
  assert.equal(status, "warn");
  assert.equal(detail, `last 3: 3 hit; 2 without the language model, at last: ${why}`);
});

Deno.test("memo doctor names a `claude` that is not logged in, or does not start, and asks only if told to", async () => {
  await using home = makeHome();
  const model = async (script: string, ...args: string[]) => {
    const asked = `printf '%s ' "$@" >> "$MEMO_HOME/asked"; `;
    return (await examine(home, fakeClaude(home, asked + script), args)).found("language model");
  };
  const knows = (loggedIn: boolean, more = "") =>
    `case "$*" in *--help) echo "Usage: claude auth status";; *status) echo '{"loggedIn":${loggedIn}}';; ${more} esac`;
  const old = `[ "$*" = "auth status" ] && touch "$MEMO_HOME/paid"; echo "Usage: claude [prompt]"`;
  const detail = "`claude`, model `claude-haiku-5-5`";

  const out = await model(knows(false));
  assert.deepEqual([out.status, out.detail, out.fix], [
    ...["warn", `${detail}: \`claude\` is not logged in`, "Run `claude auth login`"],
  ]);
  assert.equal((await model(knows(true))).detail, `${detail}, logged in`);
  const broken = await model("echo 'claude: native binary not installed' >&2; exit 1");
  assert.equal(broken.status, "warn");
  assert.match(broken.detail, /does not start: claude: native binary not installed$/);
  assert.equal((await model(old)).detail, `${detail}, login not checked`);
  assert.equal((await model("exit 1", "--offline")).detail, `${detail}, not checked`);
  const asked = () => readFileSync(join(home.memoHome, "asked"), "utf8");
  assert.doesNotMatch(asked(), /-p /);
  assert.equal(existsSync(join(home.memoHome, "paid")), false);

  const answers = `-p*) echo '{"result":"yes","usage":{}}';;`;
  assert.match((await model(knows(true, answers), "--deep")).detail, /, answered in \d+ ms$/);
  const silent = await model(knows(true, "-p*) exit 3;;"), "--deep");
  assert.match(silent.detail, /exited with 3: nothing$/);
  assert.deepEqual(
    readSpending(join(home.memoHome, "spending.jsonl")).map((
      { purpose, outcome },
    ) => [purpose, outcome]),
    [["doctor", "ok"], ["doctor", "failed"]],
  );
});

Deno.test("memo doctor knows of sessions that have a login where the shell has none", async () => {
  await using home = makeHome();
  const before = (await examine(home)).found("language model");
  assert.match(before.detail, /^not available here: .*capture writes no memories/);
  writeSpending(join(home.memoHome, "spending.jsonl"), {
    ...{ at: new Date().toISOString(), purpose: "extract", provider: "anthropic" },
    ...{ model: "claude-haiku-5-5", input: 1, output: 1, ms: 1, outcome: "ok", redacted: 0 },
  });
  const { status, detail } = (await examine(home)).found("language model");
  assert.equal(status, "ok");
  assert.match(detail, /^not in this shell \(.*\), but in sessions: `claude-haiku-5-5` answered/);
  const off = (await examine(home, { MEMO_LLM_PROVIDER: "none" })).found("language model");
  assert.match(off.detail, /capture writes no memories/);
});

Deno.test("memo doctor says what to do about a key file that cannot be read", async () => {
  await using home = makeHome();
  await using server = await serveLoopback((_, response) => sendJson(response, 404, {}));
  const env = { MEMO_LLM_BASE_URL: server.url };
  const finding = async (variables: object) =>
    (await examine(home, { ...env, ...variables }, [])).found("language model");
  const bare = await finding({});
  assert.deepEqual([bare.status, bare.fix], ["ok", undefined]);
  assert.match(bare.detail, /the server lists no models$/);
  const unreadable = await finding({ MEMO_LLM_KEY_FILE: join(home.root, "none") });
  assert.match(unreadable.detail, /Cannot read the API key/);
  assert.match(unreadable.fix!, /memo config set llm\.key_file/);
});

Deno.test("a server that is not there, and a type that asks nobody, are warnings", async () => {
  await using home = makeHome();
  const server = await serveLoopback(() => {});
  await server[Symbol.asyncDispose]();
  const away = await examine(home, { MEMO_LLM_BASE_URL: server.url });
  assert.equal(away.found("language model").status, "warn");
  assert.match(away.found("language model").detail, /Cannot reach `http:/);
  const nobody = await examine(home, { MEMO_STRATEGY_FEEDBACK: "sidequery" });
  assert.match(
    nobody.found("language model").detail,
    /^not available here: .*capture writes no memories, `feedback` are ranked locally$/,
  );
});

Deno.test("memo doctor says what goes without a language model, and calls only a choice ok", async () => {
  await using home = makeHome();
  const model = async (variables: Record<string, string>) => {
    const { status, detail } = (await examine(home, variables)).found("language model");
    return [status, detail];
  };
  assert.deepEqual(await model({}), [
    "warn",
    "not available here: neither an API key nor `claude` is available; capture writes no memories",
  ]);
  assert.deepEqual(await model({ MEMO_LLM_PROVIDER: "none" }), [
    "ok",
    "off (`llm.provider` is `none`): capture writes no memories",
  ]);
  assert.deepEqual(await model({ MEMO_CAPTURE_ENABLED: "false" }), [
    "ok",
    "none, and nothing needs one",
  ]);
});

Deno.test("memo doctor tells blocks that did not reach the model, and a day's money that is spent", async () => {
  await using home = makeHome();
  const at = "2026-11-21T07:00:00.000Z";
  const transcript = home.write(
    "project/session.jsonl",
    '{"type":"assistant","timestamp":"2026-11-21T07:00:05.000Z","message":{}}\n',
  );
  const path = join(home.memoHome, "receipts.jsonl");
  const lost = { block: blockName("lost"), transcript, memories: [], chars: 4, ms: {} };
  writeReceipt(path, { at, outcome: "hit", ...lost });
  for (let i = 0; i < 3; i++) {
    writeReceipt(path, { at, outcome: "failed", memories: [], chars: 0, ms: {} });
  }
  writeSpending(join(home.memoHome, "spending.jsonl"), {
    ...{ at: new Date().toISOString(), purpose: "test", provider: "claude", model: "m" },
    ...{ input: 1, output: 1, usd: 1.5, ms: 1, outcome: "ok", redacted: 0 },
  });
  const { code, found } = await examine(home);
  assert.equal(code, 1);
  assert.equal(found("delivery").status, "fail");
  assert.equal(found("delivery").detail, "0 of 1 block reached the model");
  assert.equal(found("prompts").status, "warn");
  assert.equal(found("prompts").detail, "last 4: 3 failed, 1 hit");
  assert.equal(found("spending").detail, "1 of 200 calls and $1.50 of $1 today: limit reached");
});
