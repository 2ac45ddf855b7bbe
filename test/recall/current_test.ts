import assert from "node:assert/strict";
import { join } from "node:path";
import { markDistinct } from "../../src/core/relation/relate.ts";
import { withCurrent } from "../../src/core/recall/current.ts";
import type { Recall } from "../../src/core/recall/recall.ts";
import { NOTHING_SHOWN, type Shown, versionOf } from "../../src/core/recall/shown.ts";
import type { MemoryFile, MemoryFolder } from "../../src/core/memory/memory.ts";
import { memoryFile } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";
import { CONFIG as config, indexOf, namesIn, NOW } from "./notes.ts";

const at = (day: string) => ({ mtimeMs: Date.parse(day), updated: day });

const HELM: Partial<MemoryFile> = {
  name: "Deploy with helm upgrade",
  body: "Run helm upgrade from a clean main.",
  type: "decision",
  ...at("2026-03-01"),
};
const ARGO: Partial<MemoryFile> = {
  name: "Deploy by a merge to release",
  body: "Argo syncs what is merged; nobody runs a chart by hand.",
  type: "decision",
  ...at("2026-08-01"),
};

/**
 * Names of the memories that a prompt about helm gets, where the second one is as near as `cosine` to the first; and the
 * third, a neighbour of it alone, as near as `beside` to the second.
 */
async function givenWith(
  second: Partial<MemoryFile>,
  cosine = 0.7,
  first: Partial<MemoryFile> = HELM,
  beside?: number,
): Promise<string[]> {
  const third = { ...ARGO, name: "Who reviews a merge", body: "Two of the team." };
  await using notes = await indexOf([first, second, ...beside === undefined ? [] : [third]]);
  const { index } = notes;
  await index.useModel("test", 8);
  const angles = [0, Math.acos(cosine), Math.acos(cosine) + Math.acos(beside ?? 1)];
  const vectors = angles.map((angle) => [Math.cos(angle), Math.sin(angle)]);
  for (const memory of await index.queue.pending(9)) {
    const vector = Float32Array.from(
      { length: 8 },
      (_, i) => vectors[Number(memory.path.at(-4))]![i] ?? 0,
    );
    await index.queue.put([{
      seen: memory,
      passages: [{ hash: memory.path, start: 0, end: 1, vector }],
    }]);
  }
  const found = await notes.ask("helm upgrade from a clean main");
  const names = namesIn(found);
  const places = names.map((name) => found.block!.indexOf(name));
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  return names;
}

Deno.test("r12: a memory that another one has replaced comes after its successor", async () => {
  assert.deepEqual(await givenWith(ARGO), [ARGO.name, HELM.name]);
});

Deno.test("r12: a neighbour that is older, of another type, far, or about another thing is no successor", async () => {
  for (
    const [other, cosine] of [
      [{ ...ARGO, ...at("2026-02-01") }],
      [{ ...ARGO, type: "gotcha" }],
      [ARGO, 0.3],
      [{ ...ARGO, name: "Who may merge to release" }],
    ] as const
  ) {
    assert.deepEqual(await givenWith(other, cosine), [HELM.name]);
  }
});

Deno.test("A neighbour that is nearer to a third note is no successor", async () => {
  assert.deepEqual(await givenWith(ARGO, 0.7, HELM, 0.75), [ARGO.name, HELM.name]);
  assert.deepEqual(await givenWith(ARGO, 0.7, HELM, 0.8), [HELM.name]);
});

Deno.test("A later note whose words say that it is over is the successor, however far", async () => {
  const older = { ...HELM, body: "Charts by helm." };
  const later = { ...ARGO, body: "Argo has taken helm's place." };
  assert.deepEqual(await givenWith(later, 0.3, older), [later.name]);
  assert.deepEqual(await givenWith({ ...later, body: "Argo runs beside helm." }, 0.3, older), [
    older.name,
  ]);
});

Deno.test("r12: a word of rules, in any language, makes no memory the successor of another", async () => {
  for (const word of ["Never", "Nunca", "Immer", "Toujours"]) {
    const first = { ...HELM, name: `${word} helm upgrade` };
    assert.deepEqual(await givenWith({ ...ARGO, name: `${word} Fridays` }, 0.7, first), [
      first.name,
    ]);
  }
});

const MAY: Partial<MemoryFile> = { name: "Tokens expire after 24 hours", ...at("2026-05-01") };
const JUNE: Partial<MemoryFile> = { name: "Tokens expire after 30 minutes", ...at("2026-06-01") };

