import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentNamed, AGENTS } from "../../src/features/install/agents/mod.ts";
import { changeFiles } from "../../src/features/install/record.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, makeHome, MEMO, runMemo, succeed } from "../support/home.ts";

const SELF = { command: MEMO, args: [] };

/** An agent in a home: its files, and what puts memo in or takes it out. */
function setUp(home: Home, name: string) {
  const place = { env: home.env, paths: pathsFor(home.env) }, agent = agentNamed(name)!;
  const files = agent.files(place, SELF).map(({ path }) => path);
  const change = (isWanted: boolean, dryRun = false) =>
    changeFiles(place, agent.files(place, SELF), { isWanted, dryRun, self: SELF });
  return { files, change, ending: (end: string) => files.find((path) => path.endsWith(end))! };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** What a user may have had there, by the file's name. */
const THEIRS: Readonly<Record<string, string>> = {
  "hooks.json": '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"mine"}]}]}}',
  "config.toml": 'model = "gpt-5" # mine\r\n[mcp_servers.other]\r\ncommand = "other"',
  "settings.json":
    '{\n\t"theme": "dark", // mine\n\t"mcpServers": { "other": { "command": "x" } }\n}\n',
  "opencode.json": '{ "model": "loop/m" }',
  "mcp.json": "\n",
};

for (const { name, label } of AGENTS) {
  Deno.test(`memo goes into ${label} and out again, to the byte`, async () => {
    await using home = makeHome();
    const { files, change } = setUp(home, name);
    for (const hadOwn of [false, true]) {
      const theirs = files.map((path) => hadOwn ? THEIRS[path.split("/").at(-1)!] : undefined);
      for (const [i, text] of theirs.entries()) if (text !== undefined) write(files[i]!, text);
      const planned = change(true, true);
      assert.deepEqual(files.map(read), theirs, "nothing is written");

      const made = change(true);
      const installed = files.map(read);
      assert.deepEqual([planned, made].map((all) => all.map(({ after }) => after)), [
        installed,
        installed,
      ]);
      for (const [i, text] of installed.entries()) {
        assert.ok(text!.includes(MEMO) && text!.includes((theirs[i] ?? "").trim().slice(0, 9)));
      }
      for (const { before, after } of change(true)) assert.equal(after, before);
      assert.deepEqual(files.map(read), installed);

      change(false);
      assert.deepEqual(files.map(read), theirs);
      if (!hadOwn) assert.ok(!existsSync(dirname(files[0]!)), "nor the folder");
    }
  });

  Deno.test(`memo leaves what a user changed in ${label}'s files meanwhile`, async () => {
    await using home = makeHome();
    const { files, change } = setUp(home, name);
    change(true);
    const changed = files.filter((path) => path.endsWith("json"));
    for (const path of changed) {
      writeFileSync(path, read(path)!.replace(/^\{/, '{\n  "mine": [1, 2],'));
    }
    change(false);
    for (const left of changed.map(read)) {
      assert.deepEqual(JSON.parse(left!).mine, [1, 2]);
      assert.ok(!left!.includes(MEMO), left!);
    }
  });
}

Deno.test("memo init --agent says what it does, once, and of another server called memo", async () => {
  await using home = makeHome();
  const { ending } = setUp(home, "codex"), path = ending("toml");
  const own = '[mcp_servers.memo]\ncommand = "my-own"\n';
  write(path, own);
  const dry = await runMemo(home, ["init", "--agent", "codex", "--dry-run"]);
  assert.match(dry.stdout, /^\+.*memo/m);
  const { stderr } = await runMemo(home, ["init", "--agent", "codex"]);
  assert.match(
    stderr,
    /warning: `~\/\.codex\/config\.toml` already has an MCP server named `memo`/,
  );
  const again = await runMemo(home, ["init", "--agent", "codex"]);
  assert.match(again.stdout, /^Already installed/);
  await succeed(home, ["uninstall", "--agent", "codex"]);
  assert.equal(read(path), own);
});

/** A file that memo cannot put its part into. */
const REFUSED: readonly [agent: string, file: string, text: string, message: RegExp][] = [
  ["gemini", "settings.json", '{"half": ', /is not a JSON object/],
  ["gemini", "settings.json", '{"mcpServers": 5}', /`mcpServers` is a number, not an object/],
  [
    "gemini",
    "settings.json",
    '{"hooks": {"BeforeAgent": {}}}',
    /`hooks.BeforeAgent` is an object, not an array/,
  ],
  ["cursor", "hooks.json", '{"version": 1, "hooks": []}', /`hooks` is an array, not an object/],
  ["cursor", "mcp.json", '{"mcpServers": null}', /`mcpServers` is null, not an object/],
  ["codex", "config.toml", 'mcp_servers = { a = { command = "x" } }\n', /is an inline table/],
  ["opencode", "opencode.json", '{"mcp": []}', /`mcp` is an array, not an object/],
];

for (const [name, file, text, message] of REFUSED) {
  Deno.test(`\`${text.trim()}\` of ${name}'s is named, and none of its files changed`, async () => {
    await using home = makeHome();
    const { files, change, ending } = setUp(home, name), path = ending(file);
    write(path, text);
    assert.throws(() => change(true), { kind: "file", message });
    assert.deepEqual(files.map(read), files.map((each) => each === path ? text : undefined));
  });
}

Deno.test("a server called memo in the JSON of another agent stays as it is", async () => {
  await using home = makeHome();
  const { files: [path], change } = setUp(home, "gemini");
  const own = { command: "my-own", args: [] };
  write(path!, JSON.stringify({ mcpServers: { memo: own } }));
  assert.deepEqual((change(true)).map(({ isTaken }) => isTaken), [true]);
  const { mcpServers, hooks } = JSON.parse(read(path!)!);
  assert.deepEqual([mcpServers.memo, hooks.BeforeAgent.length], [own, 1]);
});

Deno.test("memo uninstall --purge takes memo out of every agent", async () => {
  await using home = makeHome();
  const agents = AGENTS.map(({ name }) => setUp(home, name));
  for (const { change } of agents) change(true);
  await runMemo(home, ["uninstall", "--purge"]);
  for (const path of agents.flatMap(({ files }) => files)) assert.ok(!existsSync(path), path);
});

Deno.test("the plugin for OpenCode is a module with the hooks that it promises", async () => {
  await using home = makeHome();
  const { files: [path], change } = setUp(home, "opencode");
  change(true);
  home.write("feedback_use-pnpm.md", "---\nname: Use pnpm\ntype: feedback\n---\nNever npm.\n");
  const script = `import { Memo } from ${JSON.stringify(path)};
    const parts = [{ id: "prt_1", type: "text", text: "how do we install packages, with pnpm or npm?" }];
    const session = { get: async ({ path: { id } }) => ({ data: id === "ses_sub" ? { parentID: "ses_1" } : {} }) };
    const options = { client: { session }, directory: ${JSON.stringify(home.project)} };
    const own = [{ ...parts[0], text: "list the files" }];
    await (await Memo(options))["chat.message"]({ sessionID: "ses_sub" }, { parts: own });
    if (own.length > 1) throw new Error("a subagent's prompt is nobody's word");
    await (await Memo(options))["chat.message"]({ sessionID: "ses_1" }, { parts });
    const later = [{ id: "prt_2", type: "text", text: "and what is left to do today?" }];
    await (await Memo(options))["chat.message"]({ sessionID: "ses_1" }, { parts: later });
    if (later.length > 1) throw new Error("the titles are given once, whatever the process");
    console.log(JSON.stringify(parts));`;
  const file = join(home.root, "drive.mjs");
  writeFileSync(file, script);
  const { stdout, stderr } = spawnSync("node", [file], { env: home.env, encoding: "utf8" });
  assert.equal(stderr, "");
  const parts = JSON.parse(stdout) as { id: string; text: string; synthetic?: boolean }[];
  assert.match(parts[1]!.text, /- Use pnpm/);
  assert.ok(parts.slice(1).every(({ synthetic }) => synthetic === true));
  assert.equal(new Set(parts.map(({ id }) => id)).size, parts.length);
});

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
