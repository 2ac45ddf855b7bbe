// What people and models read is plain English: `CONTRIBUTING.md`, "English".

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { checkedFiles, findHabits, HABITS, stringsOf } from "../tools/english.ts";

Deno.test("no document, screen or string has a habit of translated English", () => {
  const files = checkedFiles();
  const found = files.flatMap((path) =>
    findHabits(path, readFileSync(new URL(`../${path}`, import.meta.url), "utf8"))
      .map(({ line, habit, text }) => `${path}:${line}: ${habit}: …${text}…`)
  );
  assert.ok(files.length > 200, `${files.length} files`);
  assert.deepEqual(found, []);
});

/** One sentence with each habit, in the order of HABITS, and how it is said. */
const SAID = [
  ["Three notes were saved", "Three memories were saved"],
  ["It appears with the file that it names", "It appears with a file it mentions"],
  ["The title stands in the block", "The title is in the block"],
  ["memo brings a memory", "memo shows a memory"],
  ["A memory comes with the prompt", "A memory is added to the prompt"],
  ["It holds what looks like a secret", "It seems to contain a secret"],
  ["Memories that bear on it", "Memories relevant to it"],
  ["It overtakes the older one", "It replaces the older one"],
  ["The code has no more such a file", "The code no longer has such a file"],
  ["A proposal waits for you", "A proposal needs your review"],
  ["The file beside it", "The file next to it"],
  ["Three prompts of yours", "Three of your prompts"],
  ["By words alone", "By words only"],
  ["It answers in time, and else not at all", "It answers in time, or not at all"],
  ["It has some 300 memories", "It has about 300 memories"],
  ["Asked were 468 prompts", "We asked 468 prompts"],
  ["The file is gone since", "The file was deleted since"],
] as const;

Deno.test("each habit is found, and what is said instead is not", () => {
  assert.equal(SAID.length, HABITS.length);
  const habitsIn = (text: string) => findHabits("a.md", text).map(({ habit }) => habit);
  SAID.forEach(([bad, good], i) => {
    assert.deepEqual([...new Set(habitsIn(bad))], [HABITS[i]![0]], bad);
    assert.deepEqual(habitsIn(good), [], good);
  });
});

Deno.test("stringsOf() reads the sentences of a program, and no comment, expression, code or SQL", () => {
  const program = [
    'const a = "one sentence"; // no "second sentence"',
    "const b = `a ${f({ x: 'inner words' })} b`; const c = /it's \"no text\"/;",
    'const d = "SELECT a FROM b", e = "word";',
  ].join("\n");
  assert.deepEqual(stringsOf(program), [
    { line: 1, text: "one sentence" },
    { line: 2, text: "inner words" },
    { line: 2, text: "a X b" },
  ]);
  assert.deepEqual(findHabits("a.ts", 'say("three `notes` here");'), []);
});
