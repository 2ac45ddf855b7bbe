// What a command does when a model runs it in Claude Code's shell: whose word a note is, a person alone decides.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Home, makeHome, runMemo } from "../support/home.ts";

const OWN = "---\nname: Ask Ada\ntype: feedback\n---\nAsk Ada before a release.\n";
const SEEN =
  "---\nname: Mirror\ntype: reference\ntags: [read-web]\n---\nPackages: orbit.example.\n";

/** A home with a note of the user's and one from a page, and a shell of Claude Code's in it. */
function makeShell(): { readonly home: Home; readonly model: Home; own: string; seen: string } {
  const home = makeHome();
  mkdirSync(join(home.project, ".git"));
  const [own, seen] = [home.keep("own.md", OWN), home.keep("seen.md", SEEN)];
  return { home, model: { ...home, env: { ...home.env, CLAUDECODE: "1" } }, own, seen };
}

const REFUSED =
  /from within Claude Code: only you can decide that\n\nhint: Run `memo (.*)` in your/;

async function refused(home: Home, args: readonly string[]): Promise<string | undefined> {
  const { code, stderr } = await runMemo(home, [...args]);
  assert.equal(code, 2, `${args.join(" ")}\n${stderr}`);
  return REFUSED.exec(stderr)?.[1];
}

Deno.test("a command that a model runs neither changes a note of the user's nor lifts another", async () => {
  const { home, model, own, seen } = makeShell();
  await using _ = home;
  const unmark = home.write("unmark.sh", '#!/bin/sh\nsed -i "s/read-web/x/;s/Ada/Bo/" "$1"\n');
  const edits = { ...model, env: { ...model.env, EDITOR: `sh ${unmark}` } };
  const shared = home.write(
    "project/.claude/memory/theirs.md",
    "---\nname: Theirs\n---\nDeploys are signed by Bo.\n",
  );
  await runMemo(home, ["trust", "--yes"]);
  assert.equal(await refused(model, ["forget", "own.md"]), "forget own.md");
  assert.equal(await refused(model, ["forget", "--type", "feedback", "--yes"]), "forget own.md");
  assert.equal(await refused(model, ["forget", "own.md", "--hard", "--yes"]), "forget NAME --hard");
  assert.equal(await refused(edits, ["edit", "own.md"]), "edit own.md");
  assert.equal(await refused(edits, ["edit", "seen.md"]), "edit seen.md");
  assert.equal(await refused(model, ["edit", "own.md", "--never", "release it"]), "edit own.md");
  assert.equal(await refused(model, ["edit", "--pin", "own.md"]), "edit --pin own.md");
  assert.equal(await refused(model, ["edit", "--pin", "seen.md"]), "edit --pin seen.md");
  assert.equal(await refused(model, ["share", "own.md"]), "share own.md");
  assert.equal(
    await refused(model, ["share", "--undo", "theirs.md"]),
    "share --undo project_theirs.md",
  );
  home.write("project/.claude/memory/more.md", "---\nname: More\n---\nTests need Redis.\n");
  assert.equal(await refused(model, ["trust", "--yes"]), "trust");
  assert.equal(await refused(model, ["sync", "init", home.root]), "sync init REMOTE");
  assert.deepEqual([own, seen].map((path) => readFileSync(path, "utf8")), [OWN, SEEN]);
  assert.ok(existsSync(shared));
});

Deno.test("a command that a model runs takes back no change of the user's, and imports nothing as theirs", async () => {
  const { home, model, own } = makeShell();
  await using _ = home;
  await runMemo(home, ["add", "Releases are signed by Ada", "--type", "feedback"]);
  assert.match((await refused(model, ["undo"]))!, /^undo feedback_releases/);
  await runMemo(home, ["edit", "--pin", "own.md"]);
  assert.equal(await refused(model, ["edit", "own.md", "--no-pin"]), "edit --no-pin own.md");
  assert.equal(await refused(model, ["undo", "own.md"]), "undo own.md");
  await runMemo(home, ["forget", "own.md"]);
  assert.equal(await refused(model, ["undo", "own.md", "--archived"]), "undo own.md");
  assert.equal(existsSync(own), false);

  const bundle = join(home.root, "export");
  assert.equal((await runMemo(home, ["export", bundle])).code, 0);
  assert.equal(await refused(model, ["import", "memo", bundle]), "import memo PATH");
});

Deno.test("a command that a model runs may forget what is not the user's word, and take that back", async () => {
  const { home, model, seen } = makeShell();
  await using _ = home;
  assert.equal((await runMemo(model, ["forget", "seen.md"])).code, 0);
  assert.equal(existsSync(seen), false);
  assert.equal((await runMemo(model, ["undo", "seen.md"])).code, 0);
  assert.equal(readFileSync(seen, "utf8"), SEEN);
});
