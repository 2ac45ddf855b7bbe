import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commitDates, withCommitDates } from "../../src/core/memory/list.ts";
import { memoryFile } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";
import { dateOf, gitHistory } from "../support/git_history.ts";

const iso = (day: number) => new Date(dateOf(day)).toISOString();

/** A repository with a folder of memories, whose commits are a day apart. */
function repository(root: string) {
  const { git, write, commit } = gitHistory(root);
  const folder = join(root, ".claude", "memory");
  return {
    ...{ folder, git, commit },
    write: (name: string, text: string) => {
      write(`.claude/memory/${name}`, text);
      return join(folder, name);
    },
  };
}

Deno.test("commitDates() tells when a file was last committed, and leaves out what has changed since", async () => {
  using temp = temporaryFolder();
  const { folder, write, commit } = repository(temp.path);
  const a = write("a.md", "A");
  const b = write("deep/b ñ.md", "B");
  const c = write("c.md", "C");
  commit("x");
  write("a.md", "A, again");
  commit("x");
  write("c.md", "C, not committed");
  const d = write("d.md", "D, new");
  const dates = await commitDates(folder, [a, b, c, d]);
  assert.deepEqual(
    new Map([...dates].map(([path, date]) => [path, new Date(date).toISOString()])),
    new Map([[a, iso(2)], [b, iso(1)]]),
  );
});

Deno.test("commitDates() runs nothing that a repository's settings name, and does without one", async () => {
  using temp = temporaryFolder();
  const { folder, git, write, commit } = repository(temp.path);
  const a = write("a.md", "A");
  commit("x");
  const ran = join(temp.path, "ran");
  const script = join(temp.path, "script");
  writeFileSync(script, `#!/bin/sh\necho "$0" >> '${ran}'\ncat\n`, { mode: 0o755 });
  for (
    const key of [
      "core.fsmonitor",
      "gpg.program",
      "core.pager",
      "diff.external",
      "diff.x.textconv",
      "filter.x.clean",
    ]
  ) {
    git("config", key, script);
  }
  git("config", "log.showSignature", "true");
  writeFileSync(join(folder, ".gitattributes"), "*.md diff=x filter=x\n");
  assert.equal((await commitDates(folder, [a])).size, 1);
  assert.equal(existsSync(ran), false, existsSync(ran) ? readFileSync(ran, "utf8") : "");
  using plain = temporaryFolder();
  writeFileSync(join(plain.path, "a.md"), "A");
  assert.equal((await commitDates(plain.path, [join(plain.path, "a.md")])).size, 0);
});

Deno.test("withCommitDates() dates shared memories that say nothing themselves", async () => {
  using temp = temporaryFolder();
  const { folder, write, commit } = repository(temp.path);
  const path = write("a.md", "A");
  commit("x");
  assert.equal(dirname(path), folder);
  const file = memoryFile({ path, scope: "shared" });
  const dated = { ...file, updated: "2026-01-01" };
  const shared = await withCommitDates({ scope: "shared", path: folder }, [file, dated]);
  assert.equal(new Date(shared[0]!.created!).toISOString(), iso(1));
  assert.equal(shared[1], dated);
  assert.deepEqual(await withCommitDates({ scope: "user", path: folder }, [file]), [file]);
});
