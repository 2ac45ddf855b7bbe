import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { embedPending, passageTexts } from "../../src/core/index/embed_pending.ts";
import { pathsFor } from "../../src/paths.ts";
import type { MemoryFile } from "../../src/core/memory/memory.ts";
import { blankBeforeCut } from "../../src/core/redact/redact.ts";
import { indexedMemory, makeIndex, memoryFile } from "../support/index.ts";

const embedder = await openEmbedder("builtin", pathsFor());

/** Bytes that look random and are the same each time. */
function noise(bytes: number): string {
  const parts: Uint8Array[] = [];
  for (let i = 0; i * 64 < bytes; i++) parts.push(createHash("sha512").update(`${i}`).digest());
  return Buffer.concat(parts).subarray(0, bytes).toString("base64").replace(/(.{100})/g, "$1\n");
}
const SENTENCES = Array.from(
  { length: 400 },
  (_, i) => `Service number ${i} writes its own log and is restarted on Mondays.`,
).join("\n");

/** An index of files that takes the vectors of the embedder. */
async function readyIndex(files: readonly MemoryFile[]) {
  const made = await makeIndex(files);
  await made.index.useModel(embedder.id, embedder.dimensions);
  return made;
}

Deno.test("description and triggers are embedded under the name, the triggers alone once more", async () => {
  const memory = {
    name: "Freeze",
    description: "No release",
    triggers: ["ship it"],
    body: "Till May.",
  };
  const texts = (await passageTexts(memory, embedder)).map(({ text }) => text);
  assert.deepEqual(texts, ["Freeze\nNo release\nship it", "ship it", "Freeze\nTill May."]);
  const plain = await passageTexts({ ...memory, description: "", triggers: [] }, embedder);
  assert.deepEqual(plain.map(({ text }) => text), ["Freeze\nTill May."]);
});

Deno.test("r11: base64 gets a few vectors and holds up nothing for long", async () => {
  let pauses = 0;
  const memory = indexedMemory(1, { name: "Blob", body: noise(37_000) });
  const texts = await passageTexts(memory, embedder, () => Promise.resolve(void pauses++));
  assert.ok(texts.length >= 1 && texts.length < 10, `${texts.length}`);
  assert.ok(pauses > 5, `${pauses}`);
});

Deno.test("text around base64, Chinese and code keep all their passages", async () => {
  const blob = noise(6000);
  const mixed = indexedMemory(1, { body: `${SENTENCES}\n\n${blob}\n\n${SENTENCES}` });
  const plain = indexedMemory(2, { body: `${SENTENCES}\n\n${SENTENCES}` });
  const [more, less] = [await passageTexts(mixed, embedder), await passageTexts(plain, embedder)];
  assert.ok(more.length >= less.length && more.length <= less.length + 8);
  const chinese = indexedMemory(3, { body: "连接池的大小是二十，超时为三秒。".repeat(200) });
  assert.ok((await passageTexts(chinese, embedder)).length > 20);
});

Deno.test("a long memory that is stopped half-way keeps its vectors and goes on from there", async () => {
  const file = memoryFile({ path: "/memories/long.md", name: "Services", body: SENTENCES });
  await using made = await readyIndex([file]);
  const { index } = made;
  const stop = new AbortController();
  let [embedded, turns] = [0, 0];
  const counting = {
    ...embedder,
    embed: (text: string) => (embedded++, embedder.embed(text)),
  };
  const turn = () => Promise.resolve(void (embedded >= 40 && turns++ === 0 && stop.abort()));
  assert.equal(
    await embedPending(index, counting, { signal: stop.signal, yieldToPrompts: turn }),
    0,
  );
  const { passages, pending } = await index.statistics();
  assert.ok(passages >= 32 && pending === 1, `${passages}, ${pending}`);
  const before = embedded;
  assert.equal(await embedPending(index, counting), 1);
  const all = (await index.statistics()).passages;
  assert.equal(embedded - before, all - passages);
});

Deno.test("a long memory at which the process died twice is left to its words, until it changes", async () => {
  const file = memoryFile({ path: "/memories/long.md", body: SENTENCES });
  await using made = await makeIndex([file]);
  const { index, folder } = made;
  for (let died = 0; died < 2; died++) {
    const [memory] = await index.queue.pending(1);
    await index.queue.begin(memory!);
  }
  assert.deepEqual(await index.queue.pending(1), []);
  assert.deepEqual(await index.queue.skippedAfterFailures(), ["/memories/long.md"]);
  const changed = { ...file, body: `${SENTENCES} And more.`, mtimeMs: 2 };
  await index.put(await index.files.enter(folder), [{ file: changed, hash: "other" }]);
  assert.equal((await index.queue.pending(1)).length, 1);
  assert.deepEqual(await index.queue.skippedAfterFailures(), []);
});

