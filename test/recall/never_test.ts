import assert from "node:assert/strict";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { embedPending } from "../../src/core/index/embed_pending.ts";
import { pathsFor } from "../../src/paths.ts";
import type { MemoryFile } from "../../src/core/memory/memory.ts";
import { temporaryFolder } from "../support/temp.ts";
import { indexOf, namesIn } from "./notes.ts";

using state = temporaryFolder();
const embedder = await openEmbedder(
  "builtin",
  pathsFor({ MEMO_HOME: state.path, HOME: state.path }),
);
const BECAUSE = "not for such prompts";

const PNPM = {
  name: "Use pnpm, never npm",
  body: "Install packages with pnpm in every repository; npm writes a second lock file.",
  type: "feedback",
};
const OTHERS = [
  { name: "Deploys", body: "A tag on main is rolled out by Argo. Never kubectl apply by hand." },
  { name: "JWT setup", body: "Access tokens are RS256 and live 15 minutes." },
  { name: "Plants", body: "The ficus by the window wants water every ten days." },
];

/** What a prompt gets of some memories, and why the rest of them not; with the real model, or by words alone. */
async function recalled(
  prompts: readonly string[],
  { never, isByWords = false, files = [{ ...PNPM, never }, ...OTHERS] }: {
    readonly never?: readonly string[];
    readonly isByWords?: boolean;
    readonly files?: readonly Partial<MemoryFile>[];
  },
) {
  await using notes = await indexOf(files);
  const { index } = notes;
  await index.useModel(embedder.id, embedder.dimensions);
  await embedPending(index, embedder);
  const embed = isByWords ? undefined : (text: string) => embedder.embed(text, "query");
  const found = [];
  for (const prompt of prompts) {
    const { entries, dropped, outcome, block = "" } = await notes.ask(prompt, {}, { embed });
    found.push({
      given: namesIn({ entries }),
      refused: dropped.filter(({ because }) => because === BECAUSE)
        .map(({ memory }) => memory.name),
      ...{ block, outcome },
    });
  }
  return found;
}

const NEVER = "Explain in the blog post why npm had so many supply chain attacks";
const LIKE = [
  NEVER,
  "write a paragraph for the blog about attacks on the npm supply chain",
  "summarize the npm supply chain attacks for our blog",
];
const NEEDED = [
  "install the lodash package here",
  "add zod as a dependency of the api package",
  "which package manager do we use, npm or pnpm?",
];

Deno.test("a memory stays away from prompts like one that it is not for, and comes with all others", async () => {
  const before = await recalled([...LIKE, ...NEEDED], {});
  assert.ok(before[0]!.given.includes(PNPM.name), "it came with the wrong prompt");

  const after = await recalled([...LIKE, ...NEEDED], { never: [NEVER] });
  for (const [i, prompt] of LIKE.entries()) {
    assert.deepEqual(after[i]!.refused, [PNPM.name], prompt);
    assert.doesNotMatch(after[i]!.block, /pnpm/, prompt);
  }
  for (const [i, prompt] of NEEDED.entries()) {
    assert.deepEqual(after[LIKE.length + i], before[LIKE.length + i], prompt);
    assert.ok(after[LIKE.length + i]!.given.includes(PNPM.name), prompt);
  }
});

Deno.test("without a model a memory stays away from the very prompt that it is not for", async () => {
  const [same, other] = await recalled(
    ["use PNPM, never npm!", "do we install with pnpm or npm, and never both?"],
    { never: ["use pnpm, never npm"], isByWords: true },
  );
  assert.deepEqual([same!.given, same!.refused], [[], [PNPM.name]]);
  assert.equal(same!.outcome, "withheld");
  assert.deepEqual(other!.refused, []);
});

Deno.test("a memory that is left out for such prompts holds no other one back", async () => {
  const weaker = { name: "Lock files", body: "Commit pnpm-lock.yaml.", type: "feedback" };
  const prompt = "use pnpm, never npm, and mind the lock files";
  const [alone] = await recalled([prompt], { files: [weaker, ...OTHERS] });
  const [beside] = await recalled([prompt], {
    files: [{ ...PNPM, never: [prompt] }, weaker, ...OTHERS],
  });
  assert.deepEqual(beside!.given, alone!.given);
  assert.deepEqual(beside!.refused, [PNPM.name]);
});
