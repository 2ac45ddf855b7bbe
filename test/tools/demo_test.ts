import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("the demo shows its own memories, wherever the user's are", () => {
  using folder = temporaryFolder();
  const claude = join(folder.path, "claude");
  mkdirSync(claude);
  const demo = fileURLToPath(new URL("../../tools/demo.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(Deno.execPath(), ["run", "-A", "--no-check", demo], {
    env: { ...process.env, CLAUDE_CONFIG_DIR: claude, CLAUDE_HEADLESS: "1" },
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\n\d+ memories, \d+ passages/);
  assert.match(stdout, /table `stripe_events`/);
  assert.match(stdout, /escucha en el puerto 5433/);
  assert.deepEqual(readdirSync(claude), []);
});
