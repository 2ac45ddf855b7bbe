import assert from "node:assert/strict";
import type { MemoryFile } from "../../src/core/memory/memory.ts";
import { compose } from "../../src/core/recall/recall.ts";
import { NOTHING_SHOWN, type Shown } from "../../src/core/recall/shown.ts";
import { memoryFile } from "../support/index.ts";
import { CONFIG, indexOf, namesIn, NOW } from "./notes.ts";

const note = (name: string, session: string, fields: Partial<MemoryFile> = {}) =>
  memoryFile({
    ...{ path: `/memories/${name}.md`, name, body: `All about ${name}.`, type: "decision" },
    ...{ mtimeMs: NOW.getTime(), source: { session } },
    ...fields,
  });

/** Composes a block from scores by name. */
async function given(
  files: readonly MemoryFile[],
  scores: Readonly<Record<string, number>>,
  shown: Partial<Shown> = {},
  terms: readonly string[] = [],
) {
  await using made = await indexOf(files);
  const { corpus } = made;
  const ids = new Map((await corpus.newest(1000)).map(({ name, id }) => [name, id]));
  const hits = Object.entries(scores).map(([name, score]) => ({ memory: ids.get(name)!, score }));
  return await compose([{ strategy: "hybrid", hits, ms: 0, failures: [] }], {
    ...{ folders: [made.folder], shown: { ...NOTHING_SHOWN, ...shown }, terms },
  }, { corpus, config: CONFIG, now: NOW });
}

const entriesOf = ({ entries }: Awaited<ReturnType<typeof given>>) =>
  entries.map(({ fused, form }) => `${fused.memory.name} ${form} ${fused.strategy}`);

Deno.test("with a memory given whole come the other parts of its rule, right after what its session has", async () => {
  const files = [
    note("rule", "talk"),
    note("second part", "talk", { type: "pattern" }),
    note("as a line", "talk", { type: "feedback" }),
    note("too far", "talk"),
    note("a fact", "talk", { type: "tool" }),
    note("another talk", "other"),
    note("also good", "third"),
  ];
  const found = await given(files, {
    ...{ rule: 0.8, "also good": 0.78, "as a line": 0.5, "another talk": 0.3, "a fact": 0.3 },
    ...{ "second part": 0.26, "too far": 0.15 },
  });
  assert.deepEqual(entriesOf(found), [
    "rule whole hybrid",
    "as a line whole sibling",
    "second part whole sibling",
    "also good whole hybrid",
  ]);
  assert.ok(!found.dropped.some(({ memory }) => memory.name === "second part"));
});

