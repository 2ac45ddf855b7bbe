import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Query } from "../../src/core/index/query.ts";
import { endOwnStrategies } from "../../src/core/recall/own_strategy.ts";
import { rankAll } from "../../src/core/recall/retrieve.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { readOwnFile } from "../../src/core/settings/config_file.ts";
import { makeIndex, memoryFile } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const DOCS = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
const EXAMPLE = /<!-- a test runs this file -->\s+```ts\n([^]*?)```/.exec(DOCS)![1]!;

/** A folder of settings with a file that ranks, and three notes to rank. */
async function made() {
  const folder = temporaryFolder();
  const index = await makeIndex(
    ["old", "new", "other"].map((name, i) =>
      memoryFile({
        path: `/memories/${name}.md`,
        name,
        type: name === "other" ? "tool" : "feedback",
        body: name === "other" ? "Nothing of it." : "The heron script deploys.",
        mtimeMs: NOW.getTime() - (i === 1 ? 0 : 90 * 86_400_000),
      })
    ),
  );
  const corpus = await index.index.corpus([index.folder]);
  return {
    path: (name: string) => join(folder.path, name),
    /** Ranks with a file's content, allowed as it is unless another digest is given. */
    async rank(
      { name = "mine.ts", text, digest, types = "*", patience = 1000 }: {
        name?: string;
        text?: string;
        digest?: string;
        types?: string;
        patience?: number;
      },
    ) {
      if (text !== undefined) writeFileSync(join(folder.path, name), text);
      const allowed = digest ?? readOwnFile(folder.path, `./${name}`).digest;
      const path = join(folder.path, "config.yaml");
      const value = allowed === "" ? `./${name}` : `./${name}@${allowed}`;
      writeFileSync(path, `strategy.${types}: ${value}\nrecall.deadline_ms: ${patience}\n`);
      const config = loadConfig(path, {});
      const query = new Query("deploy with the heron script");
      const rankings = await rankAll(query, { corpus, config, now: NOW, limit: 10 });
      return Promise.all(rankings.map(async ({ strategy, hits, failures }) => {
        const memories = await corpus.memories(hits.map(({ memory }) => memory));
        return {
          ...{ strategy, failures: failures.filter((why) => why.startsWith("./")) },
          names: memories.map(({ name }) => name),
        };
      }));
    },
    async [Symbol.asyncDispose]() {
      endOwnStrategies();
      folder[Symbol.dispose]();
      await index[Symbol.asyncDispose]();
    },
  };
}

const file = (rank: string, api = 1) =>
  `export const api: number = ${api};\nexport default { async rank(query, corpus, options) { ${rank} } };\n`;

/** Ranks until the file is loaded, which a busy machine may take longer for than a ranking may. */
async function loaded(
  home: Awaited<ReturnType<typeof made>>,
  what: Parameters<typeof home.rank>[0],
) {
  for (;;) {
    const rankings = await home.rank(what);
    const failures = rankings.flatMap(({ failures }) => failures);
    if (!failures.some((why) => why.endsWith("still loading"))) return rankings;
  }
}

Deno.test("a file ranks once its content is allowed, and the documents' example is one", async () => {
  await using home = await made();
  const [first] = await loaded(home, { text: EXAMPLE });
  assert.deepEqual(first, { strategy: "./mine.ts", failures: [], names: ["new", "old"] });

  const [none] = await home.rank({ digest: "" });
  assert.deepEqual(none!.failures, ["./mine.ts: it is not allowed yet"]);
  assert.equal(none!.strategy, "keyword"); // without a model
  const [other] = await home.rank({
    digest: readOwnFile(home.path("."), "./mine.ts").digest,
    text: `${EXAMPLE}// changed\n`,
  });
  assert.deepEqual(other!.failures, ["./mine.ts: it has changed since it was allowed"]);
});

Deno.test("a file ranks its types, in JavaScript too, and makes up no memory", async () => {
  await using home = await made();
  const everything = "return [1, 2, 99].map((memory) => ({ memory, score: 1 }));";
  const text = file(everything).replace(": number", "");
  const rankings = await loaded(home, { name: "mine.mjs", text, types: "feedback" });
  const own = rankings.find(({ strategy }) => strategy.startsWith("./"));
  assert.deepEqual(own, { strategy: "./mine.mjs", failures: [], names: ["old", "new"] });
});

for (
  const [what, text, why] of [
    ["throws", file("throw new Error('no idea');"), /^\.\/mine\.ts: no idea$/],
    ["hangs", file("for (;;);"), /took longer than 500 ms$/],
    ["never answers", file("await new Promise(() => {});"), /took longer than 500 ms$/],
    ["ends its thread", file("process.exit(3);"), /its thread ended with 3$/],
    [
      "fails later",
      file(
        "setTimeout(() => { throw new Error('later') }); for await (const _ of [new Promise(() => {})]);",
      ),
      /later/,
    ],
    ["returns nonsense", file("return [{ memory: 'a' }];"), /returned a hit without/],
    ["is no code", "export const {", /^\.\/mine\.ts: /],
    ["is of another version", file("return [];", 2), /no `export const api = 1`$/],
  ] as const
) {
  Deno.test(`one that ${what} leaves the prompt to the next strategy`, async () => {
    await using home = await made();
    const [ranking] = await loaded(home, { text });
    assert.match(ranking!.failures.join(), why);
    assert.deepEqual([ranking!.strategy, ranking!.names], ["keyword", ["old", "new"]]);
  });
}

Deno.test("only a file in memo's settings folder counts, named in its own settings", async () => {
  await using home = await made();
  writeFileSync(home.path("real.txt"), EXAMPLE);
  symlinkSync(home.path("real.txt"), home.path("mine.ts"));
  const [linked] = await home.rank({ digest: "0".repeat(32) });
  assert.match(linked!.failures.join(), /it is a symbolic link/);

  const named = ["./mine.ts", "./mine.ts@" + "0".repeat(32)];
  writeFileSync(home.path("config.yaml"), "");
  writeFileSync(home.path("memo.yaml"), `strategy.feedback: ${named[1]}\n`);
  for (const env of [{ MEMO_STRATEGY_FEEDBACK: named[0] }, { MEMO_STRATEGY: named[1] }, {}]) {
    const project = home.path("memo.yaml"),
      strategies = [{ name: "hybrid", cost: "local" as const }];
    const config = loadConfig(home.path("config.yaml"), env, { project, strategies });
    assert.deepEqual(config.perType, {});
  }
  writeFileSync(
    home.path("config.yaml"),
    "strategy.feedback: ../mine.ts\nstrategy.tool: /mine.ts\n",
  );
  assert.deepEqual(
    loadConfig(home.path("config.yaml"), {}, { strategies: [] }).perType,
    {},
  );
});
