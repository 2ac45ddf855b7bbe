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
import { Index } from "../../src/core/index/mod.ts";
import { CHECKS } from "../../src/surfaces/cli/doctor.ts";
import { raiseHint, readSpending, writeSpending } from "../../src/core/llm/mod.ts";
import { type Receipt, writeReceipt } from "../../src/core/recall/receipts.ts";
import { blockName } from "../../src/core/text/block.ts";
import { fakeClaude } from "../llm/support.ts";
import { fakeClient } from "../support/claude.ts";
import { type Home, makeHome, MEMO, runMemo, settle, succeed, trustIn } from "../support/home.ts";
import { makeOlder, memoryFile } from "../support/index.ts";
import { sendJson, serveLoopback } from "../support/loopback.ts";

interface Finding {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  readonly fix?: string;
}

type Variables = Readonly<Record<string, string>>;

/** What the doctor finds in a home, by check, and how it ends. */
async function examine(
  home: Home,
  env: Variables = {},
  args: readonly string[] = [],
): Promise<{ code: number | null; found: (name: string) => Finding }> {
  const patient = { ...home, env: { ...home.env, PATH: "/usr/bin:/bin", ...settle(home, env) } };
  const { code, stdout, stderr } = await runMemo(patient, ["doctor", "--json", ...args]);
  assert.equal(stderr, "");
  const findings: Finding[] = JSON.parse(stdout);
  assert.deepEqual(findings.map(({ name }) => name), Object.keys(CHECKS));
  for (const { name, status, fix } of findings) {
    if (status !== "ok") assert.ok(fix, `${name} says what to do next`);
  }
  assert.equal(code, findings.some(({ status }) => status === "fail") ? 1 : 0);
  return { code, found: (name) => findings.find((finding) => finding.name === name)! };
}

/** Examines a home, and compares a check's findings: its status, its detail, and perhaps its fix. */
async function expect(
  home: Home,
  finds: Readonly<Record<string, readonly [Finding["status"], RegExp?, RegExp?]>>,
  env: Variables = {},
  ...args: readonly string[]
): Promise<void> {
  const { found } = await examine(home, env, args);
  for (const [name, [status, detail = /^/, fix = /^/]] of Object.entries(finds)) {
    const finding = found(name);
    assert.equal(finding.status, status, `${name}: ${finding.detail}`);
    assert.match(finding.detail, detail);
    assert.match(finding.fix ?? "", fix);
  }
}

const receipt = (home: Home, fields: Partial<Receipt>) =>
  writeReceipt(join(home.memoHome, "receipts.jsonl"), {
    ...{ at: new Date().toISOString(), outcome: "hit", memories: [], chars: 0, ms: {} },
    ...fields,
  });

const spend = (home: Home, usd: number) =>
  writeSpending(join(home.memoHome, "spending.jsonl"), {
    ...{ at: new Date().toISOString(), purpose: "extract", provider: "anthropic", usd },
    ...{ model: "claude-haiku-5-5", input: 1, output: 1, ms: 1, outcome: "ok", redacted: 0 },
  });

const note = (home: Home, file: string, text: string, more: string) =>
  home.write(file, `---\nname: ${text}\ntype: decision\n${more}\n---\n${text}\n`);

const NO_MODEL =
  /^not available here: neither an API key nor `claude` .*capture writes no memories$/;