Deno.test("a short prompt that has what was meant gets no sibling with it", async () => {
  const body = "It has a reason.\nAnd a second line.";
  const files = [note("rule", "talk", { body }), note("part", "talk")];
  const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`);
  const names = async (rule: number, count: number) =>
    entriesOf(await given(files, { rule, part: 0.3 }, {}, words(count)))
      .map((entry) => entry.split(" ")[0]);
  assert.deepEqual(await names(0.8, 12), ["rule"]);
  assert.deepEqual(await names(0.7, 12), ["rule", "part"]);
  assert.deepEqual(await names(0.8, 13), ["rule", "part"]);
});

Deno.test("siblings take no place of another memory, and at most five come", async () => {
  const parts = Array.from({ length: 8 }, (_, i) => note(`part ${i}`, "talk"));
  const others = Array.from({ length: 5 }, (_, i) => note(`other ${i}`, `talk ${i}`));
  const scores = Object.fromEntries([
    ["rule", 0.9],
    ...parts.map(({ name }, i) => [name, 0.3 - i / 1000]),
    ...others.map(({ name }, i) => [name, 0.88 - i / 1000]),
  ]);
  const found = await given([note("rule", "talk"), ...parts, ...others], scores);
  assert.deepEqual(entriesOf(found).map((entry) => entry.split(" ").slice(0, 2).join(" ")), [
    ...["rule whole", "part 0", "part 1", "part 2", "part 3", "part 4"],
    ...["other 0", "other 1", "other 2", "other 3"],
  ]);
});

Deno.test("no sibling comes with a mere line, twice, after it was shown, or from this very conversation", async () => {
  const files = [note("rule", "talk"), note("part", "talk"), note("same", "talk")];
  const names = async (
    changed: readonly MemoryFile[],
    scores: Readonly<Record<string, number>>,
    shown?: Partial<Shown>,
  ) => namesIn(await given(changed, scores, shown));
  const line = [note("rule", "talk", { body: "All of the rule." }), ...files.slice(1)];
  assert.deepEqual(await names(line, { rule: 0.355, part: 0.3 }), ["rule"]);
  assert.deepEqual(
    await names(files, { rule: 0.8, part: 0.3 }, {
      seen: new Map([["/memories/part.md", undefined]]),
    }),
    ["rule"],
  );
  const body = "The queue is drained on Friday before the harbour closes for the night.";
  const twice = [files[0]!, note("part", "talk", { body }), note("same", "talk", { body })];
  assert.deepEqual(await names(twice, { rule: 0.8, part: 0.3, same: 0.29 }), ["rule", "part"]);
  const old = note("part", "talk", { source: { session: "talk", turn: "u1" } });
  assert.deepEqual(
    await names([files[0]!, old], { rule: 0.8, part: 0.3 }, { turns: new Set(["u1"]) }),
    ["rule"],
  );
});

/** What the sessions of the bench's `quiethours` left: the second one has put the hours and the exemption in other words. */
const QUIET = [
  note("may_send only answers yes or no; the sender queues held messages", "announcement", {
    type: "architecture",
    body: "`may_send` returns a bool and nothing else; queueing is the sender's job.",
  }),
  note("pushgate quiet hours: 21:00 to 08:00 local time, Sat and Sun until 10:00", "survey", {
    source: { session: "survey", earlier: ["announcement"] },
    body: "**How to apply:** In `may_send(kind, local)`: quiet if `local.hour >= 21` or before 8.",
  }),
  note("Only security is exempt from quiet hours, outage no longer", "survey", {
    source: { session: "survey", earlier: ["announcement"] },
    body: "`outage` is held like marketing.\n**How to apply:** In `may_send`; a new kind is held.",
  }),
];

Deno.test("what a later session has put in a part's place comes with the first session's notes, and they with it", async () => {
  const [answers, hours, exempt] = QUIET.map(({ name }) => name) as [string, string, string];
  assert.deepEqual(
    entriesOf(await given(QUIET, { [answers]: 0.8, [hours]: 0.31, [exempt]: 0.29 })),
    [
      `${answers} whole hybrid`,
      `${hours} whole sibling`,
      `${exempt} whole sibling`,
    ],
  );
  const isDecided = QUIET.map((file) => ({ ...file, type: "decision" }));
  assert.deepEqual(entriesOf(await given(isDecided, { [hours]: 0.8, [answers]: 0.3 })), [
    `${hours} whole hybrid`,
    `${answers} whole sibling`,
  ]);
});

Deno.test("an amended note brings nothing of the first session that names no thing with it", async () => {
  const files = [
    note("All amounts are integer cents everywhere, also in the API JSON", "payments"),
    note("Course deposit: 50% at booking, rest on the day", "deposits", {
      source: { session: "deposits", earlier: ["payments"] },
    }),
    note("The 20 € rule is gone", "deposits"),
  ];
  const [cents, deposit, gone] = files.map(({ name }) => name) as [string, string, string];
  const scores = { [deposit]: 0.8, [cents]: 0.34, [gone]: 0.3 };
  assert.deepEqual(entriesOf(await given(files, scores)), [
    `${deposit} whole hybrid`,
    `${gone} whole sibling`,
  ]);
});

Deno.test("a prompt without a block gets two likely memories by their titles, each once", async () => {
  const files = ["one", "two", "three", "four"].map((name) => note(name, name, { type: "tool" }));
  const scores = { one: 0.34, two: 0.32, three: 0.31, four: 0.24 };
  const found = await given(files, scores);
  assert.deepEqual(entriesOf(found), ["one title hybrid", "two title hybrid"]);
  assert.equal(found.outcome, "hit");
  assert.match(
    found.block!,
    /may or may not be relevant[^]*\n\n- All about one\n- All about two\n\n<\/auto/,
  );
  assert.doesNotMatch(found.block!, /\/memories/);
  // What has stood at the start or came with a prompt does not come again.
  const at = (...names: string[]) =>
    new Map(names.map((name) => [`/memories/${name}.md`, undefined] as const));
  const later = await given(files, scores, { listed: at("one", "two"), pointed: at("two") });
  assert.deepEqual(entriesOf(later), ["three title hybrid"]);
});

Deno.test("titles come beside no text, not far below the threshold or the best, and imports nearer than what was said", async () => {
  const files = ["one", "two"].map((name) => note(name, name, { type: "tool" }));
  const imported = files.map((file) => ({ ...file, source: { import: "mem0" } }));
  const names = async (scores: Readonly<Record<string, number>>, notes = files) =>
    entriesOf(await given(notes, scores));
  assert.deepEqual(await names({ one: 0.8, two: 0.34 }), ["one whole hybrid"]);
  assert.deepEqual(await names({ one: 0.12 }), []);
  assert.deepEqual(await names({ one: 0.34, two: 0.24 }), ["one title hybrid"]);
  assert.deepEqual(await names({ one: 0.17 }, imported), []);
  assert.deepEqual(await names({ one: 0.34 }, imported), ["one title hybrid"]);
});

Deno.test("in a store that no start can list a prompt goes on with its titles, until it has enough", async () => {
  const plain = (name: string) =>
    note(name, name, { type: "tool", body: `About ${name}.\n\nMore of it.` });
  const others = Array.from({ length: 300 }, (_, i) => `other ${i}`);
  const files = ["one", "two", "far", ...others].map(plain);
  const scores = { one: 0.25, two: 0.23, far: 0.12 };
  const titlesOf = async (found: Readonly<Record<string, number>>, shown?: Partial<Shown>) =>
    entriesOf(await given(files, found, shown)).map((entry) => entry.replace(/ hybrid$/, ""));
  const all = ["one title", "two title"];
  assert.deepEqual(await titlesOf(scores), all);
  // Beside a text that may not be meant they come too, beside one that was meant they do not.
  assert.deepEqual(await titlesOf({ ...scores, "other 1": 0.4 }), ["other 1 whole", ...all]);
  assert.deepEqual(await titlesOf({ ...scores, "other 1": 0.8 }), ["other 1 whole"]);
  const pointed = new Map(
    others.slice(0, 40).map((name) => [`/memories/${name}.md`, undefined]),
  );
  assert.deepEqual(await titlesOf({ ...scores, one: 0.3 }, { pointed }), ["one title"]);
});
