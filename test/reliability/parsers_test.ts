// Everything that memo parses comes from outside: hooks, transcripts, files that people and models write, replies of
// models, its own state after a crash. None of these parsers throws, hangs, or reaches into a prototype, whatever it is given.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { readReply } from "../../src/core/capture/candidate.ts";
import { cursorOf } from "../../src/core/capture/cursor.ts";
import { readJobs } from "../../src/core/capture/queue.ts";
import { readEvent } from "../../src/core/events/event.ts";
import { readLastLines } from "../../src/core/files/jsonl.ts";
import { readAnchor, readDay } from "../../src/core/journal/journal.ts";
import { parseJson } from "../../src/core/llm/parse_json.ts";
import { parseMemory } from "../../src/core/memory/file.ts";
import { readReceipts } from "../../src/core/recall/receipts.ts";
import { loadSession } from "../../src/core/recall/session.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { readTurns } from "../../src/core/transcript/turns.ts";
import { temporaryFolder } from "../support/temp.ts";

/** Names that are something on every object, and those that the formats use. */
const KEYS = [
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "then", "length"],
  ...["type", "message", "content", "role", "uuid", "parentUuid", "timestamp", "cwd", "sessionId"],
  ...["hook_event_name", "session_id", "prompt", "tool_input", "file_path", "transcript_path"],
  ...["memories", "journal", "name", "description", "body", "triggers", "tags", "confidence"],
  ...["at", "outcome", "transcript", "claude", "since", "attempts", "offset", "turns", "source"],
];

/** Any JSON, with keys that mean something. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>("user", "assistant", "Stop", "UserPromptSubmit", "tool_use", "text"),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.constantFrom<unknown>(null, true, false, -1, 2 ** 53),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), tie("value")), { maxLength: 8 })
      // `__proto__` as a key of its own, as JSON.parse makes it.
      .map((entries) =>
        JSON.parse(
          `{${
            entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? "0"}`)
          }}`,
        )
      ),
  ),
})).value;

/** Text that looks like what is expected, until it does not. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  json.map((value) => JSON.stringify(value) ?? ""),
  fc.array(json, { maxLength: 6 }).map((lines) =>
    lines.map((line) => JSON.stringify(line)).join("\n")
  ),
  fc.tuple(json, fc.string()).map(([front, body]) =>
    `---\nname: ${JSON.stringify(front)}\ntype: *x\n---\n${body}`
  ),
  fc.constantFrom(
    "---\na: &a [*a]\n---\n",
    "---\n" + "a:\n ".repeat(200) + "b\n---\n",
    "---\nname: !!js/function 'x'\n---\n",
    "---\n? {}\n: []\n---\n",
    "## 12:00\n- \n<!-- memo: -->\n",
    "\ufeff\0\u2028",
    "[".repeat(5000),
    '{"a":'.repeat(3000),
  ),
);

/** Every parser, as it is used. It takes the text, and a file with it in a folder of its own. */
const PARSERS: Readonly<Record<string, (given: { text: string; path: string }) => unknown>> = {
  "the front matter of a memory": ({ text }) => {
    const { memory } = parseMemory(text, { fallbackName: "fallback" });
    for (const part of [memory.name, memory.description, memory.type, memory.body]) {
      assert.equal(typeof part, "string");
    }
    assert.ok(memory.confidence >= 0 && memory.confidence <= 1);
  },
  "settings": ({ path }) => loadConfig(path, {}, { project: path }),
  "variables as settings": ({ text }) =>
    loadConfig("/nowhere", {
      MEMO_RECALL_MIN_CHARS: text,
      MEMO_REDACT_PATTERNS: text,
      MEMO_STRATEGY: text,
    }),
  "a transcript": async ({ path }) => {
    for await (const turn of readTurns(path)) assert.equal(typeof turn.prompt, "string");
  },
  "a journal": ({ text }) => [readDay(text), readAnchor(text)],
  "a model's reply": ({ text }) => readReply(parseJson(text)),
  "receipts": ({ path }) => [readReceipts(path, 5), readLastLines(path, 3)],
};

for (const [what, parse] of Object.entries(PARSERS)) {
  Deno.test(`${what}: whatever it holds, it is read without an error`, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "given");
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        writeFileSync(path, given);
        await parse({ text: given, path });
      }),
      { numRuns: 250 },
    );
    assert.equal(({} as Record<string, unknown>)["type"], undefined, "no prototype was changed");
  });
}

Deno.test("a hook's JSON: whatever it holds, it is an event in full or none", () => {
  const input = fc.oneof(
    fc.anything(),
    json,
    fc.tuple(fc.constantFrom("Stop", "UserPromptSubmit", "SessionStart", "PostToolUse"), json)
      .map(([name, rest]) => ({ ...(rest as object), hook_event_name: name })),
  );
  fc.assert(fc.property(input, (given) => {
    const event = readEvent(given);
    if (event === undefined) return;
    assert.equal(typeof event.cwd, "string");
    for (const part of [event.session, event.transcript]) {
      assert.ok(part === undefined || typeof part === "string");
    }
  }));
});

Deno.test("state that a crash or another program has spoilt is as good as none", () => {
  using folder = temporaryFolder();
  const [queue, cursors, sessions] = ["queue", "cursors", "sessions"].map((name) => {
    const path = join(folder.path, name);
    mkdirSync(path);
    return path;
  }) as [string, string, string];
  fc.assert(
    fc.property(text, (given) => {
      writeFileSync(join(queue, "0123456789abcdef.json"), given);
      writeFileSync(join(cursors, "0123456789abcdef.json"), given);
      writeFileSync(join(sessions, "s1.json"), given);
      for (const job of readJobs(folder.path)) assert.equal(typeof job.transcript, "string");
      const where = { transcript: "/t", cwd: "/c", claude: "/k" };
      assert.equal(cursorOf(folder.path, where).transcript, "/t");
      assert.ok(loadSession(sessions, "s1"));
    }),
    { numRuns: 250 },
  );
});
