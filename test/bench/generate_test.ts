import assert from "node:assert/strict";
import { generateMemories, generatePrompts } from "../../bench/generate.ts";

Deno.test("Generated memories are the same each time, all different, and of several types", () => {
  const memories = generateMemories(400);
  assert.deepEqual(generateMemories(400), memories);
  assert.deepEqual(generateMemories(100), memories.slice(0, 100));
  assert.equal(new Set(memories.map(({ body }) => body)).size, 400);
  assert.ok(new Set(memories.map(({ type }) => type)).size >= 4);
});

Deno.test("Generated prompts are all different, also when there is only one memory to ask about", () => {
  for (const memories of [1, 400]) {
    const prompts = generatePrompts(300, memories);
    assert.equal(new Set(prompts).size, 300);
    assert.deepEqual(generatePrompts(300, memories), prompts);
  }
});

Deno.test("Most generated prompts share telling words with a generated memory, and some do not", () => {
  const known = new Set(wordsOf(generateMemories(400).map(({ name }) => name).join(" ")));
  const related = generatePrompts(200, 400).filter((prompt) =>
    wordsOf(prompt).filter((word) => word.length > 4 && known.has(word)).length >= 2
  );
  assert.ok(related.length > 120 && related.length < 180, String(related.length));
});

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\w+/g) ?? [];
}
