import assert from "node:assert/strict";
import { digestOf } from "../../src/core/memory/trust.ts";
import type { NewEntry } from "../../src/features/team/entry.ts";
import { dropWaiting, letWait, waitingIn } from "../../src/features/team/membership.ts";
import { temporaryFolder } from "../support/temp.ts";

function proposal(i: number): NewEntry {
  const body = `---\nname: Rule ${i}\ntype: feedback\n---\nNever do ${i}.\n`;
  return {
    ...{ id: String(i).padStart(10, "0"), kind: "note", state: "proposed", author: "Bo" },
    ...{ body, sha256: digestOf(body), origin: {}, at: "2026-11-23T10:00:00.000Z" },
  };
}

Deno.test("rows wait in their order, and what was let wait while others were sent stays", () => {
  using folder = temporaryFolder();
  const member = { folder: folder.path };
  const rows = Array.from({ length: 12 }, (_, i) => proposal(i));
  for (const row of rows.slice(0, 11)) letWait(member, row);
  const sent = waitingIn(member);
  letWait(member, rows[11]!); // another process, between the read and the removal
  assert.deepEqual(sent.map(({ id }) => id), rows.slice(0, 11).map(({ id }) => id));
  dropWaiting(member, sent);
  assert.deepEqual(waitingIn(member), [rows[11]]);
  dropWaiting(member, waitingIn(member));
  assert.deepEqual(waitingIn(member), []);
});
