// Projects stay apart (issue 11, A): through the executable, with two repositories that have no folder for memories.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { MEMORY, serveReplies } from "./capture/support.ts";
import { type Home, makeHome, PATIENCE, runMemo, succeed, warmUp } from "./support/home.ts";
import { sendHook } from "./support/send_hook.ts";
import { listedNames } from "./support/listed.ts";
import { noteInJournal } from "./support/journal.ts";
import { linkWorktree } from "./support/worktree.ts";

/** A home as a project of it sees it. */
function inside(home: Home, name: string): Home {
  const project = join(home.root, name);
  mkdirSync(project, { recursive: true });
  return { ...home, project };
}

/** A repository in a home. */
function repository(home: Home, name: string): Home {
  mkdirSync(join(home.root, name, ".git"), { recursive: true });
  return inside(home, name);
}

async function memo(home: Home, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await runMemo(home, args);
  return stdout + stderr;
}

/** What the model gets of an event in a project. */
async function say(
  home: Home,
  fixture: string,
  { env = {}, ...fields }: Record<string, unknown> & { env?: Record<string, string> },
): Promise<string> {
  return (await sendHook({ ...home, env: { ...home.env, ...env } }, fixture, fields)).block;
}

const ASKED = "which cluster is staging, and where do we deploy it";

Deno.test("two repositories without folders never see each other's notes or journal", async () => {
  await using home = makeHome(PATIENCE);
  const [one, other] = [repository(home, "one"), repository(home, "other")];
  await memo(one, "add", "Staging is the pegasus cluster, where we deploy");
  await memo(one, "add", "Deploys need the kraken approval", "-t", "progress");
  await warmUp(one);
  const source = { session: "s1", transcript: "/t/s1.jsonl" };
  await noteInJournal(one, source, "Moved staging to leviathan");
  await memo(one, "index");
  await memo(other, "index");

  const secret = /pegasus|kraken|leviathan/;
  assert.match(await say(one, "UserPromptSubmit", { session_id: "s2", prompt: ASKED }), /pegasus/);
  const begun = await say(one, "SessionStart.startup", { session_id: "s3" });
  assert.match(begun, /kraken/);
  assert.match(begun, /leviathan/);
  assert.match(await memo(one, "log", "--journal"), /leviathan/);

  assert.equal(await say(other, "UserPromptSubmit", { session_id: "s4", prompt: ASKED }), "");
  assert.doesNotMatch(await say(other, "SessionStart.startup", { session_id: "s5" }), secret);
  for (
    const args of [
      ["list"],
      ["list", "--json"],
      ["search", "staging cluster deploy pegasus"],
      ["recall", ASKED, "--explain"],
      ["log", "--journal"],
      ["show", "Staging"],
      ["show", "--history", "Staging"],
    ]
  ) {
    assert.doesNotMatch(await memo(other, ...args), secret, args.join(" "));
  }
  // Neither in the home folder itself, where the user's memories alone count.
  const atHome = inside(home, ".");
  assert.equal(await say(atHome, "UserPromptSubmit", { session_id: "s6", prompt: ASKED }), "");
  assert.doesNotMatch(await memo(atHome, "list"), secret);
  // Nothing was left in either repository.
  assert.deepEqual(readdirSync(one.project), [".git"]);
  assert.deepEqual(readdirSync(other.project), [".git"]);
});

Deno.test("subfolders, linked work trees and the model's own cd belong to the project", async () => {
  await using home = makeHome(PATIENCE);
  const one = repository(home, "one");
  repository(home, "one/vendor/lib");
  const other = repository(home, "other");
  linkWorktree(join(one.project, ".git"), join(home.root, "fix"));
  mkdirSync(join(home.root, "one/src/deep"), { recursive: true });
  await memo(one, "add", "Staging is the pegasus cluster, where we deploy");
  await warmUp(one);
  let session = 0;
  const ask = (from: Home, env = {}) =>
    say(from, "UserPromptSubmit", { session_id: `t${session++}`, prompt: ASKED, env });
  for (const name of ["one/src/deep", "fix"]) {
    assert.match(await ask(inside(home, name)), /pegasus/, name);
    assert.match(await memo(inside(home, name), "list"), /pegasus/, name);
  }
  const env = { CLAUDE_PROJECT_DIR: one.project };
  for (const name of ["one/vendor/lib", "other", "."]) {
    assert.match(await ask(inside(home, name), env), /pegasus/, name);
  }
  assert.equal(await ask(other), "");
  // A note that is added in a linked work tree is not lost with it.
  await memo(inside(home, "fix"), "add", "The hotfix branch is cut from v2");
  assert.match(await memo(one, "list"), /hotfix/);
});

