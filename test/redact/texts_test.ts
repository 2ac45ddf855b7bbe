import assert from "node:assert/strict";
import { redactMemory, redactTexts } from "../../src/core/redact/texts.ts";

const TOKEN = "ghp_" + "aZ3kL9mQ2xR7".repeat(3);

Deno.test("redactMemory() takes secrets out of every text of a memory, and leaves its other fields", async () => {
  const memory = {
    name: `Deploy with ${TOKEN}`,
    description: "How to deploy",
    body: `Export ${TOKEN} first.`,
    triggers: ["deploy", `use ${TOKEN}`],
    tags: ["ops", TOKEN],
    source: { transcript: TOKEN },
    pinned: true,
  };
  assert.deepEqual(await redactMemory(memory), {
    value: {
      ...memory,
      name: "Deploy with [redacted:github]",
      body: "Export [redacted:github] first.",
      triggers: ["deploy", "use [redacted:github]"],
      tags: ["ops", "[redacted:github]"],
    },
    found: { github: 4 },
  });
});

Deno.test("redactTexts() takes a secret out of all strings of a value when one gives it away", async () => {
  const value = { a: [`API_TOKEN=${TOKEN.slice(4)}`], b: { c: `see ${TOKEN.slice(4)}`, d: 1 } };
  assert.deepEqual((await redactTexts(value)).value, {
    a: ["API_TOKEN=[redacted:assigned]"],
    b: { c: "see [redacted:assigned]", d: 1 },
  });
});
