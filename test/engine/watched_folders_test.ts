// What is known of changed files without a look at them, and when only a look can tell.

import assert from "node:assert/strict";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { type Watch, WatchedFolders } from "../../src/core/engine/watched_folders.ts";
import { walkMemoryFiles } from "../../src/core/memory/folder.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A folder of two files, one in a folder below, whose changes are told by hand, and memo's own at once. */
function watchedFolder(more: Partial<MemoryFolder> = {}) {
  const temp = temporaryFolder();
  const folder: MemoryFolder = { scope: "user", path: join(temp.path, "memory"), ...more };
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("below"), { recursive: true });
  for (const name of ["a.md", "below/b.md"]) writeFileSync(at(name), name);
  const told = new Map<string, (kind: string, name: string | null) => void>();
  const own = join(temp.path, "own");
  let isDeaf = false;
  const watch: Watch = (path, _options, changed) => {
    told.set(path, changed);
    const watcher = { on: () => watcher, close: () => void told.delete(path) } as never;
    return watcher;
  };
  const watched = new WatchedFolders(own, watch);
  return {
    ...{ folder, at, watched, told },
    /** Looks at the whole folder. */
    look() {
      const walker = watched.begin(folder);
      const files = [...walkMemoryFiles(folder, [], walker)].map(({ path }) => basename(path));
      watched.ended(folder);
      return files.sort();
    },
    /** Tells of memo's two files, or of the first alone, and of what comes behind that. */
    async settled({ behind = () => {}, done = () => {}, isCertain = true } = {}) {
      const settling = watched.settled({ isCertain }).finally(done);
      for (let i = 0; i < (isCertain ? 2 : 1) && !isDeaf && existsSync(own); i++) {
        for (const name of readdirSync(own)) told.get(own)!("rename", name);
        if (i === 0) behind();
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      return await settling;
    },
    deafen: () => isDeaf = true,
    tell: (name: string, below = "") => told.get(below === "" ? folder.path : at(below))!("", name),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

Deno.test("nothing is known of a folder before it was looked at, and then what has changed, once", async () => {
  using made = watchedFolder();
  const { watched, folder, at } = made;
  assert.equal(await made.settled(), false);
  assert.equal(watched.take(folder), undefined);
  assert.deepEqual(made.look(), ["a.md", "b.md"]);
  assert.ok(await made.settled());
  assert.deepEqual(watched.take(folder), []);
  for (const name of ["a.md", "a.md", ".a.md.swp", "MEMORY.md", "a.md~"]) made.tell(name);
  made.tell("b.md", "below");
  assert.deepEqual(watched.take(folder), [at("a.md"), at("below/b.md")]);
  assert.deepEqual(watched.take(folder), []);
});

Deno.test("what changes during the look is told after it", () => {
  using made = watchedFolder();
  const { watched, folder, at } = made;
  for (const _file of walkMemoryFiles(folder, [], watched.begin(folder))) made.tell("a.md");
  assert.equal(watched.has(folder.path), false);
  watched.ended(folder);
  assert.deepEqual(watched.take(folder), [at("a.md")]);
});

/** What makes a folder one that only a look can tell of. */
const LOST: Readonly<Record<string, (made: ReturnType<typeof watchedFolder>) => void>> = {
  "a folder is new": (made) => {
    mkdirSync(made.at("new"));
    made.tell("new");
  },
  "a folder has gone": (made) => {
    renameSync(made.at("below"), join(made.folder.path, "..", "gone"));
    made.tell("below");
  },
  "another folder is in its place": ({ folder }) => {
    renameSync(folder.path, `${folder.path}-before`);
    mkdirSync(folder.path);
  },
  "the folder itself has gone": (made) => made.told.get(made.folder.path)!("rename", null),
  "many files have changed": (made) => {
    for (let i = 0; i < 101; i++) made.tell(`${i}.md`);
  },
};
for (const [what, happens] of Object.entries(LOST)) {
  Deno.test(`only a look at a folder can tell when ${what}, and nothing watches it any more`, () => {
    using made = watchedFolder();
    made.look();
    happens(made);
    assert.equal(made.watched.take(made.folder), undefined);
    assert.equal(made.told.size, 0);
    mkdirSync(made.folder.path, { recursive: true });
    made.look();
    assert.deepEqual(made.watched.take(made.folder), []);
  });
}

/** What can be changed where nobody sees it. */
const UNSEEN: typeof LOST = {
  "a link": ({ at }) => symlinkSync(at("a.md"), at("c.md")),
  "a file with two names": ({ at }) => linkSync(at("a.md"), at("../elsewhere.md")),
};
for (const [what, make] of Object.entries(UNSEEN)) {
  Deno.test(`a folder with ${what} is not watched`, () => {
    using made = watchedFolder();
    make(made);
    made.look();
    assert.equal(made.watched.take(made.folder), undefined);
  });
}

Deno.test("a folder whose files need the user's yes is not watched", () => {
  using made = watchedFolder({ scope: "shared", trust: "/trust.json" });
  made.look();
  assert.equal(made.told.size, 0);
});

Deno.test("nothing is taken for settled until memo's own file has come through; for a prompt one is enough", async () => {
  using made = watchedFolder();
  made.look();
  for (const isCertain of [true, false]) assert.ok(await made.settled({ isCertain }));
  made.deafen();
  assert.equal(await made.settled(), false);
});

Deno.test("what the system tells of right behind memo's own file is known, too", async () => {
  using made = watchedFolder();
  made.look();
  let taken: readonly string[] | undefined;
  await made.settled({
    behind: () => void setImmediate(() => made.tell("a.md")),
    done: () => taken = made.watched.take(made.folder),
  });
  assert.deepEqual(taken, [made.at("a.md")]);
});

Deno.test("after more changes than the system keeps everything is looked at again", async () => {
  using made = watchedFolder();
  made.look();
  for (let i = 0; i < 8193; i++) made.tell(".swp");
  await made.settled();
  assert.equal(made.watched.take(made.folder), undefined);
});