type Given = Partial<MemoryFile> & { readonly branch?: string };

/** What a question about tokens gets, without vectors; `branch` is one that is not merged here. */
function answerOf(...memories: Given[]): Promise<Recall> {
  return answerTo("when do tokens expire?", memories);
}

async function answerTo(
  prompt: string,
  memories: readonly Given[],
  path?: string,
): Promise<Recall> {
  await using notes = await indexOf(
    memories.map(({ branch: _, ...fields }) => ({ body: `${fields.name}.`, ...fields })),
    path,
  );
  const { index } = notes, folder = { ...notes.folder, project: "/work" };
  const rows = (await index.all([folder])).flatMap(({ id, name }) => {
    const branch = memories.find((each) => each.name === name)?.branch;
    const known = { memory: id, hash: "", head: "", rests: "{}" };
    return branch === undefined ? [] : [{ ...known, standing: { drift: [], branch } }];
  });
  await index.standings.put("/work", rows, { isNews: rows.length > 0 });
  return await notes.ask(prompt, { folders: [folder] });
}

async function firstTo(...asked: Parameters<typeof answerTo>): Promise<string | undefined> {
  return namesIn(await answerTo(...asked))[0];
}

async function givenOf(...memories: Given[]): Promise<string[]> {
  return namesIn(await answerOf(...memories));
}

Deno.test("Of two notes on what is asked the later one comes first, however they score", async () => {
  const later = { ...JUNE, name: "In the browser tokens expire when nobody has used them" };
  assert.deepEqual(await givenOf(MAY, later), [later.name, MAY.name]);
  assert.deepEqual(await givenOf(later, MAY), [later.name, MAY.name]);
});

Deno.test("What a later note has overtaken is named with the day until which it held", async () => {
  const { block, entries, dropped } = await answerOf(MAY, JUNE);
  assert.deepEqual(namesIn({ entries }), [JUNE.name]);
  assert.match(block!, /until 2026-06-01: “Tokens expire after 24 hours”/);
  assert.deepEqual(dropped.map(({ because, by }) => [because, by]), [["overtaken", JUNE.name]]);
});

Deno.test("Of three that overtake each other in turn the last one comes, whichever scores best", async () => {
  const chain = [
    { name: "Tokens expire in Redis", ...at("2026-05-01") },
    { name: "Tokens expire in Vault instead of Redis", ...at("2026-06-01") },
    { name: "Tokens expire in Auth0 instead of Vault", ...at("2026-07-01") },
  ];
  for (const order of [chain, chain.toReversed()]) {
    const { block, dropped } = await answerOf(...order);
    assert.match(block!, /Auth0/);
    assert.deepEqual(dropped.map(({ memory }) => memory.name).toSorted(), [
      chain[0]!.name,
      chain[1]!.name,
    ]);
  }
});

Deno.test("What says of itself that another has taken its place is overtaken by that, whatever their days", async () => {
  const [old, between, now] = [
    { name: "Tokens were made by hand", body: "Tokens were made by hand. Replaced by Vault." },
    { name: "Tokens moved to Vault", body: "Tokens come from Vault. Later replaced by Auth0." },
    { name: "Tokens come from Auth0", body: "Tokens come from Auth0 with one scope." },
  ].map((note) => ({ ...note, ...at("2026-06-01") }));
  for (const order of [[old!, between!, now!], [now!, between!, old!]]) {
    const { entries } = await answerOf(...order);
    assert.deepEqual(namesIn({ entries }), [now!.name]);
  }
  const { entries } = await answerOf(old!, { ...now!, body: "Tokens of Auth0 have one scope." });
  assert.equal(entries.length, 2);
});

Deno.test("A note of here comes before what contradicts it on a branch that is not merged, and both come", async () => {
  for (const [here, there] of [[MAY, JUNE], [JUNE, MAY]] as const) {
    const { block, entries } = await answerOf(here, { ...there, branch: "feature/x" });
    assert.deepEqual(namesIn({ entries }), [here.name, there.name]);
    assert.match(block!, /these disagree: a note of [-\d]+ says “Tokens expire after/);
    assert.match(block!, /from branch feature\/x, not merged here/);
    assert.doesNotMatch(block!, /until 2026/);
  }
});