Deno.test("embedPending() makes the vectors of some, and the others go on waiting", async () => {
  const files = Array.from({ length: 5 }, (_, i) => memoryFile({ path: `/m/${i}.md`, body: "x" }));
  await using made = await readyIndex(files);
  const { index } = made;
  assert.equal(await embedPending(index, embedder, { atMost: 2 }), 2);
  assert.equal((await index.statistics()).pending, 3);
  assert.equal(await embedPending(index, embedder, { atMost: 20 }), 3);
});

Deno.test("for an embedding model elsewhere, what is private goes before the text is cut into passages", async () => {
  const secret = `<private>\n${SENTENCES.replaceAll("Service", "Zebedee")}\n</private>`;
  const memory = indexedMemory(1, { name: "Services", body: `${SENTENCES}\n${secret}\nThe end.` });
  const countTokens = (text: string) => Math.ceil(text.length / 3);
  const texts = await passageTexts(memory, { countTokens, beforeCut: blankBeforeCut });
  assert.ok(texts.length > 20);
  assert.doesNotMatch(texts.map(({ text }) => text).join(), /Zebedee/);
  const last = texts.at(-1)!;
  assert.ok(last.text.endsWith(memory.body.slice(last.start, last.end).slice(-"The end.".length)));
});

Deno.test("rules get their vectors first, then the newest", async () => {
  const file = (path: string, type: string, mtimeMs: number) => memoryFile({ path, type, mtimeMs });
  await using made = await makeIndex([
    file("/m/old.md", "tool", 1),
    file("/m/new.md", "project", 3),
    file("/m/rule.md", "feedback", 0),
    file("/m/mid.md", "user", 2),
  ]);
  const waiting = await made.index.queue.pending(9);
  assert.deepEqual(waiting.map(({ path }) => path), [
    "/m/rule.md",
    "/m/new.md",
    "/m/mid.md",
    "/m/old.md",
  ]);
});

Deno.test("several memories at once get the vectors that they get one after the other", async () => {
  const files = Array.from(
    { length: 30 },
    (_, i) =>
      memoryFile({
        path: `/m/${i}.md`,
        name: `Note ${i}`,
        description: "A port",
        body: `Port ${i}.`,
      }),
  );
  const embed = async (atOnce: number) => {
    await using made = await readyIndex(files);
    const { index } = made;
    let [now, most] = [0, 0];
    const counting = {
      ...embedder,
      async embed(...text: Parameters<typeof embedder.embed>) {
        most = Math.max(most, ++now);
        await new Promise((resume) => setTimeout(resume));
        return await embedder.embed(...text).finally(() => now--);
      },
    };
    const progress: number[] = [];
    const onProgress = (done: number) => void progress.push(done);
    assert.equal(await embedPending(index, counting, { atOnce, onProgress }), 30);
    assert.deepEqual(progress, [10, 20, 30], "some are written at a time");
    assert.equal((await index.statistics()).pending, 0);
    const vectors = await Promise.all(files.map((_, i) => index.queue.vectorsOf(i + 1)));
    return { most, vectors };
  };
  const together = await embed(4), alone = await embed(1);
  assert.deepEqual([together.most, alone.most], [4, 1]);
  assert.deepEqual(together.vectors, alone.vectors);
});

Deno.test("a very long name stands before each passage in part, and its words are found whole", async () => {
  const name = `Heron ${"runbook ".repeat(1200)}wetland`;
  const file = memoryFile({ path: "/m/long.md", name, description: "", body: SENTENCES });
  const texts = await passageTexts(indexedMemory(1, { ...file, triggers: [] }), embedder);
  assert.ok(texts.length > 20);
  for (const { text, start, end } of texts) {
    assert.ok(text.startsWith("Heron runbook "));
    assert.ok(text.endsWith(`\n${SENTENCES.slice(start, end)}`));
    assert.ok(text.length - (end - start) <= 201, `${text.length - (end - start)}`);
  }
  await using made = await makeIndex([file]);
  const hits = await (await made.index.corpus([made.folder])).words(["wetland"], 5);
  assert.equal(hits.length, 1);
});