/** What a home has, what the doctor is run with, and what it finds. */
const ROWS: readonly {
  readonly about: string;
  readonly prepare?: (home: Home) => unknown;
  readonly env?: Variables;
  readonly finds: Parameters<typeof expect>[1];
}[] = [
  {
    about: "nothing installed, and no language model",
    finds: {
      hooks: ["fail", /hooks are not in Claude Code's settings$/, /^Run `memo init`$/],
      "language model": ["warn", NO_MODEL],
    },
  },
  {
    about: "a folder open to others, an unknown setting, an unsound memory, a MEMORY.md",
    prepare(home) {
      chmodSync(home.memoHome, 0o755);
      home.write("state/config.yaml", "recall:\n  min_charz: 5\n");
      home.write("broken.md", "---\nname: a: b\n---\nText.\n");
    },
    finds: {
      "state folder": ["warn", /mode 755/, /^Run `chmod 700 /],
      settings: ["warn", /min_charz/, /memo config edit/],
      "memory files": ["warn", /broken\.md` \(Front matter is not YAML/],
    },
  },
  {
    about: "a MEMORY.md of somebody else's",
    prepare: (home) => home.write("MEMORY.md", "# Mine\n"),
    finds: { "memory files": ["warn", /`.*MEMORY\.md` was not written by memo/] },
  },
  {
    about: "a project's setting that could not be applied, which no `config edit` mends",
    prepare: (home) =>
      trustIn(home, home.write("project/.claude/memo.yaml", "llm.base_url: http://a.com\n")),
    finds: { settings: ["warn", /memo\.yaml` line 1: /, /^Fix the file or variable/] },
  },
  {
    about: "a model that is not there",
    prepare: (home) => home.write("state/config.yaml", "model: /some-model\n"),
    finds: { "embedding model": ["fail", /some-model/, /^Run `memo config set model=/] },
  },
  {
    about: "memories of another project, still as an older memo read them",
    async prepare(home) {
      const path = join(home.memoHome, "index.db"), index = await Index.open(path);
      const folder = await index.files.enter({ scope: "project", path: "/elsewhere/memory" });
      const file = memoryFile({ path: "/elsewhere/memory/a.md" });
      await index.put(folder, [{ file, hash: "h" }]);
      index.close();
      await makeOlder(path);
    },
    finds: {
      index: ["warn", /^1 memory \(1 as before the upgrade, until their project is used\), /],
    },
  },
  {
    about: "auto memory that is turned off",
    prepare: (home) =>
      home.write(
        ".claude/settings.json",
        JSON.stringify({ autoMemoryDirectory: "~/notes", autoMemoryEnabled: false }),
      ),
    finds: { "auto memory": ["ok", /^off \(`autoMemoryEnabled`\).* `~\/notes`$/] },
  },
  {
    about: "auto memory that a project would move",
    prepare: (home) =>
      home.write("project/.claude/settings.local.json", '{"autoMemoryDirectory":"/elsewhere"}'),
    finds: { "auto memory": ["warn", /settings\.local\.json` sets `autoMemoryDirectory`/] },
  },
  {
    about: "a server that a variable names and no setting allows",
    env: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "https://gw.example/v1" },
    finds: {
      sent: ["warn", /points to `gw\.example`; to allow it: `memo config set llm\.hosts=/],
      "language model": ["warn", /points to `gw\.example`; .*,gw\.example`$/],
    },
  },
  {
    about: "no language model, by choice",
    env: { MEMO_LLM_PROVIDER: "none" },
    finds: { "language model": ["ok", /^off \(`llm\.provider` .*: capture writes no memories$/] },
  },
  {
    about: "no language model, and nothing that needs one",
    env: { MEMO_CAPTURE_ENABLED: "false" },
    finds: { "language model": ["ok", /^none, and nothing needs one$/] },
  },
  {
    about: "a type whose strategy needs a language model",
    env: { MEMO_STRATEGY_FEEDBACK: "sidequery" },
    finds: { "language model": ["warn", /no memories, `feedback` are ranked locally$/] },
  },
  {
    about: "a login that only sessions have",
    prepare: (home) => spend(home, 0),
    finds: {
      "language model": ["ok", /^not available in this shell .* `claude-haiku-5-5` answered/],
    },
  },
  {
    about: "a server that is not there",
    env: { MEMO_LLM_BASE_URL: "http://127.0.0.1:1" },
    finds: { "language model": ["warn", /Cannot reach `http:/] },
  },
  {
    about: "a key file that cannot be read",
    env: { MEMO_LLM_BASE_URL: "http://127.0.0.1:1", MEMO_LLM_KEY_FILE: "/none" },
    finds: {
      "language model": ["warn", /Cannot read the API key/, /memo config set llm\.key_file/],
    },
  },
  {
    about: "prompts that do without the language model that was set",
    prepare(home) {
      const why = "sidequery: The language model's answer is not JSON: `Sorry`";
      for (const failed of [true, false, true]) receipt(home, failed ? { why } : {});
    },
    finds: {
      prompts: ["warn", /^last 3: 3 hit; 2 without the language model, most recently: side/],
    },
  },
  {
    about: "blocks that did not reach the model, failed prompts, and a day's money that is spent",
    prepare(home) {
      const at = "2026-11-21T07:00:00.000Z";
      const transcript = home.write(
        "project/session.jsonl",
        '{"type":"assistant","timestamp":"2026-11-21T07:00:05.000Z","message":{}}\n',
      );
      receipt(home, { at, block: blockName("lost"), transcript, chars: 4 });
      for (let i = 0; i < 3; i++) receipt(home, { at, outcome: "failed" });
      spend(home, 1.5);
    },
    finds: {
      delivery: ["fail", /^0 of 1 block reached the model$/],
      prompts: ["warn", /^last 4: 3 failed, 1 hit$/],
      spending: ["warn", /^1 of 200 calls and \$1\.50 of \$1 today: limit reached$/],
    },
  },
];

for (const { about, prepare, env, finds } of ROWS) {
  Deno.test(`memo doctor finds ${about}`, async () => {
    await using home = makeHome();
    await prepare?.(home);
    await expect(home, finds, env);
  });
}

Deno.test("memo doctor finds memories that a later one contradicts, and none where both hold", async () => {
  await using home = makeHome({}, { hasModel: true });
  note(home, "a.md", "Session tokens live 20 minutes", "updated: 2026-05-01");
  note(home, "b.md", "Cookies of the shop are signed", "updated: 2026-06-01");
  note(home, "c.md", "Session tokens live 5 minutes", "updated: 2026-06-01");
  note(home, "d.md", "Payments sign the release", "updated: 2026-05-01");
  note(home, "e.md", "Ask Ines", "updated: 2026-06-01\ntags: [contradicts:d.md]");
  await succeed(home, ["index"]);
  await expect(home, {
    contradictions: [
      "warn",
      /^2 memories .*(20 minutes” \(2026-05-01\), newer “Session tokens live 5|newer “Ask Ines)/,
      /memo forget/,
    ],
  });
});

Deno.test("memo doctor finds nothing wrong where memo is installed", async () => {
  await using home = makeHome({}, { hasModel: true });
  home.write("a.md", "---\nname: A\ndescription: A\ntype: tool\n---\nUse pnpm.\n");
  for (const args of [["init"], ["index"]]) await succeed(home, args);
  const env = { ...home.env, PATH: "/usr/bin:/bin", MEMO_CAPTURE_ENABLED: "false" };
  const { code, stdout } = await runMemo({ ...home, env }, ["doctor"]);
  assert.equal(code, 0, stdout);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, Object.keys(CHECKS).length);
  for (const line of lines) assert.match(line, /^ok /);
  assert.match(stdout, /embedding model +`builtin\/[\w.-]+@.*`, 384 dimensions\n/);
  assert.match(stdout, /index +1 memory, /);
});

Deno.test("memo doctor knows this memo in hooks that a person wrote, and another one in others", async () => {
  await using home = makeHome();
  await succeed(home, ["init"]);
  const file = join(home.claude, "settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  const save = () => writeFileSync(file, JSON.stringify(settings));
  const hooks = [{ type: "command", command: "memo hook" }];
  for (const [i, event] of Object.keys(settings.hooks).entries()) {
    settings.hooks[event] =
      [[{ hooks }], [{ matcher: "", hooks }], [{ matcher: "*", hooks }]][i % 3];
  }
  save();
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  const path = { PATH: `${bin}:/usr/bin:/bin` };
  await expect(home, { hooks: ["fail"] }, path);
  symlinkSync(MEMO, join(bin, "memo"));
  await expect(home, { hooks: ["ok", /written by hand/] }, path);
  delete settings.hooks.SubagentStart;
  save();
  const missing = /written by hand, without `SubagentStart`$/;
  await expect(home, { hooks: ["warn", missing, /^Run `memo init` to add them$/] }, path);
  settings.hooks.PreToolUse = [{ matcher: "Read", hooks }];
  save();
  await expect(home, { hooks: ["fail"] }, path);
});

Deno.test("memo doctor says that Codex waits for the trust of memo's hooks, by a session that left no receipt", async () => {
  await using home = makeHome();
  await succeed(home, ["init", "--agent", "codex"]);
  await expect(home, {
    agents: ["ok", /^Codex CLI$/],
    hooks: ["ok", /^not in Claude Code, only in Codex CLI$/],
  });
  const day = join(home.root, ".codex", "sessions", "2026", "11", "23");
  mkdirSync(day, { recursive: true });
  const session = (id: string, meta: object) => {
    const path = join(day, `rollout-2026-11-23T16-08-59-${id}.jsonl`);
    writeFileSync(path, JSON.stringify({ type: "session_meta", payload: { id, ...meta } }) + "\n");
    utimesSync(path, new Date(), new Date(Date.now() + 60_000));
  };
  session("01a2092a-f6ce", { thread_source: "subagent" }); // which has no prompt
  await expect(home, { agents: ["ok"] });
  session("01a2092a-f3b0", { thread_source: "user" });
  await expect(home, { agents: ["warn", /^/, /type `\/hooks`/] });
  receipt(home, { session: "01a2092a-f3b0", outcome: "no hit" });
  await expect(home, { agents: ["ok"] });
});

Deno.test("memo doctor knows which hooks a strategy needs that asks a language model", async () => {
  await using home = makeHome();
  const current = fakeClient(home, "2.1.329");
  const path = { PATH: current.env["PATH"]! };
  await runMemo(current, ["init"]);
  await runMemo(current, ["config", "set", "strategy.feedback=sidequery"]);
  await expect(home, { hooks: ["ok"] }, path);
  writeFileSync(join(home.memoHome, "config.yaml"), ""); // by hand, behind memo's back
  await expect(home, { hooks: ["fail", /`PostToolBatch` is not needed/, /memo init/] }, path);
});

Deno.test("memo doctor fails where hooks are switched off, or settings are no strict JSON", async () => {
  await using home = makeHome();
  await succeed(home, ["init"]);
  const path = join(home.claude, "settings.json");
  const installed = Deno.readTextFileSync(path);
  for (
    const [start, detail] of [['{ "disableAllHooks": true,', /Hooks`/], ["{ // mine", /gs\.json/]]
  ) {
    writeFileSync(path, installed.replace("{", start as string));
    await expect(home, { "Claude Code settings": ["fail", detail as RegExp] });
  }
});

Deno.test("memo doctor says a cause once, with all that fails by it", async () => {
  await using home = makeHome();
  writeFileSync(join(home.root, "file"), "");
  const env = { ...home.env, MEMO_HOME: join(home.root, "file") };
  const { stdout } = await runMemo({ ...home, env }, ["doctor", "--offline"]);
  assert.equal(stdout.match(/Cannot open the index/g)?.length, 1, stdout);
  assert.match(
    stdout,
    /^FAIL +embedding model .*\(also: index, memory files, contradictions\)\. /m,
  );
  assert.match(stdout, /^FAIL +state folder .* is not a folder\. Make it a folder you own/m);
});

Deno.test("memo doctor warns of a state folder that is another one in every folder", async () => {
  await using home = makeHome();
  const here = { ...home, env: { ...home.env, MEMO_HOME: "state" } };
  const { stdout } = await runMemo(here, ["doctor", "--offline"]);
  assert.match(stdout, /^warn +state folder +`MEMO_HOME` is relative .*\. Set it to an absolute/m);
});

Deno.test("memo doctor asks the server whether the model of the settings is there, unless offline", async () => {
  await using home = makeHome();
  await using server = await serveLoopback(({ path = "" }, response) =>
    path.startsWith("/none/")
      ? sendJson(response, 404, {})
      : path === "/v1/models/claude-haiku-5-5"
      ? sendJson(response, 200, { id: "claude-haiku-5-5" })
      : sendJson(response, 404, { error: { message: "model: claude-1" } })
  );
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
  const detail = /^`anthropic`, model `claude-haiku-5-5`, available on the server$/;
  await expect(home, { "language model": ["ok", detail] }, env);
  const retired = { ...env, MEMO_LLM_MODEL: "claude-1" };
  const fix = /memo config set llm\.model/;
  await expect(home, { "language model": ["warn", /has no model `claude-1`/, fix] }, retired);
  assert.equal(server.received.length, 2);
  await expect(home, { "language model": ["ok"] }, retired, "--offline");
  assert.equal(server.received.length, 2);
  const plain = { ...env, ANTHROPIC_BASE_URL: `${server.url}/none` };
  await expect(home, { "language model": ["ok", /the server does not list models$/] }, plain);
});

Deno.test("memo doctor contacts nobody and runs no program before a yes, nor after Off", async () => {
  await using home = makeHome({}, { mayBeSent: false });
  await using server = await serveLoopback((_, response) => sendJson(response, 200, {}));
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
  const config = join(home.memoHome, "config.yaml");
  for (const [answer, sent] of [["", "warn"], ["send: off\n", "ok"]] as const) {
    const own = fakeClaude(home, 'touch "$MEMO_HOME/ran"');
    writeFileSync(config, answer + readFileSync(config, "utf8").replace(/^send:.*\n/m, ""));
    const finds = { "language model": ["ok"], sent: [sent, /^nothing /] } as const;
    for (const more of [env, { ...env, MEMO_LLM_PROVIDER: own["MEMO_LLM_PROVIDER"]! }]) {
      await expect(home, finds, more, "--deep");
    }
  }
  assert.equal(server.received.length, 0);
  assert.equal(existsSync(join(home.memoHome, "ran")), false);
});

Deno.test("memo doctor says one thing about a day's calls that are used up", async () => {
  await using home = makeHome();
  const queue = join(home.memoHome, "capture");
  const job = (message: string, hint: string) => {
    const conversation = { transcript: "/t/a.jsonl", cwd: "/", claude: home.claude, isOver: true };
    enqueue(queue, conversation, new Date());
    putOff(queue, readJobs(queue)[0]!, { message, hint }, new Date());
  };
  for (const key of ["capture.session_calls", "llm.daily_calls"]) {
    job("used up", raiseHint(key));
    const { detail, fix } = (await examine(home)).found("capture");
    assert.doesNotMatch(detail, /next try/);
    assert.equal(
      fix,
      `It continues tomorrow; to continue now, run \`memo config set ${key} NUMBER\``,
    );
  }
  job("no answer", "Check `ANTHROPIC_API_KEY`, then run `memo doctor`");
  await expect(home, { capture: ["warn", /next try at/, /KEY`. Run `memo import conversations/] });
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
  const outcomes = readSpending(join(home.memoHome, "spending.jsonl"));
  assert.deepEqual(
    outcomes.map(({ purpose, outcome }) => [purpose, outcome]),
    [["doctor", "ok"], ["doctor", "failed"]],
  );
});
