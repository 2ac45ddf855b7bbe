import assert from "node:assert/strict";
import { join } from "node:path";
import { type Answer, markDistinct } from "../../src/core/relation/relate.ts";
import { withCurrent } from "../../src/core/recall/current.ts";
import type { Recall } from "../../src/core/recall/recall.ts";
import { NOTHING_SHOWN, type Shown, versionOf } from "../../src/core/recall/shown.ts";
import type { MemoryFile, MemoryFolder } from "../../src/core/memory/memory.ts";
import { memoryFile, setRelations } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";
import { CONFIG as config, indexOf, namesIn, NOW } from "./notes.ts";

const at = (day: string) => ({ mtimeMs: Date.parse(day), updated: day });
const MAY: Partial<MemoryFile> = { name: "Tokens expire after 24 hours", ...at("2026-05-01") };
const JUNE: Partial<MemoryFile> = { name: "Tokens expire after 30 minutes", ...at("2026-06-01") };

type Given = Partial<MemoryFile> & { readonly branch?: string };
/** How the second of two stands to the first, as the index has it. */
type Judged = readonly [answer: Answer, probability: number];
const SURE: Judged = ["replaces", 0.95], UNSURE: Judged = ["replaces", 0.7];

/** What a question about tokens gets of memories, of which each pair of neighbours is judged alike, in either order. */
async function answerOf(
  memories: readonly Given[],
  judged: Judged,
  { prompt = "when do tokens expire?", path }: { prompt?: string; path?: string } = {},
): Promise<Recall> {
  await using notes = await indexOf(
    memories.map(({ branch: _, ...fields }) => ({ body: `${fields.name}.`, ...fields })),
    path,
  );
  const { index } = notes, folder = { ...notes.folder, project: "/work" };
  const pairs = memories.slice(1).map((later, i) => [memories[i]!.name!, later.name!] as const);
  await setRelations(
    index,
    pairs.flatMap(([a, b]) => [[a, b, ...judged], [b, a, ...judged]] as const),
  );
  const rows = (await index.all([folder])).flatMap(({ id, name }) => {
    const branch = memories.find((each) => each.name === name)?.branch;
    const known = { memory: id, hash: "", head: "", rests: "{}" };
    return branch === undefined ? [] : [{ ...known, standing: { drift: [], branch } }];
  });
  await index.standings.put("/work", rows, { isNews: rows.length > 0 });
  return await notes.ask(prompt, { folders: [folder] });
}

async function givenOf(...asked: Parameters<typeof answerOf>): Promise<string[]> {
  return namesIn(await answerOf(...asked));
}

Deno.test("What a later note has overtaken is named with the day until which it held", async () => {
  for (const order of [[MAY, JUNE], [JUNE, MAY]]) {
    const { block, entries, dropped } = await answerOf(order, SURE);
    assert.deepEqual(namesIn({ entries }), [JUNE.name]);
    assert.match(block!, /replaces “Tokens expire after 24 hours” as of 2026-06-01/);
    assert.deepEqual(dropped.map(({ because, by }) => [because, by]), [["overtaken", JUNE.name]]);
  }
});

Deno.test("What has overtaken a note comes in its place though no score finds it", async () => {
  const later = { ...JUNE, name: "Sessions end with the browser", body: "No clock ends them." };
  assert.deepEqual(await givenOf([MAY, later], SURE), [later.name]);
  assert.deepEqual(await givenOf([MAY, later], ["distinct", 0.9]), [MAY.name]);
});

Deno.test("Of three that overtake each other in turn the last one comes, whichever scores best", async () => {
  const chain = [
    { name: "Tokens expire in Redis", ...at("2026-05-01") },
    { name: "Vault, not Redis, ends them", ...at("2026-06-01") },
    { name: "Auth0 does, no longer Vault", ...at("2026-07-01") },
  ];
  for (const order of [chain, chain.toReversed()]) {
    assert.deepEqual(await givenOf(order, SURE), [chain[2]!.name]);
  }
});

Deno.test("Where it is not sure which of two holds both come with their days, the later one first", async () => {
  for (
    const [later, judged] of [
      [JUNE, UNSURE],
      [JUNE, ["partly", 0.95]],
    ] as const
  ) {
    const { block, entries } = await answerOf([MAY, later], judged as Judged);
    assert.equal(entries[0]!.fused.memory.name, later.name, `${later.name} ${judged}`);
    assert.equal(entries.length, 2);
    assert.match(block!, /2026-05-01/);
    assert.match(block!, /2026-06-01/);
    assert.match(block!, /conflicts with/);
    assert.doesNotMatch(block!, /replaces/);
  }
});

