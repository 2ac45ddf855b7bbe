// A repository in whatever state: a look ends, throws nothing, says nothing, and no hook notices.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../../src/core/engine/engine.ts";
import { followHead } from "../../src/features/head/follow_head.ts";
import { memoryFolders, placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { dateOf, gitHistory } from "../support/git_history.ts";
import { type Home, makeHome, PATIENCE, runMemo } from "../support/home.ts";

const REPOSITORIES: Readonly<Record<string, (git: string, home: Home) => void>> = {
  "without its objects": (git) => {
    rmSync(join(git, "objects"), { recursive: true });
    mkdirSync(join(git, "objects"));
  },
  "with a HEAD that is none": (git) => writeFileSync(join(git, "HEAD"), "no reference"),
  "with a branch that leads nowhere": (git) =>
    writeFileSync(join(git, "refs/heads/main"), `${"1".repeat(40)}\n`),
  "with a broken configuration": (git) => writeFileSync(join(git, "config"), "[core\n"),
  "with more files than are looked at": (git) => {
    const files = Array.from(
      { length: 150_001 },
      (_, i) => `M 100644 inline ${i % 400}/${i}\ndata 0\n`,
    );
    const head =
      "commit refs/heads/main\ncommitter A <a@a> 1772800000 +0000\ndata 0\nfrom refs/heads/main^0\n";
    execFileSync("git", ["--git-dir", git, "fast-import", "--quiet"], {
      input: head + files.join(""),
    });
  },
  "that is a file": (git) => {
    rmSync(git, { recursive: true });
    writeFileSync(git, "gitdir: /nonexistent/of/nobody\n");
  },
  "that is an empty folder": (git) => {
    rmSync(git, { recursive: true });
    mkdirSync(git);
  },
};

/** A home with a note whose file is gone at HEAD. */
function equipped() {
  const home = makeHome(PATIENCE);
  const repository = gitHistory(home.project);
  repository.write("src/cart.ts", "export const cart = 1;\n".repeat(20));
  repository.write("src/tax.ts", "export const tax = 2;\n".repeat(20));
  repository.commit("First");
  repository.remove("src/cart.ts");
  repository.commit("Second");
  const front = `name: Cart\ntype: project\ncreated: ${dateOf(1)}`;
  home.keep("cart.md", `---\n${front}\n---\nAll of it is in src/cart.ts.\n`);
  return { home, git: join(home.project, ".git"), repository };
}

/** How many notes a look says something of. */
async function look({ env, project }: Home): Promise<number> {
  const paths = pathsFor(env), log = () => {};
  const engine = new Engine({ paths, env, log, background: false });
  try {
    const place = placeIn(paths, project), now = new Date(dateOf(9));
    for (const folder of memoryFolders(place)) await engine.sync(folder);
    const { signal } = new AbortController();
    await followHead({ engine, place, env, log, now, signal, after: "SessionStart" });
    return await engine.withIndex(async (index) => (await index.standings.byPath([project])).size);
  } finally {
    await engine.close();
  }
}

for (const [state, spoil] of Object.entries(REPOSITORIES)) {
  Deno.test(`nothing is said in a repository ${state}, and a hook ends with 0`, async () => {
    const { home, git } = equipped();
    await using _home = home;
    spoil(git, home);
    assert.equal(await look(home), 0);
    const input = { session_id: "s", cwd: home.project, hook_event_name: "UserPromptSubmit" };
    const prompt = JSON.stringify({ ...input, prompt: "What is in src/cart.ts?" });
    const { code, stderr } = await runMemo(home, ["hook"], { stdin: prompt });
    assert.deepEqual([code, stderr], [0, ""]);
  });
}

Deno.test("a repository that somebody has locked is read as any other", async () => {
  const { home, git } = equipped();
  await using _home = home;
  for (const lock of ["index.lock", "HEAD.lock", "refs/heads/main.lock"]) {
    writeFileSync(join(git, lock), "");
  }
  assert.equal(await look(home), 1);
});
