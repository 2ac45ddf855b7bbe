import assert from "node:assert/strict";
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  FRESH_SESSION,
  loadSession,
  recordsOf,
  resetSession,
  saveSession,
  type SessionState,
  sweepSessions,
} from "../../src/core/recall/session.ts";
import { temporaryFolder } from "../support/temp.ts";

const STATE: SessionState = {
  delivered: [{
    block: "0011223344556677",
    event: "UserPromptSubmit",
    prompt: "p1",
    at: 5,
    bytes: 12,
    memories: { "/m/a.md": "aabb" },
  }],
  begun: 3,
};

Deno.test("a session is what was saved, until it is reset", () => {
  using temp = temporaryFolder();
  assert.deepEqual(loadSession(temp.path, "s1"), FRESH_SESSION);
  saveSession(temp.path, "s1", STATE);
  assert.deepEqual(loadSession(temp.path, "s1"), STATE);
  assert.deepEqual(loadSession(temp.path, "s2"), FRESH_SESSION);
  resetSession(temp.path, "s1");
  assert.deepEqual(loadSession(temp.path, "s1"), FRESH_SESSION);
});

for (const id of ["../../etc/x", "", "a/b", "con", "x".repeat(500), "日本", ".hidden"]) {
  Deno.test(`the session id ${JSON.stringify(id.slice(0, 20))} stays inside its folder`, () => {
    using temp = temporaryFolder();
    const folder = join(temp.path, "sessions");
    saveSession(folder, id, STATE);
    assert.deepEqual(loadSession(folder, id), STATE);
    assert.deepEqual(readdirSync(temp.path), ["sessions"]);
    const [file] = readdirSync(folder);
    assert.equal(statSync(join(folder, file!)).mode & 0o777, 0o600);
  });
}

for (
  const damage of [
    "",
    "{",
    "null",
    '{"seen":3,"bytes":"x"}',
    '{"handed":3,"begun":"x"}',
    '{"handed":[1,null,{"block":1},{"block":"a","event":"e","at":1,"bytes":1}],"parent":7}',
  ]
) {
  Deno.test(`a session file with ${JSON.stringify(damage)} in it is survived`, () => {
    using temp = temporaryFolder();
    writeFileSync(join(temp.path, "s1.json"), damage);
    assert.deepEqual(loadSession(temp.path, "s1"), FRESH_SESSION);
  });
}

Deno.test("sweepSessions() removes what nobody has used for a month", () => {
  using temp = temporaryFolder();
  saveSession(temp.path, "old", STATE);
  saveSession(temp.path, "new", STATE);
  const now = new Date();
  const before = new Date(now.getTime() - 31 * 86_400_000);
  utimesSync(join(temp.path, "old.json"), before, before);
  sweepSessions(temp.path, now);
  assert.deepEqual(readdirSync(temp.path), ["new.json"]);
  sweepSessions(join(temp.path, "nowhere"), now);
});

Deno.test("recordsOf() finds what any session remembers of a block", () => {
  using temp = temporaryFolder();
  saveSession(temp.path, "s1", STATE);
  saveSession(temp.path, "s2", FRESH_SESSION);
  assert.deepEqual(recordsOf(temp.path, new Set(["0011223344556677"])), STATE.delivered);
  assert.deepEqual(recordsOf(temp.path, new Set(["another"])), []);
  assert.deepEqual(recordsOf(join(temp.path, "nowhere"), new Set(["another"])), []);
});
