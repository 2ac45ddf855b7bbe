// Whose login is used for what: sessions of one user, in different projects, with gateways and keys of their own, and one
// daemon for all of them. The real executable, against loopback servers.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { daemonPid, endDaemon, type Home, makeHome, runMemo } from "../support/home.ts";
import { sendHook } from "../support/send_hook.ts";
import { type Loopback, sendJson, serveLoopback } from "../support/loopback.ts";
import { until } from "../support/until.ts";

const MEMORY = "---\nname: Package manager\ndescription: It is pnpm\ntype: tool\n---\nUse pnpm.\n";
const ANSWER = { memories: [], journal: [], selected_memories: ["tool_pnpm.md"] };

/** A server that speaks the Messages API, for whoever comes but with a revoked key. */
function gateway(): Promise<Loopback> {
  return serveLoopback(({ headers }, response) => {
    if (headers["x-api-key"] === "key-revoked") {
      const error = { type: "authentication_error", message: "This key has been revoked" };
      return sendJson(response, 401, { type: "error", error });
    }
    sendJson(response, 200, {
      ...{ id: "m", type: "message", role: "assistant", model: "claude-haiku-5-5" },
      content: [{ type: "tool_use", name: "answer", input: ANSWER }],
      stop_reason: "tool_use",
    });
  });
}

/** The texts that a key was used for. */
function askedWith({ received }: Loopback, key: string): string {
  return received.filter(({ headers }) => headers["x-api-key"] === key)
    .map(({ body }) => body).join("\n");
}

/** All that a server was sent, headers too. */
function heardBy({ received }: Loopback): string {
  return received.map(({ headers, body }) => JSON.stringify(headers) + body).join("\n");
}

/** The variables of a session with a key and a gateway of its own. */
const login = (key: string, url: string) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url });

/** A session in a project of its own. */
class Session {
  readonly cwd: string;
  readonly transcript: string;
  readonly #home: Home;

  constructor(home: Home, readonly name: string, readonly variables: Record<string, string>) {
    this.#home = home;
    this.cwd = join(home.root, name.split("-")[0]!);
    this.transcript = join(home.claude, "projects", this.cwd.replaceAll("/", "-"), `${name}.jsonl`);
    mkdirSync(join(this.cwd, ".git"), { recursive: true });
    mkdirSync(join(this.transcript, ".."), { recursive: true });
  }

