import assert from "node:assert/strict";
import { withNamed } from "../../src/core/capture/known.ts";
import fc from "fast-check";
import { compare, nearest, type Saying } from "../../src/core/capture/dedupe.ts";
import { CUTOFFS } from "../../src/core/relation/cutoffs.ts";
import { jaccard, termsOf } from "../../src/core/relation/relate.ts";
import { calibrationOf, openEmbedder } from "../../src/core/embed/mod.ts";
import { calibrationOf } from "../../src/core/embed/models.ts";
import { passageTexts } from "../../src/core/index/embed_pending.ts";
import { pathsFor } from "../../src/paths.ts";

const saying = (name: string, body: string, type = "feedback"): Saying => ({
  ...{ name, body, type, description: "" },
});
const known = (memory: Saying) => ({ memory });

const words = fc.array(
  fc.constantFrom("pnpm", "部署", "客户", "тест", "redis", "ログ", "नमस्ते", "cache", "port", "42"),
  { maxLength: 12 },
).map((words) => words.join(" "));
const anySaying = fc.record({
  name: words,
  description: words,
  body: fc.oneof(words, fc.string({ unit: "grapheme" })),
  type: fc.constantFrom("feedback", "project"),
});

Deno.test("a memory repeats itself, and nothing of another type is a twin", () => {
  fc.assert(fc.property(anySaying, (memory) => {
    const verdict = compare(memory, [known(memory)]);
    if (termsOf({ ...memory, name: "", description: "" }).size > 0) {
      assert.equal(verdict.kind, "repeats");
    }
    const other = known({ ...memory, type: "reference" });
    assert.equal(compare(memory, [other]).kind, "new");
  }));
});

Deno.test("what shares most of its words is new unless every sentence of it is there", () => {
  const old = known(
    saying(
      "Staging port",
      "The staging database listens on port 5433.\n\n**Why:** it is behind the `VPN`.",
    ),
  );
  const verdict = (body: string, there = old) =>
    compare(saying("Staging port", body), [there]).kind;
  assert.equal(verdict("Why: It is behind  the VPN."), "repeats");
  assert.equal(verdict("The staging database listens on port 5433"), "repeats");
  assert.equal(verdict("The staging database listens on port 6543"), "new");
  assert.equal(verdict("Staging has moved to the cloud provider's own network"), "new");
});

Deno.test("what the model says counts besides the words; likeness is a reason to ask", () => {
  const [a, b] = [known(saying("a", "Use pnpm")), known(saying("b", "Write tests first"))];
  const candidate = saying("Tests", "Write tests first");
  assert.deepEqual(compare(saying("Yarn", "Yarn replaces it"), [a, b]), { kind: "new" });
  assert.deepEqual(compare(candidate, [a, b], a), { kind: "supersedes", known: a });
  assert.equal(nearest(candidate, [a, b]), b);
  assert.equal(nearest(saying("Yarn", "Yarn replaces it"), [a, b]), undefined);
});

Deno.test("A memory that a model names without having been offered it is looked up by its file or title", () => {
  const known = ["a", "b", "b"].map((name) => ({
    fileName: `${name}.md`,
    scope: "project",
    memory: { name: `The ${name}`, description: "", type: "decision", body: name },
  }));
  const naming = (name: string) =>
    withNamed(new Map(), [{ replaces: undefined, contradicts: name }], known);
  assert.equal(naming("a.md").get("a.md"), known[0]);
  assert.equal(naming("a").get("a"), known[0]);
  assert.equal(naming("The a").get("The a"), known[0]);
  assert.equal(naming("b.md").size, 0, "two have that name");
  assert.equal(naming("c.md").size, 0);
});