Deno.test("A correction in other words, which the prompt does not find, comes with what it corrects", async () => {
  const other = { ...JUNE, name: "Sessions end with the browser", body: "No clock ends them." };
  assert.deepEqual(await givenOf([MAY, other], UNSURE), [other.name, MAY.name]);
});

Deno.test("Of a note and a later one that says all of it the later one comes", async () => {
  const more = { ...JUNE, name: "Tokens expire after 24 hours, on every device" };
  for (const answer of ["same", "refines"] as const) {
    const { block, entries, dropped } = await answerOf([MAY, more], [answer, 0.8]);
    assert.deepEqual(namesIn({ entries }), [more.name]);
    assert.deepEqual(dropped.map(({ because }) => because), ["repeats another"]);
    assert.doesNotMatch(block!, /replaces|conflicts/);
  }
});

Deno.test("A note of here comes before what contradicts it on a branch that is not merged, and both come", async () => {
  for (const [here, there] of [[MAY, JUNE], [JUNE, MAY]] as const) {
    const { block, entries } = await answerOf([here, { ...there, branch: "feature/x" }], SURE);
    assert.deepEqual(namesIn({ entries }), [here.name, there.name]);
    assert.match(block!, /conflicts with a memory of [-\d]+: “Tokens expire after/);
    assert.match(block!, /from branch feature\/x, not merged here/);
    assert.doesNotMatch(block!, /replaces/);
  }
});

Deno.test("A note that is not the user's word and says otherwise stays behind theirs, which says so", async () => {
  for (const judged of [SURE, UNSURE]) {
    const { block, entries } = await answerOf([MAY, { ...JUNE, tags: ["read-web"] }], judged);
    assert.deepEqual(namesIn({ entries }), [MAY.name, JUNE.name]);
    assert.match(
      block!,
      /conflicts with a memory of 2026-06-01, from a web page: “Tokens expire/,
    );
  }
});

Deno.test("Of two things the one that the prompt names comes first, though the other is later", async () => {
  const [seven, nine] = ["Tokens of tenant 7 expire daily", "Tokens of tenant 9 expire weekly"];
  const notes = [{ ...MAY, name: seven! }, { ...JUNE, name: nine! }];
  for (
    const [prompt, first] of [["tenant 7's tokens?", seven], ["tenant 9's tokens?", nine]] as const
  ) {
    const given = await givenOf(notes, ["distinct", 0.9], { prompt });
    assert.equal(given[0], first, prompt);
  }
});

Deno.test("The later of two that a person has said are two does not take the place of the older one", async () => {
  using temp = temporaryFolder();
  const notes = [MAY, JUNE];
  assert.deepEqual(await givenOf(notes, SURE, { path: temp.path }), [JUNE.name]);
  const folder: MemoryFolder = { scope: "user", path: temp.path };
  const memories = notes.map((fields, i) =>
    memoryFile({ path: join(temp.path, `${i}.md`), body: `${fields.name}.`, ...fields })
  );
  markDistinct(memories.map((memory) => ({ memory, folder })), { group: "1", now: NOW });
  assert.equal((await givenOf(notes, SURE, { path: temp.path })).length, 2);
});

Deno.test("The later of two comes with the older one though the start has listed its title", async () => {
  await using made = await indexOf([MAY, JUNE].map((each) => ({ ...each, body: `${each.name}.` })));
  const { index, corpus } = made, folders = [made.folder];
  await setRelations(index, [[MAY.name!, JUNE.name!, ...UNSURE]]);
  const [older, later] = (await index.all(folders)).toSorted((a, b) => a.path < b.path ? -1 : 1);
  const found = { score: 0.4, parts: { lexical: 0.5 }, strategy: "hybrid" };
  const hit = { ...found, memory: older!, passage: undefined, isWhole: true };
  const given = async (fields: Partial<Shown>) => {
    const dropped = [{ ...found, memory: later!, because: "seen in this session" }] as const;
    const shown = { ...NOTHING_SHOWN, ...fields };
    const memories = new Map([older!, later!].map((memory) => [memory.id, memory]));
    const options = { config, now: NOW, shown, memories, corpus, folders, most: 5 };
    const { hits } = await withCurrent({ hits: [hit], dropped }, options);
    return hits.map(({ memory }) => memory.name);
  };
  const versions = new Map([[later!.path, versionOf(later!)]]);
  assert.deepEqual(await given({ listed: versions }), [later!.name, older!.name]);
  assert.deepEqual(await given({ seen: versions }), [older!.name]);
});