Deno.test("what is forgotten in a repository leaves nothing of its text there, and comes back", async () => {
  await using home = makeHome();
  const one = repository(home, "one");
  const { stdout } = await runMemo(one, ["add", "Staging is pegasus", "--scope", "shared"]);
  const path = stdout.trim();
  const shared = join(one.project, ".claude", "memory");
  assert.equal(path, join(shared, "project_staging-is-pegasus.md"));
  await memo(one, "forget", "Staging");
  assert.deepEqual(readdirSync(shared), []);
  assert.deepEqual(await listedNames(one, "--archived"), ["Staging is pegasus"]);
  assert.match(await memo(one, "undo", "--archived", "Staging"), /Restored/);
  assert.ok(existsSync(path));
});

/** Has a conversation in a project captured by hand, with what a language model is to answer. */
async function extractIn(
  home: Home,
  { name, scope = "auto", memories }: {
    readonly name: string;
    readonly scope?: string;
    readonly memories: readonly object[];
  },
): Promise<{ readonly written: readonly string[]; readonly asked: string }> {
  await using api = await serveReplies({
    journal: [{ turn: 1, bullets: ["The user spoke of leviathan"] }],
    memories,
  });
  writeFileSync(
    join(home.memoHome, "config.yaml"),
    `send: capture\nllm: {provider: anthropic, base_url: "${api.url}"}\ncapture: {scope: ${scope}}\n`,
  );
  const line = {
    ...{ type: "user", uuid: `u-${name}`, sessionId: name, cwd: home.project },
    ...{
      timestamp: "2026-11-21T10:00:00Z",
      message: { role: "user", content: "Staging is what?" },
    },
  };
  const transcript = join(home.claude, "projects", name, `${name}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  writeFileSync(transcript, JSON.stringify(line) + "\n");
  const stdout = await succeed(home, [
    "import",
    "conversations",
    transcript,
    "--json",
  ]);
  const { changes } = JSON.parse(stdout);
  return {
    written: changes.map(({ path }: { path: string }) => path),
    asked: JSON.stringify(api.requests),
  };
}

Deno.test("what a conversation leaves is private to its project, and in the repository only if that is set", async () => {
  await using home = makeHome();
  const one = repository(home, "one");
  home.write("one/.claude/memory/theirs.md", "---\nname: Theirs\n---\nStaging is a stranger's.\n");
  const fact = { ...MEMORY, type: "decision", name: "Staging is pegasus", body: "Since May." };
  const first = await extractIn(one, { name: "s1", memories: [fact] });
  const folder = dirname(first.written.find((path) => basename(path).startsWith("decision_"))!);
  assert.equal(dirname(folder), join(home.claude, "memory", "projects"));
  assert.ok(first.written.every((path) => path.startsWith(folder)), first.written.join());
  assert.doesNotMatch(first.asked, /stranger/); // nobody has trusted it
  assert.equal(JSON.parse(readFileSync(join(folder, "project.json"), "utf8")).root, one.project);
  assert.match(readFileSync(join(folder, "MEMORY.md"), "utf8"), /Staging is pegasus/);
  assert.deepEqual(readdirSync(join(one.project, ".claude/memory")), ["theirs.md"]);

  const other = {
    ...fact,
    name: "Deploys are on Tuesdays",
    body: "By hand, at noon, for the shop.",
  };
  const second = await extractIn(one, { name: "s2", scope: "shared", memories: [other] });
  const shared = join(one.project, ".claude/memory");
  assert.ok(second.written.includes(join(shared, "decision_deploys-are-on-tuesdays.md")));
  assert.ok(second.written.some((path) => path.startsWith(join(folder, "journal"))));
  assert.equal(existsSync(join(shared, "journal")), false);
  // What memo has written here itself needs no consent.
  assert.match(await memo(one, "recall", "on which day are deploys, tuesdays?"), /at noon/);
  assert.doesNotMatch(await memo(one, "recall", "staging stranger"), /stranger's/);
});

Deno.test("a block names the project of what is private to it, and what a repository shares", async () => {
  await using home = makeHome();
  const one = repository(home, "one");
  await memo(one, "add", "Staging is the pegasus cluster, where we deploy");
  assert.match(await memo(one, "recall", ASKED), /\[project, project one, today\]/);
  await memo(one, "share", "Staging");
  assert.match(await memo(one, "recall", ASKED), /\[project, shared by the repository, today\]/);
});