  /** Runs the hook of an event as Claude Code does in this session. */
  async send(fixture: string, fields: Record<string, unknown> = {}): Promise<string> {
    const env = { ...this.#home.env, ...this.variables };
    const own = { session_id: this.name, transcript_path: this.transcript };
    const there = { ...this.#home, env, project: this.cwd };
    return (await sendHook(there, fixture, { ...own, ...fields })).stdout;
  }

  /** Says something, and is answered. */
  says(text: string): void {
    const common = { sessionId: this.name, cwd: this.cwd, timestamp: "2026-11-21T11:59:00Z" };
    const lines = [
      { type: "user", uuid: `${this.name}-1`, message: { role: "user", content: text } },
      {
        ...{ type: "assistant", uuid: `${this.name}-2`, parentUuid: `${this.name}-1` },
        message: { id: "m1", role: "assistant", content: [{ type: "text", text: "Understood." }] },
      },
    ];
    writeFileSync(
      this.transcript,
      lines.map((line) => JSON.stringify({ ...common, ...line }) + "\n").join(""),
    );
  }
}

/** The daemon has looked at what waits more than once. */
const LOOKS_MS = 4500;

Deno.test("two sessions' prompts and conversations go each to their own gateway with their own key", async () => {
  await using home = makeHome();
  home.write("tool_pnpm.md", MEMORY);
  await using one = await gateway();
  await using other = await gateway();
  await runMemo(home, ["config", "set", "strategy.*=sidequery"]);
  const work = new Session(home, "work", login("key-of-work", one.url));
  const own = new Session(home, "own", {
    ANTHROPIC_AUTH_TOKEN: "token-of-my-own",
    ANTHROPIC_BASE_URL: other.url,
  });
  await runMemo(home, ["daemon", "start"]); // a prompt that finds none is answered by words
  for (const session of [work, own]) await session.send("SessionStart.startup");
  for (const session of [own, work]) {
    const prompt = `which package manager does the ${session.name} project use?`;
    await session.send("UserPromptSubmit", { prompt });
  }
  await until("both prompts asked about", () => one.received.length * other.received.length > 0);
  for (const session of [work, own]) session.says(`Always greet the ${session.name} team politely`);
  for (const session of [own, work]) await session.send("SessionEnd.other");
  await until(
    "both conversations read",
    () =>
      heardBy(one).includes("greet the work team") && heardBy(other).includes("greet the own team"),
  );
  assert.match(heardBy(one), /key-of-work/);
  assert.doesNotMatch(heardBy(one), /token-of-my-own|the own (team|project)/);
  assert.match(heardBy(other), /token-of-my-own/);
  assert.doesNotMatch(heardBy(other), /key-of-work|the work (team|project)/);
});

for (const [what, dead] of Object.entries({ "a revoked key": {}, "no server": { url: "" } })) {
  Deno.test(`an ended session with ${what} stops nobody, is shown, and can be left out`, async () => {
    await using home = makeHome();
    await using server = await gateway();
    const nowhere = "http://127.0.0.1:1";
    const url = "url" in dead ? nowhere : server.url;
    const own = login("key-good", server.url);
    await runMemo(home, ["daemon", "start"]);
    const lost = new Session(home, "lost-1", login("key-revoked", url));
    lost.says("Remember the lost words");
    await lost.send("SessionStart.startup");
    await lost.send("SessionEnd.other");
    const queue = () => readAll(join(home.memoHome, "capture", "queue"));
    await until("the dead login was tried", () => queue().includes('"login"'));

    const others = ["lost-2", "other-1", "other-2"].map((name) => new Session(home, name, own));
    for (const session of others) {
      session.says(`Always greet the ${session.name} team politely`);
      await session.send("SessionStart.startup");
      await session.send("SessionEnd.other");
    }
    const heard = () => askedWith(server, "key-good");
    await until(
      "the others captured",
      () => others.every(({ name }) => heard().includes(`greet the ${name} team`)),
    );
    assert.doesNotMatch(heard(), /lost words/);
    assert.doesNotMatch(askedWith(server, "key-revoked"), /greet the/);
    assert.doesNotMatch(readAll(home.memoHome), /key-(good|revoked)/, "no key on disk");

    const findings = async () => {
      const { stdout } = await runMemo(home, ["doctor", "--json", "--offline"]);
      return JSON.parse(stdout).find(({ name }: { name: string }) => name === "capture");
    };
    await until("the queue is at rest", () => !queue().includes("lost-2"));
    const { status, detail, fix } = await findings();
    assert.equal(status, "warn");
    assert.match(
      detail,
      /1 conversation queued since .*; 1 blocked by a failing login: .*`http/,
    );
    assert.match(
      fix,
      /memo import conversations .*lost-1\.jsonl.* or `memo import conversations --drop`/,
    );

    await endDaemon(home.memoHome, "SIGKILL");
    const later = new Session(home, "other-3", own);
    later.says("Always greet the other-3 team politely");
    await later.send("SessionStart.startup");
    await later.send("SessionEnd.other");
    await until("captured by the next daemon", () => heard().includes("greet the other-3 team"));
    assert.doesNotMatch(heard(), /lost words/);
    assert.match((await findings()).detail, /1 blocked by a failing login/);

    const { stdout } = await runMemo(home, ["import", "conversations", "--drop"]);
    assert.match(stdout, /^Dropped `.*lost-1\.jsonl`$/m);
    assert.equal((await findings()).status, "ok");
  });
}

Deno.test("a session without a key does not ask with that of another", async () => {
  await using home = makeHome();
  home.write("tool_pnpm.md", MEMORY);
  await using server = await gateway();
  await runMemo(home, ["config", "set", "strategy.*=sidequery"]);
  const rich = new Session(home, "rich", login("key-of-rich", server.url));
  const poor = new Session(home, "poor", { PATH: "/nowhere" });
  await runMemo(home, ["daemon", "start"]);
  await rich.send("SessionStart.startup");
  await poor.send("SessionStart.startup");
  poor.says("Never tell the rich ones");
  await poor.send("UserPromptSubmit", { prompt: "which package manager does the poor one use?" });
  await poor.send("SessionEnd.other");
  await rich.send("UserPromptSubmit", { prompt: "which package manager does the rich one use?" });
  await until("the rich one asked", () => heardBy(server).includes("the rich one use"));
  await sleep(LOOKS_MS);
  assert.doesNotMatch(heardBy(server), /the poor one|Never tell/);
});

Deno.test("a conversation whose session has gone waits for the next one of its project, and says so", async () => {
  await using home = makeHome();
  await using server = await gateway();
  const first = new Session(home, "work-1", login("key-1", server.url));
  first.says("Always deploy on Thursdays");
  await first.send("SessionEnd.other"); // there is no daemon: the hook leaves the job and starts one
  await until("a daemon", () => daemonPid(home.memoHome) !== undefined);
  const own = new Session(home, "own", { ANTHROPIC_API_KEY: "key-of-another-project" });
  await own.send("SessionStart.startup");
  await sleep(LOOKS_MS);
  assert.deepEqual(server.received, []);
  const { stdout } = await runMemo(home, ["doctor", "--json"]);
  assert.match(stdout, /needs? an open session in (its|their) project/);
  assert.equal(readAll(home.memoHome).includes("key-1"), false, "no login is kept on disk");

  const second = new Session(home, "work-2", login("key-2", server.url));
  await second.send("SessionStart.startup");
  await until("captured", () => heardBy(server).includes("deploy on Thursdays"));
  assert.match(heardBy(server), /key-2/);
  assert.doesNotMatch(heardBy(server), /key-1|key-of-another-project/);
});

Deno.test("a conversation whose session had no login of its own goes to the user's `claude`, found outside any project", async () => {
  await using home = makeHome();
  const bin = fakeClaude(join(home.root, "bin"), join(home.root, "said"));
  const session = new Session(home, "plain-1", {});
  const traps = [
    fakeClaude(join(session.cwd, "node_modules", ".bin"), join(home.root, "trapped")),
    fakeClaude(join(session.cwd, "bin"), join(home.root, "trapped")),
    fakeClaude(join(home.root, "other", "node_modules", ".bin"), join(home.root, "trapped")),
    "bin",
  ];
  const searched = (folders: readonly string[]) => [...folders, "/usr/bin", "/bin"].join(delimiter);
  session.variables["PATH"] = searched([...traps, bin]);
  // A session's search path finds none; that of the person's own terminal does, once.
  const own = { ...home, env: { ...home.env, PATH: searched([bin]) } };
  await runMemo(own, ["config", "set", "send=on"]);
  session.says("Always deploy on Fridays");
  await session.send("SessionStart.startup");
  await session.send("SessionEnd.other");
  const said = () =>
    existsSync(join(home.root, "said")) ? readFileSync(join(home.root, "said"), "utf8") : "";
  await until("claude asked", () => said().includes("deploy on Fridays"));

  await endDaemon(home.memoHome, "SIGKILL");
  const later = new Session(home, "plain-2", session.variables);
  later.says("Always deploy on Mondays");
  await later.send("SessionEnd.other");
  await until("claude asked, without the session", () => said().includes("deploy on Mondays"));
  assert.equal(existsSync(join(home.root, "trapped")), false);
});

Deno.test("settings in the variables of a session hold in that session alone, whoever started the daemon", async () => {
  await using home = makeHome({}, { hasModel: true });
  home.write("tool_pnpm.md", MEMORY);
  const quiet = new Session(home, "quiet", { MEMO_RECALL_MIN_CHARS: "1000" });
  const usual = new Session(home, "usual", {});
  const prompt = "which package manager, pnpm or another?";
  await quiet.send("SessionStart.startup");
  await until("a daemon", () => daemonPid(home.memoHome) !== undefined);
  await until("its model", () => readAll(join(home.memoHome, "logs")).includes('"loaded"'));
  // Only Linux shows it.
  const environment = process.platform !== "linux"
    ? ""
    : readFileSync(`/proc/${daemonPid(home.memoHome)}/environ`, "utf8");
  assert.doesNotMatch(environment, /MEMO_RECALL|CLAUDE_CONFIG_DIR/);
  const block = async (session: Session) =>
    JSON.parse(await session.send("UserPromptSubmit", { prompt })).hookSpecificOutput;
  assert.match(JSON.stringify(await block(usual)), /Use pnpm/);
  assert.equal(await block(quiet), undefined);
});

Deno.test("a session's proxy is that of its questions alone", async () => {
  await using home = makeHome();
  home.write("tool_pnpm.md", MEMORY);
  await using proxy = await gateway();
  await runMemo(home, ["config", "set", "strategy.*=sidequery", "llm.hosts=gateway.invalid"]);
  const session = new Session(home, "one", {
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: "http://gateway.invalid",
    HTTP_PROXY: proxy.url,
  });
  await runMemo(home, ["daemon", "start"]); // a prompt that finds none is answered by words
  await session.send("UserPromptSubmit", { prompt: "which package manager do we use?" });
  await until("asked through the proxy", () => proxy.received.length > 0);
  assert.equal(proxy.received[0]!.headers.host, "gateway.invalid");
});

/** A `claude` in a folder that writes down what it is asked. */
function fakeClaude(folder: string, said: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "claude");
  const reply = JSON.stringify({ structured_output: ANSWER });
  writeFileSync(path, `#!/bin/sh\ncat >> "${said}"\necho '${reply}'\n`);
  chmodSync(path, 0o755);
  return folder;
}

/** The text of all files below a folder but the unpacked parts; the daemon may remove one meanwhile. */
function readAll(folder: string): string {
  const script = `find "$0" -name runtime -prune -o -type f -exec cat {} + 2> /dev/null`;
  return spawnSync("sh", ["-c", script, folder], { encoding: "latin1" }).stdout;
}
