import assert from "node:assert/strict";
import { join } from "node:path";
import { carryOut } from "../../src/core/change/carry_out.ts";
import { addition } from "../../src/core/change/change.ts";
import { readNotices } from "../../src/core/change/follow.ts";
import { isOffered } from "../../src/features/guard/propose.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { pathsFor } from "../../src/paths.ts";
import { surroundings } from "../support/change.ts";
import { makeHome } from "../support/home.ts";
import { memoryOf } from "../support/memory.ts";

const NOW = new Date("2026-11-21T12:00:00Z");

Deno.test("a saved rule of the user that forbids a command is offered as a guard, and one with a condition is not", async () => {
  await using home = makeHome();
  const { notices } = pathsFor(home.env);
  const folder: MemoryFolder = { scope: "user", path: join(home.claude, "memory") };
  const memory = (name: string, tags: readonly string[] = []) =>
    memoryOf({ name, type: "feedback", body: `${name}.`, tags });
  const rules = ["Never force-push", "Never force-push without asking", "Answer in German"];
  const saved = [...rules.map((name) => memory(name)), memory("Never run npm", ["read-web"])];
  await carryOut(saved.map((each) => addition(each, folder)), {
    ...surroundings(NOW),
    notices: { path: notices, session: "s1", isOffered },
  });
  assert.deepEqual(
    readNotices(notices).filter(({ what }) => what === "offered").map(({ name }) => name),
    ["Never force-push"],
  );
});
