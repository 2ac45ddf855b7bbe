import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent } from "../../src/features/install/agents/mod.ts";
import { AGENTS } from "../../src/features/install/agents/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, makeHome, MEMO, runMemo, succeed } from "../support/home.ts";

/** The files of an agent in a home. */
function filesOf(agent: Agent, home: Home): string[] {
  const place = { env: home.env, paths: pathsFor(home.env) };
  return agent.files(place, { command: MEMO, args: [] }).map(({ path }) => path);
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

for (const agent of AGENTS) {
  Deno.test(`memo goes into ${agent.label} and out again, to the byte`, async () => {
    await using home = makeHome();
    const files = filesOf(agent, home);
    for (const hadOwn of [false, true]) {
      const before = new Map<string, string | undefined>();
      for (const path of files) {
        const text = hadOwn ? THEIRS[path.split("/").at(-1)!] : undefined;
        before.set(path, text);
        if (text === undefined) continue;
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      const dry = await runMemo(home, ["init", "--agent", agent.name, "--dry-run"]);
      assert.match(dry.stdout, /^\+.*memo/m);
      for (const [path, text] of before) assert.equal(read(path), text, "nothing is written");

      await succeed(home, ["init", "--agent", agent.name]);
      const installed = files.map(read);
      for (const text of installed) assert.ok(text?.includes(MEMO), text ?? "no file");
      for (const [path, text] of before) {
        if (text) assert.ok(read(path)!.includes(text.trim().slice(0, 9)));
      }
      const again = await runMemo(home, ["init", "--agent", agent.name]);
      assert.match(again.stdout, /^Already installed/);
      assert.deepEqual(files.map(read), installed);

      await succeed(home, ["uninstall", "--agent", agent.name]);
      for (const [path, text] of before) assert.equal(read(path), text, path);
    }
  });

  Deno.test(`memo leaves what a user changed in ${agent.label}'s files meanwhile`, async () => {
    await using home = makeHome();
    await runMemo(home, ["init", "--agent", agent.name]);
    const files = filesOf(agent, home).filter((path) => path.endsWith("json"));
    for (const path of files) {
      writeFileSync(path, read(path)!.replace(/^\{/, '{\n  "mine": [1, 2],'));
    }
    await runMemo(home, ["uninstall", "--agent", agent.name]);
    for (const path of files) {
      const left = read(path)!;
      assert.deepEqual(JSON.parse(left).mine, [1, 2]);
      assert.ok(!left.includes(MEMO), left);
    }
  });

  Deno.test(`memo changes nothing of ${agent.label}'s that it cannot read`, async () => {
    await using home = makeHome();
    const path = filesOf(agent, home).find((each) => each.endsWith("json"))!;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{"half": ');
    const { code, stderr } = await runMemo(home, ["init", "--agent", agent.name]);
    assert.equal(code, 2);
    assert.match(stderr, /is not a JSON object/);
    assert.equal(read(path), '{"half": ');
  });
}

Deno.test("a server called memo that the user set up in Codex stays as it is", async () => {
  await using home = makeHome();
  const codex = AGENTS.find(({ name }) => name === "codex")!;
  const path = filesOf(codex, home).find((each) => each.endsWith("toml"))!;
  mkdirSync(dirname(path), { recursive: true });
  const own = '[mcp_servers.memo]\ncommand = "my-own"\n';
  writeFileSync(path, own);
  const { stderr } = await runMemo(home, ["init", "--agent", "codex"]);
  assert.equal(read(path), own);
  assert.match(stderr, /warning: `~\/\.codex\/config\.toml` has another MCP server called `memo`/);
});

Deno.test("a file of another agent's with another shape is named, and none of them changed", async () => {
  const cases = [
    ["gemini", "settings.json", '{"mcpServers": 5}', /`mcpServers` is no object/],
    [
      "gemini",
      "settings.json",
      '{"hooks": {"BeforeAgent": {}}}',
      /`hooks.BeforeAgent` is no array/,
    ],
    ["cursor", "hooks.json", '{"version": 1, "hooks": []}', /`hooks` is no object/],
    ["cursor", "mcp.json", '{"mcpServers": null}', /`mcpServers` is no object/],
    ["codex", "config.toml", 'mcp_servers = { a = { command = "x" } }\n', /is an inline table/],
    ["opencode", "opencode.json", '{"mcp": []}', /`mcp` is no object/],
  ] as const;
  for (const [name, file, text, message] of cases) {
    await using home = makeHome();
    const files = filesOf(AGENTS.find((agent) => agent.name === name)!, home);
    const path = files.find((each) => each.endsWith(file))!;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const { code, stderr } = await runMemo(home, ["init", "--agent", name]);
    assert.equal(code, 2);
    assert.match(stderr, message);
    assert.deepEqual(files.map(read), files.map((each) => each === path ? text : undefined));
  }
});

Deno.test("so does one in the JSON of another agent", async () => {
  await using home = makeHome();
  const gemini = AGENTS.find(({ name }) => name === "gemini")!;
  const [path] = filesOf(gemini, home) as [string];
  mkdirSync(dirname(path), { recursive: true });
  const own = { command: "my-own", args: [] };
  writeFileSync(path, JSON.stringify({ mcpServers: { memo: own } }));
  await runMemo(home, ["init", "--agent", "gemini"]);
  const { mcpServers, hooks } = JSON.parse(read(path)!);
  assert.deepEqual(mcpServers.memo, own);
  assert.equal(hooks.BeforeAgent.length, 1);
});

Deno.test("memo uninstall --purge takes memo out of every agent", async () => {
  await using home = makeHome();
  for (const { name } of AGENTS) await runMemo(home, ["init", "--agent", name]);
  await runMemo(home, ["uninstall", "--purge"]);
  for (const path of AGENTS.flatMap((agent) => filesOf(agent, home))) {
    assert.equal(existsSync(path), false, path);
  }
});

Deno.test("the plugin for OpenCode is a module with the hooks that it promises", async () => {
  await using home = makeHome();
  await runMemo(home, ["init", "--agent", "opencode"]);
  const [path] = filesOf(AGENTS.find(({ name }) => name === "opencode")!, home);
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
