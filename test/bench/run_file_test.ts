import assert from "node:assert/strict";
import fc from "fast-check";
import { runFile } from "../../bench/run_file.ts";
import { answerOf } from "./answers.ts";

const answer = (id: string, scores: readonly number[]) =>
  answerOf({ id, text: "?" }, scores.map((score, i) => ({ id: `doc ${i}`, score })));

Deno.test("A run file has TREC's six columns, and no spaces in any of them", () => {
  assert.equal(
    runFile("hybrid", [answer("q 1", [0.75, 0.5]), answer("q2", [0.25])]),
    "q_1 Q0 doc_0 1 0.750000 hybrid\nq_1 Q0 doc_1 2 0.500000 hybrid\nq2 Q0 doc_0 1 0.250000 hybrid\n",
  );
});

Deno.test("A tool that reads scores as 32-bit floats gets our order, also where scores are equal", () => {
  const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 100 });
  fc.assert(fc.property(scores, (values) => {
    const descending = [...values].sort((a, b) => b - a);
    const lines = runFile("s", [answer("q", descending)]).split("\n").slice(0, -1);
    const written = lines.map((line) => Math.fround(Number(line.split(" ")[4])));
    for (let i = 1; i < written.length; i++) assert.ok(written[i]! < written[i - 1]!);
    assert.deepEqual(lines.map((line) => Number(line.split(" ")[3])), values.map((_, i) => i + 1));
  }));
});
