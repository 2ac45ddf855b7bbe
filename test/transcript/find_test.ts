import assert from "node:assert/strict";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findTranscript } from "../../src/core/transcript/find.ts";
import { temporaryFolder } from "../support/temp.ts";

function claudeFolder(...names: string[]): { readonly path: string } & Disposable {
  const folder = temporaryFolder();
  for (const name of names) {
    const path = join(folder.path, "projects", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
  }
  return folder;
}

type Folder = { readonly path: string };
const at = ({ path }: Folder, name: string) => join(path, "projects", name);
const find = ({ path }: Folder, session: string) =>
  findTranscript(session, { claude: path, home: path });

Deno.test("findTranscript() finds a session by its id and by an unambiguous beginning", async () => {
  using claude = claudeFolder("-a/11aa.jsonl", "-b/11ab.jsonl", "-b/11ab/subagents/agent-7.jsonl");
  assert.equal(await find(claude, "11ab"), at(claude, "-b/11ab.jsonl"));
  assert.equal(await find(claude, "11aa"), at(claude, "-a/11aa.jsonl"));
  await assert.rejects(find(claude, "11a"), { kind: "usage", hint: /`11aa`, `11ab`/ });
  for (const none of ["12", "agent-7", "", "../-b/11ab", "*"]) {
    await assert.rejects(find(claude, none), { kind: "not-found" });
  }
});

Deno.test("findTranscript() takes a session's own id before its like, and the newer of its transcripts", async () => {
  using claude = claudeFolder("-a/11.jsonl", "-a/112.jsonl", "-b/11.jsonl");
  utimesSync(at(claude, "-b/11.jsonl"), 1000, 1000);
  assert.equal(await find(claude, "11"), at(claude, "-a/11.jsonl"));
});

Deno.test("findTranscript() finds nothing where Claude Code has never run", async () => {
  using folder = temporaryFolder();
  await assert.rejects(find(folder, "11"), { kind: "not-found" });
});

Deno.test("findTranscript() finds the sessions of other clients where they keep them", async () => {
  const id = (end: string) => `01a2091e-f815-7783-b049-0f12bb90${end}`;
  const files = [
    `.codex/sessions/2026/11/23/rollout-2026-11-23T15-55-54-${id("5854")}.jsonl`,
    `.qwen/projects/-home-dev-shop/chats/${id("5855")}.jsonl`,
    `.copilot/session-state/${id("5856")}/events.jsonl`,
  ];
  using home = temporaryFolder();
  const path = (name: string) => {
    mkdirSync(dirname(join(home.path, name)), { recursive: true });
    writeFileSync(join(home.path, name), "");
    return join(home.path, name);
  };
  const paths = files.map(path);
  for (const [i, file] of paths.entries()) {
    assert.equal(await find(home, id(`585${4 + i}`)), file);
  }
  const gemini = path(".gemini/tmp/shop/chats/session-2026-11-23T15-57-682eba46.jsonl");
  const session = "682eba46-4b93-4d12-9afe-9110aeb0ff13";
  assert.equal(await find(home, session), gemini);
});
