import assert from "node:assert/strict";
import { withNamed } from "../../src/core/capture/known.ts";
import { fileURLToPath } from "node:url";
import { loadSuite } from "../../bench/suite.ts";
import { compare, type MemoryText, nearest } from "../../src/core/capture/dedupe.ts";
import { CUTOFFS } from "../../src/core/relation/cutoffs.ts";
import { termsOf } from "../../src/core/relation/relate.ts";
import { calibrationOf, openEmbedder } from "../../src/core/embed/mod.ts";
import { passageTexts } from "../../src/core/index/embed_pending.ts";
import { pathsFor } from "../../src/paths.ts";
import fc from "fast-check";
import { memoryFile } from "../support/index.ts";

const saying = (name: string, body: string, type = "feedback"): MemoryText => ({
  ...{ name, body, type, description: "" },
});
const known = (memory: MemoryText) => ({ memory });

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
  const body = "The staging database listens on port 5433.\n\n**Why:** it is behind the `VPN`.";
  const old = known(saying("Staging port", body));
  const verdict = (body: string) => compare(saying("Staging port", body), [old]).kind;
  assert.equal(verdict("Why: It is behind  the VPN."), "repeats");
  assert.equal(verdict("The staging database listens on port 5433"), "repeats");
  assert.equal(verdict("The staging database listens on port 6543"), "new");
  assert.equal(verdict("Staging has moved to the cloud provider's own network"), "new");
});

Deno.test("what the model says counts besides the words; what the index says is a reason to ask", () => {
  const [a, b] = [known(saying("a", "Use pnpm")), known(saying("b", "Write tests first"))];
  const candidate = saying("Write tests last", "Yarn replaces the package manager");
  assert.deepEqual(compare(candidate, [a, b]), { kind: "new" });
  assert.deepEqual(compare(candidate, [a, b], a), { kind: "supersedes", known: a });
  const cosineOf = (each: typeof a) => each === b ? CUTOFFS.retold + 0.01 : CUTOFFS.retold;
  assert.equal(nearest(candidate, [a, b], cosineOf), b);
});

/** Memories of the suite told again in other words, and the ones nearest to each other there. */
const RETOLD: readonly (readonly [id: string, text: string])[] = [
  [
    "learning-rust",
    "User is learning Rust\nKnows ownership; async pinning and macros are new\nExplain lifetime errors and `Pin` " +
    "when changing Rust code, and give a hint before the fix because she likes to write small ones herself.",
  ],
  [
    "got-lnd2044",
    "LND-2044 in early March although water is left\ntandeo keeps the old campaign id\nThe campaign id is cached at " +
    "start-up of `tandeo`, so restart it on 1 March, otherwise it checks the quota of the previous campaign.",
  ],
  [
    "pnpm-only",
    "Use pnpm 10 with a frozen lockfile, never npm or yarn\nPackage manager for JavaScript\nnpm install created a " +
    "second lockfile that CI picked up. Use `pnpm approve-builds` after reviewing build scripts.",
  ],
];
const DIFFERENT = ["arch-offline-app long-app-sync", "small-diffs fb-legal-copy"];

Deno.test("different memories are below the cosine line, and below every retold one", async () => {
  const suite = loadSuite(fileURLToPath(import.meta.resolve("../../bench/suites/coding-agent")));
  const embedder = await openEmbedder("builtin", pathsFor({ MEMO_HOME: "/nowhere" }));
  const memoryOf = (id: string) => {
    const found = suite.documents.find((document) => document.id === id)!;
    const { title = "", description = "", triggers = [], text } = found;
    return { name: title, description, triggers, body: text };
  };
  const nearness = async (text: string, id: string) => {
    const vector = await embedder.embed(text);
    const cosines: number[] = [];
    for (const passage of await passageTexts(memoryOf(id), embedder)) {
      const other = await embedder.embed(passage.text);
      cosines.push(vector.reduce((sum, value, i) => sum + value * other[i]!, 0));
    }
    return Math.max(...cosines);
  };
  const { retold: line } = calibrationOf(embedder.id);
  const retold: number[] = [], different: number[] = [];
  for (const [id, text] of RETOLD) {
    const cosine = CUTOFFS.retold * await nearness(text, id) / line;
    retold.push(cosine);
    const [name = "", description = "", ...body] = text.split("\n");
    const there = { ...memoryOf(id), type: "gotcha" };
    const again = { name, description, type: "gotcha", body: body.join("\n") };
    if (cosine <= CUTOFFS.retold) continue; // a model whose line is drawn higher finds fewer
    assert.ok(nearest(again, [known(there)], () => cosine) !== undefined, id);
  }
  // Pages of one mould are as near to each other as a fact told twice, and are about different things.
  const pages = ["ppmtogif gif", "ppmtotga tga", "ppmtopict pict", "ppmtoxpm xpm"].map((page) => {
    const [name, format] = page.split(" ") as [string, string];
    const description = `Convert a PPM image to a ${format} image`;
    const body = `Run \`${name} {{path/to/file.ppm}} > {{path/to/file.${format}}}\`.`;
    return { name, description, type: "tool", body };
  });
  for (const [i, page] of pages.entries()) {
    const others = pages.filter((_, j) => j !== i).map(known);
    assert.equal(nearest(page, others, () => 0.95), undefined, page.name);
  }
  for (const [a = "", b = ""] of DIFFERENT.map((pair) => pair.split(" "))) {
    const { name, description, body } = memoryOf(a);
    different.push(CUTOFFS.retold * await nearness([name, description, body].join("\n"), b) / line);
  }
  assert.ok(Math.max(...retold) > CUTOFFS.retold, `${retold}`);
  assert.ok(Math.max(...different) < Math.min(CUTOFFS.retold, ...retold), `${different} ${retold}`);
  await embedder.close();
});

Deno.test("A memory that a model names without having been offered it is looked up by its file or title", () => {
  const known = ["a", "b", "b"].map((name) => ({
    folder: { scope: "project", path: "/m" },
    memory: memoryFile({ path: `/m/${name}.md`, name: `The ${name}`, body: name }),
  }));
  const naming = (name: string) =>
    withNamed(new Map(), [{ replaces: undefined, contradicts: name }], known);
  assert.equal(naming("a.md").get("a.md"), known[0]);
  assert.equal(naming("a").get("a"), known[0]);
  assert.equal(naming("The a").get("The a"), known[0]);
  assert.equal(naming("b.md").size, 0, "two have that name");
  for (const name of ["c.md", "../project/a.md", "/a.md"]) assert.equal(naming(name).size, 0);
});
