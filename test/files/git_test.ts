import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { makeHome, runMemo } from "../support/home.ts";

Deno.test("git finds no `ssh` in a project or in `node_modules`, and the one outside of them", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"));
  const ssh = (name: string, ...folder: string[]) => {
    const path = join(home.root, ...folder);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "ssh"), `#!/bin/sh\necho >> "${join(home.root, name)}"\nexit 1\n`);
    chmodSync(join(path, "ssh"), 0o755);
    return path;
  };
  const folders = [
    ssh("trapped", "project", "bin"),
    ssh("trapped", "project", "node_modules", ".bin"),
    ssh("trapped", "other", "node_modules", ".bin"),
    ssh("usual", "bin"),
    "/usr/bin",
    "/bin",
  ];
  const env = { ...home.env, PATH: folders.join(delimiter) };
  const remote = "ssh://git@127.0.0.1:1/memories.git";
  const { code } = await runMemo({ ...home, env }, ["sync", "init", remote]);
  assert.notEqual(code, 0);
  assert.equal(existsSync(join(home.root, "trapped")), false);
  assert.equal(existsSync(join(home.root, "usual")), true);
});
