import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { linesOf, type LinesOptions, type TextLine } from "../../src/core/transcript/lines.ts";
import { temporaryFolder } from "../support/temp.ts";

const EVERY = { holding: [""] };

async function read(data: string | Uint8Array, options: LinesOptions = EVERY): Promise<TextLine[]> {
  using folder = temporaryFolder();
  const path = join(folder.path, "file.jsonl");
  writeFileSync(path, data);
  return await Array.fromAsync(linesOf(path, options));
}

Deno.test("linesOf() gives whole lines and where each ends, and starts at any of these ends", async () => {
  const line = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) =>
    text.replaceAll("\n", "").toWellFormed()
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), line, async (lines, half) => {
      const text = lines.map((line) => line + "\n").join("") + half;
      const all = await read(text);
      assert.deepEqual(all.map(({ text }) => text), lines);
      for (const [i, { end }] of all.entries()) {
        assert.deepEqual(await read(text, { ...EVERY, from: end }), all.slice(i + 1));
      }
    }),
    { numRuns: 50 },
  );
});

Deno.test("linesOf() leaves out lines that hold none of the texts", async () => {
  const found = await read("a user\nnothing\nan assistant\n", { holding: ["user", "assistant"] });
  assert.deepEqual(found.map(({ text }) => text), ["a user", "an assistant"]);
});

Deno.test("linesOf() judges a long line by its beginning, and gives one of many megabytes without its text", async () => {
  const megabyte = "x".repeat(1024 * 1024);
  const [wanted, late] = [`{"user"${megabyte}`, `${megabyte}"user"`];
  const endless = `{"user"${megabyte.repeat(17)}`;
  const text = [wanted, late, endless, '{"user"'].join("\n") + "\n";
  const found = await read(text, { holding: ['"user"'] });
  assert.deepEqual(found.map(({ text }) => text.length), [wanted.length, 0, 7]);
  assert.equal(found.at(-1)!.end, text.length);
});

Deno.test("linesOf() throws what the system says of a file that is not there", async () => {
  using folder = temporaryFolder();
  const lines = linesOf(join(folder.path, "none.jsonl"), EVERY);
  await assert.rejects(Array.fromAsync(lines), { code: "ENOENT" });
});

Deno.test("linesOf() has read a short file before any timer fires, so that no prompt goes without it", async () => {
  const late = new Promise<"late">((resolve) => setTimeout(() => resolve("late"), 0));
  const lines = await Promise.race([read("one\ntwo\n"), late]);
  assert.deepEqual(lines === "late" ? lines : lines.map(({ text }) => text), ["one", "two"]);
});
