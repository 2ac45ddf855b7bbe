import assert from "node:assert/strict";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findTranscript } from "../../src/transcript/find.ts";
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

Deno.test("findTranscript() finds a session by its id and by an unambiguous beginning", () => {
  using claude = claudeFolder("-a/11aa.jsonl", "-b/11ab.jsonl", "-b/11ab/subagents/agent-7.jsonl");
  assert.equal(findTranscript("11ab", claude.path), join(claude.path, "projects/-b/11ab.jsonl"));
  assert.equal(findTranscript("11aa", claude.path), join(claude.path, "projects/-a/11aa.jsonl"));
  assert.throws(() => findTranscript("11a", claude.path), {
    kind: "usage",
    hint: /`11aa`, `11ab`/,
  });
  for (const none of ["12", "agent-7", "", "../-b/11ab", "*"]) {
    assert.throws(() => findTranscript(none, claude.path), { kind: "not-found" });
  }
});

Deno.test("findTranscript() takes a session's own id though another begins like it", () => {
  using claude = claudeFolder("-a/11.jsonl", "-a/112.jsonl");
  assert.equal(findTranscript("11", claude.path), join(claude.path, "projects/-a/11.jsonl"));
});

Deno.test("findTranscript() takes the newer of two transcripts of one session", () => {
  using claude = claudeFolder("-a/11.jsonl", "-b/11.jsonl");
  const [older, newer] = ["-b", "-a"].map((name) =>
    join(claude.path, "projects", name, "11.jsonl")
  );
  utimesSync(older!, 1000, 1000);
  assert.equal(findTranscript("11", claude.path), newer);
});

Deno.test("findTranscript() finds nothing where Claude Code has never run", () => {
  using folder = temporaryFolder();
  assert.throws(() => findTranscript("11", folder.path), { kind: "not-found" });
});
