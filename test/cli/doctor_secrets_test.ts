import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeHome, runMemo } from "../support/home.ts";
import { chars } from "../redact/planted.ts";

const TOKEN = "ghp_" + chars(36);
const PASSWORD = "Tr0ub4dor" + "&3x";

Deno.test("r10: memo doctor --secrets finds what lies in memo's files, and --fix takes it out", async () => {
  await using home = makeHome();
  const memory = home.write(
    "tool_deploy.md",
    `---\nname: ${TOKEN}\ndescription: the key of deploys\ntype: tool\nmine: kept # by hand\n---\nUse it.\n`,
  );
  const archived = home.keep(".archive/tool_old.20261101-101010.md", `la clave es ${PASSWORD}\n`);
  const journal = home.keep("journal/2026-11-20.md", `## 10:00\n- the password is ${PASSWORD}\n`);
  mkdirSync(home.memoHome, { recursive: true });
  const receipts = join(home.memoHome, "receipts.jsonl");
  const line = { at: "2026-11-20", prompt: `token "${TOKEN}" there` };
  writeFileSync(receipts, `${JSON.stringify(line)}\n{"half\n`);
  const files = () =>
    [archived, journal, receipts].map((path) => readFileSync(path, "utf8")).join();

  const found = await runMemo(home, ["doctor", "--secrets", "--json"]);
  assert.equal(found.code, 1, found.stderr);
  const leaks = JSON.parse(found.stdout) as { path: string; state: string }[];
  assert.deepEqual(
    leaks.map(({ path }) => path).sort(),
    [archived, journal, memory, receipts].sort(),
  );
  assert.ok(readFileSync(memory, "utf8").includes(TOKEN) && files().includes(PASSWORD));

  const fixed = await runMemo(home, ["doctor", "--secrets", "--fix"]);
  assert.equal(fixed.code, 0, fixed.stdout + fixed.stderr);
  assert.ok(!files().includes(TOKEN) && !files().includes(PASSWORD), files());
  assert.equal(JSON.parse(readFileSync(receipts, "utf8").split("\n")[0]!).at, "2026-11-20");
  const folder = join(home.claude, "memory");
  const all = readdirSync(folder).filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  assert.ok(!all.includes(TOKEN) && /mine: kept # by hand/.test(all), all);
  assert.deepEqual(readdirSync(join(folder, ".archive")), ["changes.jsonl"]);
  const list = await runMemo(home, ["list", "--json"]);
  assert.match(list.stdout, /\[redacted:github\]/);

  const again = await runMemo(home, ["doctor", "--secrets"]);
  assert.equal(again.code, 0);
  assert.equal(again.stdout, "No secrets found\n");
});
