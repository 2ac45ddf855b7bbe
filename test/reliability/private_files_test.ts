// Everything that memo writes is its owner's alone, whatever the umask of who runs it; with the real executable.

import assert from "node:assert/strict";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readFixture } from "../support/fixtures.ts";
import { type Home, makeHome, MEMO, PATIENCE, succeed } from "../support/home.ts";

/** Runs memo with nothing masked. */
async function openly(home: Home, args: readonly string[], input?: object): Promise<void> {
  const script = ["-c", 'umask 0 && exec "$0" "$@"', MEMO, ...args];
  const stdin = input === undefined ? "" : JSON.stringify(input);
  await succeed(home, script, { stdin, executable: "/bin/sh" });
}

/** The files and folders below one that others may read, write or enter, but for another name of the executable. */
function openToOthers(folder: string): string[] {
  const { dev, ino } = lstatSync(MEMO);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => {
      const stats = lstatSync(path);
      return !stats.isSymbolicLink() && (stats.mode & 0o077) !== 0 &&
        !(stats.dev === dev && stats.ino === ino);
    });
}

Deno.test({
  name: "all that memo writes is readable by its user alone, whatever the umask, r10",
  ignore: process.platform === "win32",
  async fn() {
    await using home = makeHome(PATIENCE, { isUnpacked: false, hasModel: true });
    const transcript_path = home.write(".claude/projects/p/s1.jsonl", "{}\n");
    const event = { cwd: home.project, session_id: "s1", transcript_path };
    await openly(home, ["add", "The kiln's port is 7070.", "--name", "Kiln", "--scope", "user"]);
    await openly(home, ["add", "The anvil is blue.", "--name", "Anvil", "--scope", "project"]);
    await openly(home, ["config", "set", "llm.provider=none"]);
    await openly(home, ["index"]);
    await openly(home, ["daemon", "start"]);
    for (const name of ["SessionStart.startup", "UserPromptSubmit", "Stop", "SessionEnd.other"]) {
      await openly(home, ["hook"], { ...readFixture(name), ...event });
    }
    await openly(home, ["forget", "Kiln"]);
    await openly(home, ["daemon", "stop"]);
    await openly(home, ["init"]);
    const own = [home.memoHome, join(home.claude, "memory")];
    assert.ok(own.every((folder) => readdirSync(folder).length > 1));
    assert.deepEqual(own.flatMap(openToOthers), []);
  },
});
