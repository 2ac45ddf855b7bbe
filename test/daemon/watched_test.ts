// The daemon says of which folders the index has everything: whatever was written a moment before.

import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isOwnDisk } from "../../src/core/engine/watched_folders.ts";
import { openKnown } from "../../src/core/index/known_memories.ts";
import { call } from "../../src/core/link/socket.ts";
import { readMemories } from "../../src/core/memory/list.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeHome, PATIENCE, warmUp } from "../support/home.ts";
import { until } from "../support/until.ts";

const note = (name: string) => `---\nname: ${name}\n---\nThe body of ${name}\n`;

/** What the files of a folder say; Deno knows their times less exactly than the executable. */
function contents(folder: MemoryFolder) {
  return readMemories(folder).memories.map(({ mtimeMs: _mtimeMs, ...memory }) => memory);
}

/** What is done to files by other programs, and to names that are there then. */
const STEPS: readonly ((at: (name: string) => string) => void)[] = [
  (at) => writeFileSync(at("new.md"), note("New")),
  // The same length and time: of all that can be looked at, the content alone tells.
  (at) => {
    const { mtime } = statSync(at("n1.md"));
    writeFileSync(at("n1.md"), note("Note X"));
    utimesSync(at("n1.md"), mtime, mtime);
  },
  (at) => renameSync(at("new.md"), at("renamed.md")),
  (at) => rmSync(at("n2.md")),
  (at) => {
    mkdirSync(at("deep/er"), { recursive: true });
    writeFileSync(at("deep/er/d.md"), note("Deep"));
  },
  (at) => appendFileSync(at("deep/er/d.md"), "More of it\n"),
  (at) => renameSync(at("deep"), at("moved")),
  (at) => {
    for (let i = 0; i < 150; i++) writeFileSync(at(`many${i}.md`), note(`Many ${i}`));
  },
  (at) => rmSync(at("moved"), { recursive: true }),
];

Deno.test("the index has what was written a moment before, where the daemon says so", async () => {
  await using home = makeHome(PATIENCE);
  for (let i = 0; i < 5; i++) home.write(`n${i}.md`, note(`Note ${i}`));
  await warmUp(home);
  const { claude, socket, db } = pathsFor(home.env);
  const folder: MemoryFolder = { scope: "user", path: join(claude, "memory") };
  const ask = async () =>
    await call("current", { claude, cwd: home.root }, { socket, timeoutMs: 60_000 }) as {
      readonly folders: readonly string[];
    };
  if (process.platform !== "linux" || !isOwnDisk(home.root)) {
    return assert.deepEqual((await ask()).folders, []);
  }
  for (const step of STEPS) {
    step((name) => join(folder.path, name));
    const { folders } = await until("the daemon follows the folder", async () => {
      const answer = await ask();
      return answer.folders.includes(folder.path) && answer;
    });
    const known = (await openKnown(db, folders))!;
    assert.deepEqual(contents({ ...folder, known }), contents(folder), String(step));
  }
});
