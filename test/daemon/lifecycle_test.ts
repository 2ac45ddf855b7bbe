// The daemon's life over its real socket, with the real executable.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readJobs } from "../../src/core/capture/queue.ts";
import { isPrompt, readReceipts } from "../../src/core/recall/receipts.ts";
import { PROTOCOL_VERSION } from "../../src/core/link/protocol.ts";
import {
  daemonPid,
  type Home,
  makeHome,
  MEMO,
  PATIENCE,
  runMemo,
  succeed,
  warmUp,
} from "../support/home.ts";
import { askHook, sendHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

const NOTE = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: ${name}\ntype: tool\n---\n${body}\n`;

const TRANSCRIPT = new URL("../fixtures/transcripts/bugfix.jsonl", import.meta.url);

/** A home with a daemon; with a model where it has a part in the outcome. */
async function started(
  more: Readonly<Record<string, string>> = {},
  { hasModel = false } = {},
): Promise<Home> {
  const home = makeHome({ ...PATIENCE, ...more }, { hasModel });
  home.write("tool_kiln.md", NOTE("Kiln", "The kiln service bakes images; its port is 7070."));
  await warmUp(home);
  return home;
}

async function status(home: Home): Promise<Record<string, unknown>> {
  return JSON.parse((await runMemo(home, ["daemon", "status", "--json"])).stdout);
}

/** One exchange by hand; undefined when the daemon hangs up without a word. */
function say(home: Home, text: string): Promise<string | undefined> {
  return new Promise((done) => {
    const socket = connect(join(home.memoHome, "run", "memo.sock"));
    let reply = "";
    socket.on("connect", () => socket.end(text));
    socket.on("data", (bytes) => reply += bytes);
    socket.on("error", () => done(undefined));
    socket.on("close", () => done(reply === "" ? undefined : reply));
  });
}

Deno.test("twenty hooks at once start one daemon", async () => {
  await using home = makeHome();
  home.write("tool_kiln.md", NOTE("Kiln", "The kiln service bakes images."));
  const start = () => sendHook(home, "SessionStart.startup");
  await Promise.all(Array.from({ length: 20 }, start));
  // One that the system kills, for want of memory, is started again by the next hook: the third time after a rest.
  await until("a daemon answers", async () => {
    return (await status(home))["running"] === true || (await start(), false);
  }, { patienceMs: 300_000, instead: () => stateOf(home) });
  await sleep(500); // late-comers have found it by now
  const daemons = readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("daemon\0run") &&
        readFileSync(`/proc/${pid}/environ`, "utf8").includes(home.memoHome);
    } catch {
      return false;
    }
  });
  const state = stateOf(home);
  assert.equal(daemons.length, 1, state);
  const [started, killed] = [/"started"/g, /the previous daemon was killed/g]
    .map((line) => state.match(line)?.length ?? 0);
  assert.equal(started! - killed!, 1, state);
});

/** What a daemon has left in its home: its log, its lock, its crashes. */
function stateOf({ memoHome }: Home): string {
  return ["run", "logs"].flatMap((folder) => {
    const path = join(memoHome, folder);
    return !existsSync(path) ? [`no ${folder}`] : readdirSync(path).map((name) => {
      const file = join(path, name), stats = statSync(file);
      const text = stats.isFile() ? readFileSync(file, "utf8") : "";
      return `${folder}/${name} ${stats.mode.toString(8)} ${stats.mtime.toISOString()} ${text}`;
    });
  }).join("\n");
}

Deno.test("start, status, restart and stop do what they say, also when said twice", async () => {
  await using home = makeHome();
  assert.match((await runMemo(home, ["daemon", "stop"])).stderr, /was not running/);
  assert.equal((await runMemo(home, ["daemon", "status"])).code, 1);
  assert.match((await runMemo(home, ["daemon", "start"])).stderr, /has started/);
  assert.match((await runMemo(home, ["daemon", "start"])).stderr, /is already running/);
  const before = daemonPid(home.memoHome);
  assert.match((await runMemo(home, ["daemon", "restart"])).stderr, /has started/);
  assert.notEqual(daemonPid(home.memoHome), before);
  assert.match((await runMemo(home, ["daemon", "stop"])).stderr, /has stopped/);
  assert.equal(daemonPid(home.memoHome), undefined);
  assert.ok(!existsSync(join(home.memoHome, "run", "memo.sock")));
});

Deno.test("a daemon with nothing to do comes to rest, and says so", async () => {
  await using home = await started({}, { hasModel: true });
  await askHook(home, "which port has the kiln", "s1");
  await until("it is at rest", async () => (await status(home)).isAtRest === true);
  assert.match((await runMemo(home, ["daemon", "status"])).stdout, /memory +\d+ MB \(idle\)/);
});

Deno.test("the daemon carries nothing of the session that started it", async () => {
  await using home = makeHome();
  const env = {
    ...home.env,
    CLAUDECODE: "1",
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_EFFORT: "high",
    ANTHROPIC_API_KEY: "key-of-the-session",
    AWS_SECRET_ACCESS_KEY: "key-of-the-session",
    HTTPS_PROXY: "http://127.0.0.1:9",
    LD_PRELOAD: "",
    MEMO_CAPTURE_SCOPE: "user",
  };
  await runMemo({ ...home, env }, ["daemon", "start"]);
  const environ = readFileSync(`/proc/${daemonPid(home.memoHome)}/environ`, "utf8");
  const names = environ.split("\0").map((entry) => entry.split("=")[0]).filter((name) =>
    name !== ""
  );
  assert.deepEqual(
    names.filter((name) =>
      !/^(HOME|USERPROFILE|PATH|TMPDIR|NO_COLOR|MEMO_HOME|ORT_\w+|MALLOC_\w+|BUN_JSC_forceRAMSize)$/
        .test(name!)
    ),
    [],
  );
  assert.doesNotMatch(environ, /key-of-the-session/);
});

Deno.test("a daemon keeps to its owner, stays the only one, and bears what its clients send", async () => {
  await using home = await started();
  await sendHook(home, "SessionStart.startup");
  const mode = (...path: string[]) => statSync(join(home.memoHome, ...path)).mode & 0o777;
  assert.equal(mode("run"), 0o700);
  for (
    const file of [["run", "memo.sock"], ["run", "memo.pid"], ["logs", "daemon.log"], ["index.db"]]
  ) {
    assert.equal(mode(...file), 0o600, file.join("/"));
  }
  const second = spawn(MEMO, ["daemon", "run"], { env: home.env, stdio: "ignore" });
  assert.equal(await new Promise((done) => second.on("close", done)), 0);
  for (const text of ["no JSON\n", '{"protocol"', ""]) {
    await say(home, text);
    assert.equal((await status(home))["running"], true, text);
  }
  const ask = async (method: string, protocol = PROTOCOL_VERSION) =>
    JSON.parse(
      (await say(home, JSON.stringify({ protocol, build: "0.0.1", method, params: {} }) + "\n"))!,
    );
  assert.equal((await ask("status")).ok, true, "another build");
  const refusal = await ask("status", PROTOCOL_VERSION + 1);
  assert.equal(refusal.ok, false);
  assert.match(refusal.error.message, /does not understand build 0\.0\.1/);
  assert.equal((await ask("stop", PROTOCOL_VERSION + 1)).ok, true, "stop is for everybody");
  await until("the daemon is gone", () => daemonPid(home.memoHome) === undefined);
});

Deno.test("a daemon that hangs is replaced", async () => {
  await using home = await started();
  const hung = daemonPid(home.memoHome)!;
  process.kill(hung, "SIGSTOP");
  await runMemo(home, ["daemon", "restart"]);
  assert.notEqual(daemonPid(home.memoHome), hung);
  assert.equal((await status(home))["running"], true);
});

Deno.test("prompts that find the daemon busy are answered by words, and it is kept", async () => {
  await using home = await started();
  await sendHook(home, "SessionStart.startup");
  const pid = daemonPid(home.memoHome)!;
  process.kill(pid, "SIGSTOP"); // its socket was touched a moment ago
  const prompts = ["s1", "s2", "s3"].map((session) =>
    askHook(home, "which port has the kiln service that bakes the images", session)
  );
  const blocks = await Promise.all(prompts).finally(() => process.kill(pid, "SIGCONT"));
  for (const words of blocks) assert.match(words, /7070/);
  const receipts = () => readReceipts(join(home.memoHome, "receipts.jsonl"), 50).filter(isPrompt);
  await until("the daemon has answered, too", () => receipts().length === 6);
  const outcomes = receipts().map(({ outcome }) => outcome).sort();
  assert.deepEqual(outcomes, [...Array(3).fill("busy"), ...Array(3).fill("late")]);
  assert.match((await runMemo(home, ["doctor"])).stdout, /3 busy/);
  assert.equal((await status(home))["pid"], pid);
  const log = readFileSync(join(home.memoHome, "logs", "daemon.log"), "utf8");
  assert.deepEqual(log.match(/"started"|not needed/g), ['"started"']);
});

Deno.test("a prompt that finds the daemon hanging has it replaced", async () => {
  await using home = await started();
  const hung = daemonPid(home.memoHome)!;
  process.kill(hung, "SIGSTOP");
  const before = new Date(Date.now() - 60_000);
  utimesSync(join(home.memoHome, "run", "memo.sock"), before, before);
  await askHook(home, "which port does the kiln have", "s1");
  await until("another daemon is there", () => {
    const pid = daemonPid(home.memoHome);
    return pid !== undefined && pid !== hung;
  });
  await warmUp(home);
  assert.match(await askHook(home, "which port does the kiln have", "s2"), /7070/);
});

Deno.test("a warm daemon follows what becomes of its files", async (t) => {
  await using home = await started();
  const WHEN = "when does the anvil queue drain", WHICH = "which port does the kiln have";
  const begin = () => sendHook(home, "SessionStart.startup");
  const anvil = (when: string) =>
    home.write("tool_anvil.md", NOTE("Anvil", `The anvil queue drains at ${when}.`));
  await t.step("a memory that is saved without a word to memo, and deleted", async () => {
    assert.match(await askHook(home, WHICH, "s1"), /7070/);
    const path = anvil("04:00");
    assert.match(await askHook(home, WHEN, "s1"), /04:00/);
    rmSync(path);
    assert.equal(await askHook(home, WHEN, "s2"), "");
  });
  await t.step("one that Claude writes and edits is in MEMORY.md, too", async () => {
    const file_path = anvil("04:00");
    const written = () => sendHook(home, "PostToolUse.Write", { tool_input: { file_path } });
    await written();
    assert.match(await askHook(home, WHEN, "s3"), /04:00/);
    const list = join(home.claude, "memory", "MEMORY.md");
    await until("MEMORY.md is written", () => existsSync(list));
    assert.match(readFileSync(list, "utf8"), /- \[Anvil\]\(tool_anvil\.md\)/);
    anvil("half past five now");
    await written();
    assert.match(await askHook(home, WHEN, "s4"), /half past five/);
    rmSync(file_path);
    await begin();
    assert.doesNotMatch(await askHook(home, WHEN, "s5"), /half past five/);
  });
  const harms: Readonly<Record<string, (path: string) => void>> = {
    deleted: (path) => rmSync(path),
    "overwritten with garbage": (path) => writeFileSync(path, "garbage ".repeat(2000)),
  };
  for (const [name, harm] of Object.entries(harms)) {
    await t.step(`an index that is ${name} is made again`, async () => {
      await begin();
      for (const suffix of ["-wal", "-shm"]) {
        rmSync(join(home.memoHome, "index.db" + suffix), { force: true });
      }
      harm(join(home.memoHome, "index.db"));
      assert.match(await askHook(home, WHICH, name), /7070/);
      assert.equal((await status(home))["running"], true);
    });
  }
  await t.step("a memory folder that vanishes is an empty one", async () => {
    await begin();
    rmSync(join(home.claude, "memory"), { recursive: true });
    await begin();
    assert.equal(await askHook(home, WHICH, "s6"), "");
    assert.equal((await status(home))["memories"], 0);
  });
});

Deno.test("a daemon that nobody has used for a while drops the model, answers the next prompt, and loads it again", async () => {
  await using home = await started({ CLAUDE_PID: String(process.pid) }, { hasModel: true });
  const models = () => {
    const log = readFileSync(join(home.memoHome, "logs", "daemon.log"), "utf8");
    return [...log.matchAll(/"event":"model","(loaded|dropped)"/g)].map(([, what]) => what);
  };
  /** Its open files that are the model's. */
  const openFiles = () => {
    const folder = `/proc/${daemonPid(home.memoHome)}/fd`;
    return readdirSync(folder).map((file) => {
      try {
        return readlinkSync(join(folder, file));
      } catch {
        return ""; // closed meanwhile
      }
    }).filter((path) => path.includes("/runtime/model-"));
  };
  await askHook(home, "which port has the kiln", "s1"); // an open session keeps the daemon
  assert.deepEqual(models(), ["loaded"]);
  const held = openFiles().length;
  await runMemo(home, ["config", "set", "daemon.idle_minutes=0.01"]);
  await until("it has dropped the model", () => models().includes("dropped"));
  assert.deepEqual(openFiles(), []);
  assert.match(await askHook(home, "which port has the kiln", "s2"), /7070/);
  await until("it has loaded the model again", () => models().at(-1) === "loaded");
  assert.deepEqual(models(), ["loaded", "dropped", "loaded"]);
  await until("as many files are open as before", () => openFiles().length === held);
});

Deno.test("an idle daemon ends, and a conversation that waits for a language model is there for the next", async () => {
  await using home = makeHome();
  const transcript = home.write(".claude/projects/p/s1.jsonl", readFileSync(TRANSCRIPT, "utf8"));
  await runMemo(home, ["config", "set", "daemon.idle_minutes=0.02"]);
  await runMemo(home, ["config", "set", "llm.provider=none"]);
  await runMemo(home, ["daemon", "start"]);
  await sendHook(home, "SessionEnd.other", { transcript_path: transcript });
  await until("the daemon has ended", () => daemonPid(home.memoHome) === undefined);
  assert.deepEqual(readdirSync(join(home.memoHome, "run")), [], "it takes its socket with it");
  const [job] = readJobs(join(home.memoHome, "capture"));
  assert.equal(job!.transcript, transcript);
  assert.match(job!.failure!.message, /Cannot ask a language model/);
});

Deno.test("a daemon whose state folder is deleted ends", async () => {
  await using home = await started();
  const pid = daemonPid(home.memoHome)!;
  renameSync(home.memoHome, `${home.memoHome}-gone`); // at once, where the daemon may be writing into it
  await until("the process is gone", () => !existsSync(`/proc/${pid}`));
});

Deno.test("a daemon whose socket another one has taken ends, and leaves the other alone", async () => {
  await using home = await started();
  const before = daemonPid(home.memoHome)!;
  renameSync(home.memoHome, `${home.memoHome}-gone`);
  await succeed(home, ["daemon", "start"]);
  const after = daemonPid(home.memoHome);
  await until("the first process is gone", () => !existsSync(`/proc/${before}`));
  assert.equal((await status(home))["pid"], after);
});

Deno.test("a home whose path is too long for a socket gets a short one", async () => {
  await using home = makeHome();
  const env = { ...home.env, MEMO_HOME: join(home.root, "deep".repeat(30)) };
  await succeed({ ...home, env }, ["daemon", "start"]);
  await succeed({ ...home, env }, ["daemon", "status"]);
  await succeed({ ...home, env }, ["daemon", "stop"]);
});

Deno.test("while thousands of new files are indexed, prompts have their answers from the daemon", async () => {
  await using home = await started({}, { hasModel: true });
  assert.match(await askHook(home, "which port does the kiln have", "s0"), /7070/);
  const pid = daemonPid(home.memoHome);
  for (let i = 0; i < 2000; i++) {
    home.write(`tool_${i}.md`, NOTE(`Anvil ${i}`, `Anvil queue ${i}.`));
  }
  let memories: unknown;
  let asked = 0;
  for (; memories !== 2001 && asked < 100; asked++) {
    assert.match(await askHook(home, "which port does the kiln have", `new ${asked}`), /7070/);
    memories = (await status(home))["memories"];
  }
  assert.equal(memories, 2001);
  const outcomes = () =>
    readReceipts(join(home.memoHome, "receipts.jsonl"), 200).filter(isPrompt)
      .map(({ outcome }) => outcome);
  await until("every receipt is there", () => outcomes().length === asked + 1);
  assert.deepEqual(new Set(outcomes()), new Set(["hit"]));
  assert.equal(daemonPid(home.memoHome), pid);
});
