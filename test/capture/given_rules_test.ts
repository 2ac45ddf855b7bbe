import assert from "node:assert/strict";
import { readReply } from "../../src/capture/candidate.ts";
import { planCapture } from "../../src/capture/capture.ts";
import { mergedByTurn } from "../../src/capture/given_rules.ts";
import type { Judgement } from "../../src/capture/verdicts.ts";
import { makeHome } from "../support/home.ts";
import { captureContext, serveReplies, turn } from "./support.ts";

const RULE = "---\nname: Use pnpm, never npm\ntype: feedback\n---\nUse pnpm, never npm.\n";
const FACT = "---\nname: Staging is in Lisbon\ntype: reference\n---\nStaging is in Lisbon.\n";
const NOTHING = { journal: [], memories: [] };

const npm = turn({
  id: "t1",
  promptId: "p1",
  prompt: "add zod",
  steps: [{
    ...{ kind: "tool", name: "Edit", input: "/p/a.ts", written: "import z from 'zod'" },
    ...{ result: "updated", failed: false },
  }],
});
const other = turn({ id: "t2", prompt: "what is a ring made of?", at: "2026-11-21T10:05:00Z" });

const asked = (api: { readonly requests: readonly unknown[] }) => JSON.stringify(api.requests);

Deno.test("capture asks about the rules that the model had, and keeps what becomes of them by id", async () => {
  await using home = makeHome();
  const path = home.write("rule.md", RULE);
  home.write("fact.md", FACT);
  const verdicts = [
    { id: "r1", turn: 1, verdict: "corrected" },
    { id: "r9", turn: 1, verdict: "kept" }, // no such rule
    { id: "r1", turn: 7, verdict: "kept" }, // no such turn
    { id: "r1", turn: 2, verdict: "kept" }, // the model did not have it then
    { id: "r1", turn: 1, verdict: "ignored" }, // no such verdict
  ];
  await using api = await serveReplies({ ...NOTHING, rules: verdicts });
  const { judged } = await planCapture([npm, other], {
    ...captureContext(home, api),
    wasGiven: ({ id }) => id === "t1",
  });
  assert.match(asked(api), /- r1: Use pnpm, never npm\./);
  assert.doesNotMatch(asked(api), /- r2: /, "a fact is no rule");
  assert.match(asked(api), /Tool Edit: \/p\/a\.ts: import z from 'zod' → updated/);
  assert.deepEqual(judged?.map(({ key: _, ...rest }) => rest), [{
    ...{ path, session: "s1", at: npm.at, given: 1 },
    turns: [{ turn: "t1", prompt: "p1", verdict: "corrected" }],
  }]);
});

Deno.test("without a rule that the model had, the question is the same as ever", async () => {
  await using home = makeHome();
  home.write("rule.md", RULE);
  await using api = await serveReplies(NOTHING);
  const { judged } = await planCapture([npm], captureContext(home, api));
  assert.deepEqual(judged, []);
  assert.doesNotMatch(asked(api), /Rules that the assistant|"rules"|import z/);
});

Deno.test("a reply's verdicts are read by schema, and none are required", () => {
  assert.deepEqual(readReply(NOTHING)?.verdicts, []);
  assert.deepEqual(readReply({ ...NOTHING, rules: "all kept" })?.verdicts, []);
  assert.deepEqual(
    readReply({ ...NOTHING, rules: [null, { id: 1 }, { id: "r1", turn: 1 }] })?.verdicts,
    [],
  );
});

Deno.test("of a turn that is asked about in parts, the worst verdict counts once", () => {
  const part = (verdict: "kept" | "broken"): Judgement => ({
    ...{ path: "/m/r.md", key: "k", session: "s1", at: npm.at, given: 1 },
    turns: [{ turn: "t1", verdict }],
  });
  assert.deepEqual(mergedByTurn([part("kept"), part("broken"), part("kept")]), [part("broken")]);
});
