// A repository in whatever state: a look ends, throws nothing, says nothing, and no hook notices.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE, runMemo } from "../support/home.ts";
import { engineWith } from "./support.ts";

const REPOSITORIES: Readonly<Record<string, (git: string) => void>> = {
  "without its objects": (git) => {
    rmSync(join(git, "objects"), { recursive: true });
    mkdirSync(join(git, "objects"));
  },
  "with a HEAD that is none": (git) => writeFileSync(join(git, "HEAD"), "no reference"),
  "with a branch that leads nowhere": (git) =>
    writeFileSync(join(git, "refs/heads/main"), `${"1".repeat(40)}\n`),
  "with a broken configuration": (git) => writeFileSync(join(git, "config"), "[core\n"),
  "with more files than are looked at": (git) => {
    const line = (_: unknown, i: number) => `M 100644 inline ${i % 400}/${i}\ndata 0\n`;
    const files = Array.from({ length: 150_001 }, line);
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

/** An engine with a note whose file is gone at HEAD. */
function equipped() {
  const all = engineWith({ Cart: "All of it is in src/cart.ts." }, PATIENCE);
  all.repository.remove("src/cart.ts");
  all.repository.commit("Second");
  const { home, engine, follow } = all;
  /** How many notes a look says something of. */
  const look = async () => {
    await follow();
    return await engine.withIndex(async (index) =>
      (await index.standings.byPath([home.project])).size
    );
  };
  return { ...all, look, git: join(home.project, ".git") };
}

for (const [state, spoil] of Object.entries(REPOSITORIES)) {
  Deno.test(`nothing is said in a repository ${state}, and a hook ends with 0`, async () => {
    await using all = equipped();
    const { home, git, look } = all;
    spoil(git);
    assert.equal(await look(), 0);
    const input = { session_id: "s", cwd: home.project, hook_event_name: "UserPromptSubmit" };
    const prompt = JSON.stringify({ ...input, prompt: "What is in src/cart.ts?" });
    const { code, stderr } = await runMemo(home, ["hook"], { stdin: prompt });
    assert.deepEqual([code, stderr], [0, ""]);
  });
}

Deno.test("a repository that somebody has locked is read as any other", async () => {
  await using all = equipped();
  const { git, look } = all;
  for (const lock of ["index.lock", "HEAD.lock", "refs/heads/main.lock"]) {
    writeFileSync(join(git, lock), "");
  }
  assert.equal(await look(), 1);
});
