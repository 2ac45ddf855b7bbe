import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { revertChange } from "../../src/change/revert.ts";
import { readChanges } from "../../src/memory/change_log.ts";
import { readMemoryFile } from "../../src/memory/folder.ts";
import type { MemoryFolder } from "../../src/memory/memory.ts";
import { keyOf } from "../../src/memory/suggested.ts";
import { isOffered } from "../../src/guard/propose.ts";
import { escalate, isAtCommands } from "../../src/guard/escalate.ts";
import { escalatedRules, readLevels } from "../../src/memory/escalation.ts";
import {
  noteJudgements,
  obedienceByPath,
  readJudgements,
  type Verdict,
} from "../../src/capture/verdicts.ts";
import { surroundings } from "../support/change.ts";
import { temporaryFolder } from "../support/temp.ts";
import { create } from "../../src/change/file.ts";

/** A rule in a folder, and turns that keep or break it, one an hour. */
function prepare(name: string, tags = "[]") {
  const temp = temporaryFolder();
  const folder: MemoryFolder = { scope: "user", path: join(temp.path, "memory") };
  let hours = 0;
  const now = () => new Date(Date.UTC(2026, 10, 21, hours++));
  const path = create(
    "rule.md",
    `---\nname: ${name}\ntype: feedback\ntags: ${tags}\n---\n${name}.\n`,
    folder,
    { ...{ what: "add", now: now() } },
  );
  const files = { obedience: join(temp.path, "o.jsonl"), escalations: join(temp.path, "r.jsonl") };
  const judge = (...verdicts: readonly (Verdict | undefined)[]) => {
    for (const verdict of verdicts) {
      const at = now().toISOString();
      noteJudgements(files.obedience, [{
        ...{ path, key: keyOf(readMemoryFile(path, "user")), session: "s1", at, given: 1 },
        turns: verdict === undefined ? [] : [{ turn: at, verdict }],
      }]);
    }
    return escalate([path], { ...files, folders: [folder], now: now() })
      .map(({ step: { from, to, because } }) => `${from} → ${to}: ${because}`);
  };
  const rung = () => readLevels(files.escalations).get(path)?.rung ?? "title";
  const undo = (id: string) =>
    revertChange(id, [folder], {
      ...{
        ...surroundings(now()),
        suggestions: join(temp.path, "t.jsonl"),
        escalations: files.escalations,
      },
    });
  return {
    ...{ path, folder, files, judge, rung, undo, changes: () => readChanges([folder]) },
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

Deno.test("a rule climbs when it is broken twice or corrected, and comes down when it holds", () => {
  using rule = prepare("Never force-push");
  assert.deepEqual(rule.judge("broken", "kept", undefined), []);
  assert.deepEqual(rule.judge("broken"), [
    "title → prompt: broken in 2 turns; now with prompts that it barely fits",
  ]);
  assert.deepEqual([...escalatedRules(rule.files.escalations)], [rule.path]);
  assert.deepEqual(rule.judge("corrected"), [
    "prompt → moment: corrected again; now at the command or file",
  ]);
  assert.ok(isAtCommands(rule.files.escalations));
  assert.deepEqual(rule.judge("corrected"), [
    "moment → guard: corrected again; now offered as a guard",
  ]);
  assert.deepEqual(rule.judge("corrected"), [], "there is nothing above");
  assert.deepEqual(rule.judge("kept", "kept", "kept", "kept"), [], "not yet");
  assert.deepEqual(rule.judge("kept"), [
    "guard → moment: kept in 5 turns; now at the command or file",
  ], "though it was broken since");
  assert.deepEqual(rule.judge("broken", "kept", "kept", "kept", "kept", "kept").length, 1);
  using other = prepare("Never force-push");
  other.judge("corrected");
  assert.deepEqual(other.judge("kept", "kept", "kept", "kept"), []);
  assert.deepEqual(other.judge("kept"), ["prompt → title: kept in 5 turns; now by its title"]);
  assert.deepEqual([...escalatedRules(other.files.escalations)], []);
});

Deno.test("a rule that names no command and no file climbs to the prompt and no further", () => {
  using rule = prepare("Answer in German");
  assert.equal(rule.judge("corrected").length, 1);
  assert.deepEqual(rule.judge("corrected", "corrected"), []);
  assert.equal(rule.rung(), "prompt");
});

Deno.test("every step is in the log of changes, and can be undone", async () => {
  using rule = prepare("Never force-push");
  rule.judge("corrected");
  rule.judge("corrected");
  const steps = rule.changes().filter(({ what }) => what === "raise");
  assert.deepEqual(steps.map(({ name, rung, because }) => [name, rung?.to, because]), [
    ["Never force-push", "prompt", "corrected again; now with prompts that it barely fits"],
    ["Never force-push", "moment", "corrected again; now at the command or file"],
  ]);
  const { reverted, left } = await rule.undo(steps[1]!.id);
  assert.deepEqual([reverted.length, left.length, rule.rung()], [1, 0, "prompt"]);
  assert.equal(rule.changes().find(({ id }) => id === steps[1]!.id)?.undone, true);
  assert.deepEqual(rule.judge("kept"), [], "what was undone is not done again at once");
});

Deno.test("a rule that is worded anew begins anew, and a damaged line counts for nothing", () => {
  using rule = prepare("Never force-push");
  rule.judge("corrected", "kept");
  const text = "---\nname: Never force-push\ntype: feedback\n---\nAdd a commit instead.\n";
  writeFileSync(rule.path, text);
  assert.deepEqual(rule.judge("broken"), []);
  writeFileSync(rule.files.escalations, '{"path":1}\n{"rung":"roof"}\nnot json\n');
  assert.deepEqual([...readLevels(rule.files.escalations)], []);
});

Deno.test("a judgement that is noted twice counts once, and obedience is of the present wording", () => {
  using rule = prepare("Never force-push");
  rule.judge("kept", "broken", "corrected", undefined);
  const all = readJudgements(rule.files.obedience);
  noteJudgements(rule.files.obedience, all);
  assert.deepEqual(readJudgements(rule.files.obedience), all);
  const key = keyOf(readMemoryFile(rule.path, "user"));
  assert.deepEqual([...obedienceByPath(all, () => key).values()], [
    { given: 4, kept: 1, broken: 2, corrected: 1 },
  ]);
  assert.equal(obedienceByPath(all, () => "another").size, 0);
});

Deno.test("a rule that the user has not said does not climb, and is not offered as a guard", () => {
  using rule = prepare("Never force-push", "[read-web]");
  assert.deepEqual(rule.judge("broken", "broken", "broken"), []);
  const { folder, path } = rule;
  const memory = readMemoryFile(path, folder.scope);
  assert.equal(isOffered(memory), false);
  assert.equal(isOffered({ ...memory, tags: [] }), true);
});
