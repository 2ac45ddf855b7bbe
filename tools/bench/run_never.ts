// Measures "never for such prompts" on coding-agent's prompts: a memory that is among the five nearest to a prompt that
// does not need it is kept away from that prompt, and then the other prompts are asked.
//
//   deno run -A tools/bench/run_never.ts

import { fileURLToPath } from "node:url";
import { memoryOf } from "../../bench/store.ts";
import { loadSuite } from "../../bench/suite.ts";
import { openEmbedder } from "../../src/embed/mod.ts";
import { calibrationOf } from "../../src/embed/models.ts";
import { passageTexts } from "../../src/index/embed_pending.ts";
import { isLike } from "../../src/recall/never.ts";
import { PATHS } from "./executable.ts";

/** Nearest memories that count as having come with a prompt. */
const CAME = 5;

const suite = loadSuite(fileURLToPath(new URL("../../bench/suites/coding-agent", import.meta.url)));
const embedder = await openEmbedder("builtin", PATHS);
const { floor, gain } = calibrationOf(embedder.id).nearness;
const folder = { scope: "user", path: "/home/someone/.claude/memory" } as const;

const memories: { readonly id: string; readonly passages: readonly Float32Array[] }[] = [];
for (const [number, document] of suite.documents.entries()) {
  const memory = memoryOf(document, { folder, number, now: new Date(0) });
  const passages = [];
  for (const { text } of await passageTexts(memory, embedder)) {
    passages.push(await embedder.embed(text));
  }
  memories.push({ id: document.id, passages });
}
const prompts = [];
for (const { id, text } of suite.queries) {
  const vector = await embedder.embed(text, "query");
  const near = memories.map(({ passages }) =>
    Math.max(...passages.map((passage) => nearness(vector, passage)))
  );
  const needs = new Set(
    [...suite.qrels.get(id) ?? []].filter(([, grade]) => grade > 0).map(([document]) => document),
  );
  prompts.push({ vector, near, needs });
}
await embedder.close();

const asked = { same: [0, 0], needing: [0, 0] };
for (const wrong of prompts) {
  const came = [...memories.keys()].sort((a, b) => wrong.near[b]! - wrong.near[a]!).slice(0, CAME)
    .filter((memory) => !wrong.needs.has(memories[memory]!.id));
  for (const memory of came) {
    for (const prompt of prompts) {
      const isNeeded = prompt.needs.has(memories[memory]!.id);
      const asksSame = prompt.needs.size > 0 &&
        prompt.needs.symmetricDifference(wrong.needs).size === 0;
      if (prompt === wrong || (!isNeeded && !asksSame)) continue;
      const isOut = isLike(nearness(prompt.vector, wrong.vector), prompt.near[memory]);
      const count = asked[isNeeded ? "needing" : "same"];
      count[0]! += Number(isOut);
      count[1]!++;
    }
  }
}
for (const [kind, [out, all]] of Object.entries(asked)) {
  console.log(
    `${kind}: left out for ${out} of ${all} prompts (${(100 * out! / all!).toFixed(1)} %)`,
  );
}

/** A calibrated cosine, 0–1. */
function nearness(a: Float32Array, b: Float32Array): number {
  const cosine = a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  return Math.min(1, Math.max(0, (cosine - floor) * gain));
}
