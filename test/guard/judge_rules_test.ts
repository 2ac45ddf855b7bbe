import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { noteJudgements } from "../../src/capture/verdicts.ts";
import { carryOut } from "../../src/change/carry_out.ts";
import { addition } from "../../src/change/change.ts";
import { readNotices } from "../../src/change/notices.ts";
import { isOffered } from "../../src/guard/propose.ts";
import { judgeRules } from "../../src/guard/judge_rules.ts";
import { addGuard } from "../../src/guard/guards.ts";
import { readMemoryFile } from "../../src/memory/folder.ts";
import type { Memory, MemoryFolder } from "../../src/memory/memory.ts";
import { keyOf } from "../../src/memory/suggested.ts";
import { pathsFor } from "../../src/paths.ts";
import { surroundings } from "../support/change.ts";
import { makeHome } from "../support/home.ts";

const NOW = new Date("2026-11-21T12:00:00Z");

Deno.test("a rule that climbs to the top is offered as a guard, unless it is one already", async () => {
  await using home = makeHome();
  const paths = pathsFor(home.env);
  const folder: MemoryFolder = { scope: "user", path: join(home.claude, "memory") };
  const path = home.write("rule.md", "---\nname: Never force-push\ntype: feedback\n---\nNever.\n");
  const key = keyOf(readMemoryFile(path, "user"));
  const judge = (at: string) => {
    const turns = [{ turn: at, verdict: "corrected" }] as const;
    const judged = [{ path, key, session: "s1", at, given: 1, turns }];
    noteJudgements(paths.obedience, judged);
    judgeRules(judged, { engine: { paths, isBackground: true }, folders: [folder], now: NOW });
  };
  const atMoment = () =>
    writeFileSync(
      paths.escalations,
      JSON.stringify({ path, key, rung: "moment", at: "2026-11-20T12:00:00Z" }) + "\n",
    );
  atMoment();
  judge("2026-11-21T10:00:00Z");
  assert.deepEqual(
    readNotices(paths.notices).map(({ what, name, session }) => [what, name, session]),
    [["offered", "Never force-push", "s1"]],
  );

  await addGuard(paths.guards, {
    ...{
      path,
      key,
      patterns: [{ command: "git push --force" }],
      mode: "ask",
      at: NOW.toISOString(),
    },
  });
  atMoment();
  judge("2026-11-21T11:00:00Z");
  assert.equal(readNotices(paths.notices).length, 1);
});

Deno.test("a saved rule that forbids a command is offered as a guard, and one with a condition is not", async () => {
  await using home = makeHome();
  const { notices } = pathsFor(home.env);
  const folder: MemoryFolder = { scope: "user", path: join(home.claude, "memory") };
  const memory = (name: string): Memory => ({
    ...{
      name,
      description: "",
      type: "feedback",
      body: `${name}.`,
      triggers: [],
      tags: [],
      confidence: 0.9,
    },
    ...{ pinned: false, created: undefined, updated: undefined, supersedes: [], source: undefined },
  });
  const rules = ["Never force-push", "Never force-push without asking", "Answer in German"];
  await carryOut(rules.map((name) => addition(memory(name), folder)), {
    ...surroundings(NOW),
    notices: { path: notices, session: "s1", isOffered },
  });
  assert.deepEqual(
    readNotices(notices).filter(({ what }) => what === "offered").map(({ name }) => name),
    ["Never force-push"],
  );
});
