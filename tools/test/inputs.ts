import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What is not in the repository and decides over the tests too. */
const UNTRACKED = ["dist/model/memo.json"];

/**
 * A hash of everything that the tests run on: each file that Git tracks or would, with its mode, the model, and the runtime.
 * undefined where there is no Git to ask.
 */
export function hashOfInputs(root: string): string | undefined {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  if (status !== 0) return undefined;
  const hash = createHash("sha256").update(JSON.stringify([process.versions, process.platform]));
  const names = new Set([...stdout.split("\0"), ...UNTRACKED]);
  for (const name of [...names].sort()) {
    const path = join(root, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (name === "" || !found?.isFile()) continue;
    hash.update(`${name}\0${found.mode & 0o111}\0`).update(readFileSync(path));
  }
  return hash.digest("hex");
}