Deno.test("Of two that say otherwise without a word on which holds both come, and that they disagree", async () => {
  const [auth, vault] = ["Tokens expire in Auth0", "Tokens expire in Vault"];
  const { block, entries } = await answerOf({ ...MAY, name: auth }, { ...JUNE, name: vault });
  assert.deepEqual(namesIn({ entries }), [vault, auth]);
  assert.match(block!, /these disagree: a note of 2026-05-01 says “Tokens expire in Auth0”/);
});

Deno.test("What a model has said to contradict a note comes before it, however few of its words are asked for", async () => {
  const others = Array.from({ length: 15 }, (_, i) => ({
    ...{ name: `Service ${i} has tokens`, body: `Service ${i} keeps tokens.` },
    ...at("2026-05-01"),
  }));
  const later = { ...JUNE, name: "Sessions end with the browser", body: "No clock ends them." };
  const tags = ["contradicts:0.md"];
  for (const [fields, isPair] of [[{}, false], [{ tags }, true]] as const) {
    const { block, entries } = await answerOf(MAY, { ...later, ...fields }, ...others);
    const names = namesIn({ entries });
    assert.equal(names.includes(later.name), isPair);
    if (!isPair) continue;
    assert.deepEqual(names.slice(0, 2), [later.name, MAY.name]);
    assert.match(
      block!,
      /these disagree: a note of 2026-05-01 says “Tokens expire after 24 hours”/,
    );
  }
  const edited = await givenOf({ ...MAY, ...at("2026-07-01") }, { ...later, tags });
  assert.equal(edited[0], MAY.name, "it was settled by an edit");
});

Deno.test("A note that is not the user's word and says otherwise stays behind theirs, which says so", async () => {
  const { block, entries } = await answerOf(MAY, { ...JUNE, tags: ["read-web"] });
  assert.deepEqual(namesIn({ entries }), [MAY.name, JUNE.name]);
  assert.match(
    block!,
    /these disagree: a note of 2026-06-01, from a web page, says “Tokens expire/,
  );
  const agreed = await answerOf(MAY, { ...MAY, name: "Tokens are opaque", tags: ["read-web"] });
  assert.doesNotMatch(agreed.block!, /disagree/);
});

Deno.test("A later note is passed over that is about less of what is asked, or not the user's word", async () => {
  const other = { ...JUNE, name: "Cookies expire after 30 minutes" };
  assert.equal((await givenOf(MAY, other))[0], MAY.name);
  assert.equal((await givenOf(MAY, { ...JUNE, tags: ["read-tool"] }))[0], MAY.name);
});

Deno.test("Of two things that a number or a name tells apart the one that the prompt names comes first", async () => {
  for (
    const [older, later] of [
      ["Tokens of tenant 7 expire daily", "Tokens of tenant 9 expire weekly"],
      ["Tokens of worker-1 expire after 24 hours", "Tokens of worker-2 expire after 8 hours"],
      ["Staging tokens expire every night", "Demo tokens expire on Sundays"],
    ].map((names) => names.map((name) => name.split(" ")))
  ) {
    const notes = [{ ...MAY, name: older!.join(" ") }, { ...JUNE, name: later!.join(" ") }];
    for (const [i, words] of [older!, later!].entries()) {
      const name = words.find((word) => !(i === 0 ? later : older)!.includes(word))!;
      const prompt = `when do the tokens of tenant or worker ${name} expire?`;
      assert.equal(await firstTo(prompt, notes), notes[i]!.name, prompt);
    }
    assert.equal(await firstTo("when do tokens expire?", notes), notes[1]!.name);
  }
});

Deno.test("The later of two that a person has said are two does not come before the older one", async () => {
  using temp = temporaryFolder();
  const later = { ...JUNE, name: "In the browser tokens expire when nobody has used them" };
  const notes = [MAY, later], prompt = "when do tokens expire?";
  assert.equal(await firstTo(prompt, notes, temp.path), notes[1]!.name);
  const folder: MemoryFolder = { scope: "user", path: temp.path };
  const memories = notes.map((fields, i) =>
    memoryFile({ path: join(temp.path, `${i}.md`), body: `${fields.name}.`, ...fields })
  );
  markDistinct(memories.map((memory) => ({ memory, folder })), { group: "1", now: NOW });
  assert.equal(await firstTo(prompt, notes, temp.path), notes[0]!.name);
});

Deno.test("The later of two comes with the older one though the start has listed its title", async () => {
  const notes = [MAY, { ...JUNE, name: "Tokens expire unused", body: "Tokens expire unused." }];
  await using made = await indexOf(notes);
  const { index, corpus } = made, folders = [made.folder];
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
