import assert from "node:assert/strict";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { withDays } from "../../src/core/memory/written_day.ts";
import { withoutDates } from "../../src/core/text/relative_day.ts";
import { relativeDayTable } from "../../tools/relative_days.ts";
import { readRows } from "../support/fixtures.ts";

/** A Wednesday. */
const AT = new Date(2026, 11, 2, 10);

const textOf = (body: string) => ({ name: "Title", description: "", body });

Deno.test("The words for days are those of CLDR", () => {
  const path = new URL("../../src/core/text/relative_days.tsv", import.meta.url);
  assert.equal(readFileSync(path, "utf8"), relativeDayTable(), "run tools/relative_days.ts");
});

for (const [text = "", dated = ""] of readRows("memory/written_day.tsv")) {
  Deno.test(`A day seen from that of writing gets its date: ${text}`, async () => {
    const { memory, left } = await withDays(textOf(text), { at: AT });
    assert.deepEqual([memory.body, left], [dated, []]);
    const again = await withDays(memory, { at: new Date(2027, 0, 9) });
    assert.equal(again.memory.body, dated, "a second time it has its date");
    assert.equal(withoutDates(dated), text);
  });
}

for (const [why, text = ""] of readRows("memory/no_written_day.tsv")) {
  Deno.test(`A day that ${why} gets no date: ${text}`, async () => {
    assert.equal((await withDays(textOf(text), { at: AT })).memory.body, text);
  });
}

Deno.test("What can mean a day, but which is not certain, is told apart from what is no day", async () => {
  const text =
    "Next Friday is the demo, on Monday the fair, in two weeks the audit, today `tomorrow`";
  const { left, days } = await withDays(textOf(text), { at: AT });
  assert.deepEqual([left, days], [["Next Friday", "on Monday", "in two weeks"], []]);
});

Deno.test("Next Monday means one day from Tuesday to Saturday, and two on a Sunday", async () => {
  for (let day = 29; day < 36; day++) {
    const at = new Date(2026, 10, day, 23, 59);
    const { days } = await withDays(textOf("The freeze starts next Monday"), { at });
    const next = at.getDay() === 1 ? "2026-12-07" : day < 30 ? undefined : "2026-12-07";
    assert.equal(days[0]?.day, next, at.toDateString());
  }
});

Deno.test("A name and a description made from the text follow it, others have their own days", async () => {
  const body = "The demo is tomorrow. Bring the cable.";
  const made = { name: "The demo is tomorrow", description: "The demo is tomorrow.", body };
  const dated = "The demo is tomorrow (2026-12-03)";
  assert.deepEqual((await withDays(made, { at: AT })).memory, {
    ...{ name: dated, description: `${dated}.`, body: `${dated}. Bring the cable.` },
  });
  const { memory } = await withDays({ ...made, name: "Demo of yesterday" }, { at: AT });
  assert.equal(memory.name, "Demo of yesterday (2026-12-01)");
});

Deno.test("What a memory said before is as old as that, and gets no date of today", async () => {
  const before = textOf("The demo is tomorrow");
  const edited = textOf("The demo is tomorrow at ten; yesterday it was moved");
  const { memory, days } = await withDays(edited, { at: AT, before });
  assert.equal(memory.body, "The demo is tomorrow at ten; yesterday (2026-12-01) it was moved");
  assert.deepEqual(days, [{ phrase: "yesterday", day: "2026-12-01" }]);
});

Deno.test("A dump is read in one go, whatever it repeats", async () => {
  const parts = [
    "a",
    "a ",
    "中",
    '"',
    "“",
    "\n",
    " ",
    "](",
    "`",
    ": ",
    "://",
    "1 ",
    "Monday ",
    "days ago ",
  ];
  for (const part of parts) {
    const body = part.repeat(250_000 / part.length);
    assert.equal((await withDays(textOf(body), { at: AT })).memory.body, body);
  }
});

Deno.test("A text loses nothing but gets dates, whatever is in it", async () => {
  const words = readRows("memory/written_day.tsv").flat().flatMap((text) => text.split(" "));
  const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: "grapheme" })))
    .map((parts) => parts.join(" "));
  await fc.assert(
    fc.asyncProperty(text, async (body) => {
      const { memory } = await withDays(textOf(body), { at: AT });
      const plain = (text: string) => text.replace(/ \(\d{4}-\d\d-\d\d\)/g, "");
      assert.equal(plain(memory.body), plain(body));
      const again = await withDays(memory, { at: new Date(2027, 0, 9) });
      assert.equal(again.memory.body, memory.body, "a second time nothing is added");
    }),
    { numRuns: 200 },
  );
});
