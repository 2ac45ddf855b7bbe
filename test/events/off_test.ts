// The person has switched memo off in a folder: over the executable, its hooks, its daemon, the MCP server and every
// command. What is in the folder, or belongs to it, is marked with one word, which must turn up nowhere.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { enqueue, readJobs } from "../../src/core/capture/queue.ts";
import { autoName } from "../../src/core/memory/scopes.ts";
import { makeProjectFolder, projectOf } from "../../src/core/memory/project.ts";
import { changeSettingsFile } from "../../src/core/settings/config_file.ts";
import { pathsFor } from "../../src/paths.ts";
import { COMMANDS } from "../../src/surfaces/cli/mod.ts";
import { serveRepliesTo } from "../capture/support.ts";
import { openMcp } from "../mcp/support.ts";
import { filesIn } from "../support/files.ts";
import {
  daemonsOf,
  type Home,
  makeHome,
  MEMO,
  PATIENCE,
  runMemo,
  succeed,
  warmUp,
} from "../support/home.ts";
import { sendHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

const WORD = "quetzal", PATTERN = "~/clients/**";
const SAYS = `memo is off in this folder: the setting \`off\` has \`${PATTERN}\``;

/** A home with a repository where memo is off, which has all that memo reads, each with the word. */
function prepared(more: Record<string, string> = {}) {
  const home = makeHome({ ...PATIENCE, ...more });
  const secret = join(home.root, "clients", "acme");
  home.write("clients/acme/CLAUDE.md", `Never rename the ${WORD} queue.\n`);
  const memory = `---\nname: The ${WORD}\n---\nThe ${WORD} service listens on port 7070.\n`;
  home.write("clients/acme/.claude/memory/a.md", memory);
  execFileSync("git", ["init", "-q", secret]);
  const { folder } = projectOf(secret, home.claude);
  makeProjectFolder(folder, secret);
  writeFileSync(join(folder, "b.md"), memory);
  home.write(`.claude/projects/${autoName(secret)}/memory/c.md`, memory);
  home.write(
    "tool_kiln.md",
    "---\nname: Kiln\ntype: tool\n---\nThe kiln service is on port 9090.\n",
  );
  changeSettingsFile(pathsFor(home.env).config, { off: PATTERN });
  const away: Home = { ...home, project: secret };
  return { home, secret, away, [Symbol.asyncDispose]: () => home.dispose() };
}

/** A transcript in which turns were said in some folders; the word is in those of the second. */
function transcriptOf(home: Home, session: string, folders: readonly string[]): string {
  const path = join(home.claude, "projects", autoName(folders[0]!), `${session}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const lines = folders.flatMap((cwd, i) => {
    const about = cwd === home.project ? `the north gate number ${i}` : `the ${WORD} door ${i}`;
    const common = {
      cwd,
      sessionId: session,
      timestamp: new Date(Date.now() - 9e6 + i).toISOString(),
    };
    const message = { id: `m${i}`, content: [{ type: "text", text: `Noted: ${about}` }] };
    return [
      {
        ...{ ...common, type: "user", uuid: `u${session}${i}`, promptId: `p${i}` },
        message: { role: "user", content: `remember that ${about} stays open` },
      },
      { ...common, type: "assistant", uuid: `a${session}${i}`, message },
    ];
  });
  writeFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return path;
}

/** The files of memo's state that have the word, or the folder's name, in them; not the settings, which name the folder. */
function traces({ memoHome }: Home): string[] {
  return readdirSync(memoHome, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[\\/]runtime(?:[\\/]|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.endsWith("config.yaml"))
    .filter((path) => /quetzal|clients[\\/]acme/.test(readFileSync(path, "latin1")));
}

const EVENTS = readdirSync(new URL("../fixtures/hooks/", import.meta.url))
  .map((name) => name.replace(/\.json$/, ""));

Deno.test("where memo is off no hook says anything or leaves a trace, with a daemon and without one", async () => {
  await using all = prepared();
  const { home, secret } = all;
  symlinkSync(secret, join(home.root, "link"));
  const transcript = transcriptOf(home, "s1", [secret]);
  const places = [
    { cwd: secret, began: secret },
    { cwd: join(secret, "src"), began: home.project }, // it has moved there
    { cwd: home.project, began: secret }, // it has moved out
    { cwd: join(home.root, "link"), began: join(home.root, "link") },
  ];
  const sendAll = async () => {
    for (const { cwd, began } of places) {
      const there: Home = { ...home, env: { ...home.env, CLAUDE_PROJECT_DIR: began } };
      for (const event of EVENTS) {
        const fields = {
          cwd,
          transcript_path: transcript,
          session_id: "s1",
          prompt: `the ${WORD}?`,
        };
        const { stdout } = await sendHook(there, event, fields);
        assert.match(stdout.trim(), /^(?:\{\})?$/, `${event} in ${cwd}`);
      }
    }
  };
  await sendAll();
  assert.deepEqual(daemonsOf(home.memoHome), [], "none is started");
  assert.deepEqual(filesIn(pathsFor(home.env).capture), {});
  await warmUp(home);
  const { block } = await sendHook(home, "UserPromptSubmit", {
    prompt: "which port has the kiln?",
  });
  assert.match(block, /9090/, "elsewhere memo works");
  const tools = { tool_name: "mcp__memo__memory_search", mcp_server: { source: "user" } };
  const asked = { ...tools, cwd: secret, session_id: "s1" };
  const { hookSpecificOutput: told } = JSON.parse(
    (await sendHook(home, "PreToolUse.Read", asked)).stdout,
  );
  assert.equal(told.permissionDecision, "deny");
  assert.ok(told.permissionDecisionReason.startsWith(SAYS));
  await sendAll();
  assert.deepEqual(readJobs(pathsFor(home.env).capture), []);
  await succeed(home, ["daemon", "stop"]);
  assert.deepEqual(traces(home), []);
});

/** A command line of each command that does something with memories. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  add: ["a memory"],
  edit: ["x"],
  forget: ["x"],
  undo: [],
  recall: ["the port?"],
  show: ["x"],
  search: ["port"],
  share: ["x"],
  team: ["status"],
  sync: ["status"],
  export: ["out"],
};

Deno.test("where memo is off every command with memories says so in one line, and the others tell nothing of the folder", async () => {
  await using all = prepared();
  const { home, away } = all;
  const real = { executable: MEMO };
  const others = [
    "init",
    "doctor",
    "config",
    "upgrade",
    "uninstall",
    "bench",
    "mcp",
    "statusline",
    "daemon",
  ];
  for (
    const { name } of COMMANDS.filter(({ name }) =>
      ![...others, "completions", "help"].includes(name)
    )
  ) {
    const { code, stdout, stderr } = await runMemo(away, [name, ...LINES[name] ?? []], real);
    assert.equal(stdout, "", name);
    assert.equal(code, 2, `${name}: ${stderr}`);
    assert.match(stderr, /^error: .*\n$/, name);
    assert.ok(stderr.includes(SAYS), name);
  }
  const claude = { ...real, env: { ...home.env, CLAUDECODE: "1" } };
  for (const change of [["unset", "off"], ["set", "off=/x"]]) {
    const { code } = await runMemo(home, ["config", ...change], claude);
    assert.equal(code, 2, "the model changes nothing about it");
  }
  const misspelled = await runMemo(home, ["config", "set", "off", `${PATTERN}, ~/cleints`], real);
  assert.match(misspelled.stderr, /warning: `~\/cleints` was not found/);
  await succeed(home, ["config", "set", "off", PATTERN], real);
  const session = JSON.stringify({ session_id: "s1", cwd: away.project });
  const status = await runMemo(away, ["statusline"], { ...real, stdin: session });
  assert.equal(status.stdout, "memo off here\n");
  const doctor = await runMemo(away, ["doctor", "--offline"], real);
  assert.ok(doctor.stdout.replace(/\s+/g, " ").includes(SAYS), doctor.stdout);
  const list = await runMemo(away, ["config", "list"], real);
  assert.match(list.stdout, /^off +~\/clients\/\*\*/m);
  const said = [status, doctor, list];
  for (
    const line of [["init", "--dry-run"], ["help", "paths"], ["list", "--help"], [
      "daemon",
      "status",
    ]]
  ) {
    said.push(await runMemo(away, line, real));
  }
  for (const { stdout, stderr } of said) assert.doesNotMatch(stdout + stderr, /quetzal/);
  await using server = await openMcp(away);
  const { text, failed } = await server.call("memory_search", { query: "port" });
  assert.ok(failed);
  assert.ok(text.includes(SAYS), text);
  await succeed(home, ["index", "--rebuild"], real);
  for (
    const line of [["list", "--all"], ["list", "--projects"], ["export", "out"], ["search", "port"]]
  ) {
    const { stdout } = await runMemo(home, line, real);
    assert.doesNotMatch(stdout, /quetzal|acme/, line.join(" "));
  }
  assert.doesNotMatch(JSON.stringify(filesIn(join(home.project, "out"))), /quetzal/);
  await runMemo(home, ["daemon", "stop"]);
  assert.deepEqual(traces(home), []);
});

Deno.test("what was said where memo is off is neither captured nor imported, and the turns around it are", async () => {
  const { home, secret, ...all } = prepared();
  await using _ = all;
  const reply = { journal: [{ turn: 1, bullets: ["The north gate stays open"] }], memories: [] };
  await using api = await serveRepliesTo(home, reply);
  const mixed = transcriptOf(home, "1f0e2c4a-0000-4000-8000-000000000001", [
    ...[home.project, secret, join(secret, "src"), home.project],
  ]);
  const inside = transcriptOf(home, "1f0e2c4a-0000-4000-8000-000000000002", [secret, secret]);
  const { capture } = pathsFor(home.env);
  // Queued before the person has switched it off.
  const job = { transcript: inside, cwd: secret, projectDir: secret, claude: home.claude };
  enqueue(capture, { ...job, isPlain: true, isOver: true }, new Date());
  await warmUp(home);
  await until("it is out of the queue", () => readJobs(capture).length === 0);
  await succeed(home, ["daemon", "stop"]);
  const refused = await runMemo(home, ["import", "conversations", inside], { executable: MEMO });
  assert.equal(refused.code, 2);
  assert.ok(refused.stderr.includes(SAYS), refused.stderr);
  const rules = await runMemo(home, ["import", join(secret, "CLAUDE.md")], { executable: MEMO });
  assert.ok(rules.stderr.includes(SAYS), rules.stderr);
  assert.equal(api.requests.length, 0);

  await succeed(home, ["import", "conversations", "--all", "--yes"]);
  await succeed(home, ["import", "conversations", mixed, "--again"]);
  const sent = JSON.stringify(api.requests);
  assert.match(sent, /north gate number 0[^]*north gate number 3/);
  assert.doesNotMatch(sent, /quetzal/);
  changeSettingsFile(pathsFor(home.env).config, { "history.transcripts": true });
  const { stdout } = await runMemo(home, ["search", "--history", "gate door"], {
    executable: MEMO,
  });
  assert.match(stdout, /north gate/);
  assert.doesNotMatch(stdout, /quetzal/);
  assert.deepEqual(traces(home).filter((path) => !path.startsWith(capture)), []);
});
