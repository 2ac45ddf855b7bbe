import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { recentTurns } from "../../src/core/transcript/recent.ts";
import { pathsFor } from "../../src/paths.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("the last turns have lost their secrets before they are cut", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "transcript.jsonl");
  const about = "please look at the other thing as well. ".repeat(12); // 480 of 500 characters
  const content = `${about}ghp_${"Ab3dE9".repeat(6)} <private>Zebedee ${"x".repeat(600)}`;
  const line = {
    ...{ type: "user", uuid: "u1", parentUuid: null, sessionId: "s", cwd: folder.path },
    ...{ timestamp: "2026-11-22T05:00:00.000Z", message: { role: "user", content } },
  };
  writeFileSync(path, JSON.stringify(line) + "\n");
  const [said] = await recentTurns(path, 1, pathsFor({ HOME: folder.path }));
  assert.match(said!, /^User: please look/);
  assert.doesNotMatch(said!, /ghp_|Zebedee|<private>/);
});
