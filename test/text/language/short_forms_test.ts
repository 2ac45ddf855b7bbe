import assert from "node:assert/strict";
import { Query } from "../../../src/core/index/query.ts";
import { shortFormsOf } from "../../../src/core/text/language/short_forms.ts";
import { coerce } from "../../../src/core/settings/config.ts";
import { makeIndex, memoryFile } from "../../support/index.ts";
import { keyword } from "../../../strategies/keyword.ts";

Deno.test("a short form leads to its long ones and back, and one long form to no other", () => {
  assert.ok(shortFormsOf("db").includes("datenbank"));
  assert.ok(shortFormsOf("datenbank").includes("db"));
  assert.ok(!shortFormsOf("datenbank").includes("dato"));
  assert.ok(shortFormsOf("backend").includes("api"));
  assert.equal(shortFormsOf("harbour").length, 0);
});

Deno.test("people add their own short forms, and a line that is none is refused by name", () => {
  const own = "kn: customer number\n\n  pdp: Produktdetailseite\n";
  assert.deepEqual(shortFormsOf("kn", own), ["customer", "number"]);
  assert.deepEqual(shortFormsOf("produktdetailseit", own), ["pdp"]);
  assert.deepEqual(shortFormsOf("kn"), []);
  assert.ok(shortFormsOf("db", own).includes("datenbank"));
  assert.equal(coerce("recall.words", own), own);
  assert.throws(
    () => coerce("recall.words", "kn: customer\nkn customer number"),
    /kn customer number/,
  );
});

Deno.test("a prompt finds what is written out by its short form, and the other way round", async () => {
  const files = [
    memoryFile({ path: "/memories/db.md", name: "The local database listens on 5544", body: "" }),
    memoryFile({ path: "/memories/k8s.md", name: "k8s manifests are in deploy/", body: "" }),
    memoryFile({ path: "/memories/tea.md", name: "Tea is in the kitchen", body: "" }),
  ];
  await using made = await makeIndex(files);
  const corpus = await made.index.corpus([made.folder]);
  const found = async (prompt: string, words = "") => {
    const hits = await keyword.rank(new Query(prompt, undefined, { words }), corpus, {
      ...{ limit: 5, now: new Date(), exclude: new Set<string>() },
    });
    const memories = await corpus.memories(hits.map(({ memory }) => memory));
    return memories.map(({ path }) => path);
  };
  assert.deepEqual(await found("why does the db not answer?"), ["/memories/db.md"]);
  assert.deepEqual(await found("where does Kubernetes get its files?"), ["/memories/k8s.md"]);
  assert.deepEqual(await found("where do I find the HBK?"), []);
  assert.deepEqual(await found("where do I find the HBK?", "hbk: tea"), ["/memories/tea.md"]);
  assert.deepEqual(await found("no llego a la bd"), ["/memories/db.md"]);
});
