import assert from "node:assert/strict";
import type { Candidate } from "../../src/core/capture/candidate.ts";
import { decide, type Decision, type Situation } from "../../src/core/capture/decide.ts";
import type { Memory, MemoryFolder } from "../../src/core/memory/memory.ts";
import { asMarked } from "../../src/core/memory/provenance.ts";
import { memoryFile } from "../support/index.ts";
import { turn } from "./support.ts";

const FOLDER: MemoryFolder = { scope: "user", path: "/nowhere" };
const CANDIDATE: Candidate = {
  ...{ turn: 1, name: "Use pnpm", description: "", type: "pattern", body: "Use pnpm, never npm." },
  ...{ triggers: [], scope: undefined, replaces: undefined, contradicts: undefined },
  ...{ fromTool: false, confidence: 0.9 },
};
const existing = (fields: Partial<Memory> = {}) => {
  const { name, type, body } = CANDIDATE, updated = "2026-11-20T10:00:00Z";
  const memory = memoryFile({ path: "/nowhere/old.md", name, type, body, updated, ...fields });
  return { memory, folder: FOLDER };
};
const OLD = existing();
const like = (kind: "repeats" | "supersedes") => (known: typeof OLD) => ({
  ...{ verdict: { kind, known }, known: [known] },
});
const [repeating, superseding] = [like("repeats"), like("supersedes")];
const repeats = repeating(OLD), supersedes = superseding(OLD);
const LEFT = existing({ source: { session: "s1", turn: "t1" } });
const READ = asMarked(OLD.memory, "read-web");
const CONCLUDED = asMarked(OLD.memory, "concluded");
const ELSE = existing({ name: "Else" });
const NEWER = existing({ updated: "2026-11-22T10:00:00Z" });

const ROWS: readonly [what: string, situation: Partial<Situation>, decision: Decision][] = [
  ["new", {}, "written"],
  ["in a known memory's place", supersedes, "written"],
  ["known already", repeats, "confirmed"],
  ["known only from a page until now", repeating({ ...OLD, memory: READ }), "written"],
  ["older than the memory that it replaces", superseding(NEWER), "dropped"],
  ["left by this turn before, in the same words", repeating(LEFT), "dropped"],
  ["left by this turn before, in other words", { known: [LEFT] }, "dropped"],
  ["like one that this turn has left, with another figure", {
    candidate: { ...CANDIDATE, body: "Use pnpm 9, never npm." },
    known: [existing({ body: "Use pnpm 8, never npm.", source: { session: "s1", turn: "t1" } })],
  }, "written"],
  ["left by this turn before, and asked for", { known: [LEFT], isAsked: true }, "written"],
  ["read, and new", { provenance: "read-web" }, "written"],
  ["read, and known", { ...repeats, provenance: "read-tool" }, "dropped"],
  ["read, beside one of its name", { provenance: "read-tool", known: [OLD] }, "dropped"],
  ["read, beside others", { provenance: "read-tool", known: [ELSE] }, "written"],
  ["read, in place of what was concluded", {
    ...superseding({ ...OLD, memory: CONCLUDED }),
    provenance: "read-tool",
  }, "written"],
  ["concluded, in a user's note's place", { ...supersedes, provenance: "concluded" }, "dropped"],
  ["concluded, in place of what was read", {
    ...superseding({ ...OLD, memory: READ }),
    provenance: "concluded",
  }, "dropped"],
  ["suspect, and new", { provenance: "suspect" }, "held"],
  ["suspect, in a known memory's place", { ...supersedes, provenance: "suspect" }, "dropped"],
  ["suspect, beside one like it", { provenance: "suspect", known: [ELSE] }, "dropped"],
];
for (const [what, situation, decision] of ROWS) {
  Deno.test(`a candidate that is ${what}: ${decision}`, () => {
    const decided = decide({
      ...{ candidate: CANDIDATE, turn: turn({ id: "t1", at: "2026-11-21T10:00:00Z" }) },
      ...{ provenance: "said", verdict: { kind: "new" }, known: [], folder: FOLDER },
      isAsked: false,
      ...situation,
    });
    assert.equal(decided, decision);
  });
}
