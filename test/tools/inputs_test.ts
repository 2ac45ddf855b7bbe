import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOfInputs } from "../../tools/test/inputs.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("hashOfInputs() changes with every file that a test may read, and with nothing else", () => {
  using folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  assert.equal(hashOfInputs(folder.path), undefined, "no Git, no hash");
  spawnSync("git", ["init", "--quiet"], { cwd: folder.path });
  write(".gitignore", "ignored\n/dist/\n");
  write("a.ts", "one");
  spawnSync("git", ["add", "a.ts"], { cwd: folder.path });
  const seen = [hashOfInputs(folder.path)!];
  const isNew = (what: string) => {
    const hash = hashOfInputs(folder.path)!;
    assert.ok(!seen.includes(hash), what);
    seen.push(hash);
  };
  write("a.ts", "two");
  isNew("a change");
  write("b.ts", "three");
  isNew("a file that is not tracked yet");
  chmodSync(join(folder.path, "b.ts"), 0o755);
  isNew("a mode");
  mkdirSync(join(folder.path, "dist/model"), { recursive: true });
  write("dist/model/memo.json", "{}");
  isNew("another model");
  rmSync(join(folder.path, "a.ts"));
  isNew("a file less");
  write("ignored", "four");
  assert.equal(hashOfInputs(folder.path), seen.at(-1), "what Git ignores");
});
