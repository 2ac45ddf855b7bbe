import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changeServer } from "../../src/features/install/install.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, makeHome } from "../support/home.ts";

const SELF = { command: "/opt/memo/memo", args: [] };

function setUp(home: Home) {
  const place = { env: home.env, paths: pathsFor(home.env), cwd: home.project };
  const change = (isWanted: boolean, self = SELF) =>
    changeServer(place, { isWanted, dryRun: false, self });
  return { file: join(home.claude, ".claude.json"), change };
}

Deno.test("the server is registered once, and an uninstall leaves the very bytes of before", async () => {
  const files = [
    '{"numStartups":3,"mcpServers":{},"projects":{"/a":{"x":[1, 2]}}}',
    '{\n  "numStartups": 3\n}\n',
    '{\n\t"mcpServers": {\n\t\t"other": { "command": "x" }\n\t},\n\t"oauthAccount": {"a": 1}\n}',
    "{}",
  ];
  for (const before of files) {
    await using home = makeHome();
    const { file, change } = setUp(home);
    writeFileSync(file, before, { mode: 0o600 });
    change(true);
    const text = readFileSync(file, "utf8");
    assert.deepEqual(JSON.parse(text).mcpServers.memo.args, ["mcp"]);
    assert.equal((change(true)).before, text, "a second install changes nothing");
    assert.equal(readFileSync(file, "utf8"), text);
    const moved = { command: "/elsewhere/memo", args: [] };
    change(true, moved);
    assert.equal(JSON.parse(readFileSync(file, "utf8")).mcpServers.memo.command, moved.command);
    change(false, moved);
    assert.equal(readFileSync(file, "utf8"), before);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  }
});

Deno.test("a file that the install made goes with the server; what Claude Code wrote into it stays", async () => {
  await using home = makeHome();
  const { file, change } = setUp(home);
  change(true);
  change(false);
  assert.ok(!existsSync(file));
  change(true);
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ numStartups: 1, mcpServers }));
  change(false);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { numStartups: 1 });
});

Deno.test("another server called memo is left alone, and broken JSON is never overwritten", async () => {
  await using home = makeHome();
  const { file, change } = setUp(home);
  const other = '{"mcpServers":{"memo":{"command":"uvx","args":["other-memo"]}}}';
  writeFileSync(file, other);
  assert.equal((change(true)).isTaken, true);
  change(false);
  assert.equal(readFileSync(file, "utf8"), other);
  writeFileSync(file, '{"mcpServers": {');
  assert.throws(() => change(true), /Cannot edit `~\/\.claude\/\.claude\.json`/);
  writeFileSync(file, '{"mcpServers": []}');
  assert.throws(() => change(true), /`mcpServers` is an array, not an object/);
});
