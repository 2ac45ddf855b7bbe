import assert from "node:assert/strict";
import fc from "fast-check";
import { parseMemory, serializeMemory } from "../../src/core/memory/file.ts";
import type { Memory } from "../../src/core/memory/memory.ts";
import { readRows } from "../support/fixtures.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMemoryFile } from "../../src/core/memory/folder.ts";
import { temporaryFolder } from "../support/temp.ts";

const FALLBACK = { fallbackName: "the file" };

/** Texts that mean something to YAML, to Markdown or to a file system. */
const tricky = fc.constantFrom(
  ..."---|...|null|true|1.10|007|~|'|\"|: |#| # |- |? |[a|{b: c}|&x|*x|!t|%Y|@|`|>|||\\|é|記憶|🎉|../x|,"
    .split("|"),
);
const words = fc.array(fc.oneof(tricky, fc.string({ unit: "grapheme", maxLength: 12 })), {
  maxLength: 5,
});
/** A text of one line, as a field holds it. */
const line = words.map((parts) => parts.join(" ").replace(/\s+/g, " ").trim());
const someLine = line.filter((text) => text !== "");
const lines = fc.array(someLine, { maxLength: 4 });
const someLines = fc.array(someLine, { minLength: 1, maxLength: 3 });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const body = fc.array(fc.oneof(line, tricky, fc.constantFrom("", "---", "```", "  indented")))
  .map((parts) => parts.join("\n").replace(/^(?:[ \t\ufeff]*\n)+/, "").trimEnd())
  .filter((text) => !text.startsWith("\ufeff") && !text.includes("\r"));

const fields: fc.Arbitrary<Memory> = fc.record({
  name: someLine,
  description: line,
  type: someLine,
  body,
  pinned: fc.boolean(),
  triggers: lines,
  tags: lines,
  confidence: fc.constantFrom(0, 0.25, 0.9, 1),
  created: maybe(fc.constantFrom("2026-01-02", "2026-01-02T03:04:05.678Z")),
  updated: maybe(fc.constantFrom("2026-02-03", "2026-02-03T03:04:05.678Z")),
  supersedes: lines,
  source: maybe(
    fc.record({ session: someLine, turn: someLine, transcript: someLine, earlier: someLines }, {
      requiredKeys: ["turn"],
      noNullPrototype: true,
    }),
  ),
}, { noNullPrototype: true });
const memories = fc.tuple(fields, fc.array(someLine, { maxLength: 3 })).map(([memory, never]) =>
  never.length === 0 ? memory : { ...memory, never }
);

/** Files that people and other tools may have written. */
const originals = fc.constantFrom(
  ...readRows("memory/originals.txt").map(([text]) => text!),
);

Deno.test("parse(serialize(m)) is m", () => {
  fc.assert(fc.property(memories, (memory) => {
    const { memory: parsed, problems } = parseMemory(serializeMemory(memory), FALLBACK);
    assert.deepEqual(parsed, memory);
    assert.deepEqual(problems, []);
  }));
});

Deno.test("parse(serialize(m, original)) is m, whatever the original is", () => {
  fc.assert(fc.property(memories, originals, (memory, original) => {
    const text = serializeMemory(memory, original);
    assert.deepEqual(parseMemory(text, FALLBACK).memory, memory, text);
  }));
});

Deno.test("serialize(m, original) is idempotent", () => {
  fc.assert(fc.property(memories, originals, (memory, original) => {
    const once = serializeMemory(memory, original);
    assert.equal(serializeMemory(memory, once), once);
  }));
});

Deno.test("parseMemory() takes any text", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "binary" }).map((text) => `---\n${text}\n---\nbody`),
    fc.array(tricky).map((parts) => `---\n${parts.join("\n")}\n---\n`),
  );
  fc.assert(fc.property(anything, (text) => {
    const { memory } = parseMemory(text, FALLBACK);
    assert.notEqual(memory.name, "");
    assert.equal(typeof memory.body, "string");
  }));
});

Deno.test("parseMemory() reads names, numbers and dates as they are written", () => {
  const text = "---\nname: 1.10\ndescription: true\ncreated: 2026-01-02\ntags: [007, null]\n---\n";
  const { memory } = parseMemory(text, FALLBACK);
  assert.equal(memory.name, "1.10");
  assert.equal(memory.description, "true");
  assert.equal(memory.created, "2026-01-02");
  assert.deepEqual(memory.tags, ["007"]);
});

Deno.test("parseMemory() reads the type, date and session of Claude Code's own format", () => {
  const text = "---\nname: blue-door\nmetadata:\n  node_type: memory\n  type: feedback\n" +
    "  originSessionId: 13d8801d\n  modified: 2026-11-21T03:29:16.311Z\n---\nfact\n";
  const { memory } = parseMemory(text, FALLBACK);
  assert.equal(memory.type, "feedback");
  assert.equal(memory.updated, "2026-11-21T03:29:16.311Z");
  assert.deepEqual(memory.source, { session: "13d8801d" });
});

Deno.test("parseMemory() takes BOM and CRLF for what they are", () => {
  const { memory, problems } = parseMemory(
    "\ufeff---\r\nname: Windows\r\n---\r\n\r\nfirst\r\nsecond\r\n",
    FALLBACK,
  );
  assert.deepEqual([memory.name, memory.body, problems], ["Windows", "first\nsecond", []]);
});

Deno.test("parseMemory() lets `...` close front matter, and `---` stand in the body", () => {
  const { memory } = parseMemory("---\nname: a\n...\nfirst\n\n---\n\nsecond\n", FALLBACK);
  assert.equal(memory.body, "first\n\n---\n\nsecond");
});

Deno.test("parseMemory() keeps confidence between 0 and 1, and takes nonsense for 1", () => {
  const confidence = (text: string) =>
    parseMemory(`---\nconfidence: ${text}\n---\n`, FALLBACK).memory.confidence;
  assert.deepEqual(["0.4", "7", "-1", "high", "", "[]", "true"].map(confidence), [
    0.4,
    1,
    0,
    1,
    1,
    1,
    1,
  ]);
});

const FAULTS = [
  ["broken YAML", "---\nname: a\ntype: b: c\n---\nbody\n", /^Front matter is not YAML at line 3: /],
  ["an indented key", "---\nname: a\n  type: b\n---\n", /^Front matter is not YAML at line \d: /],
  ["a key twice", "---\nname: a\nname: b\n---\n", /line 3: Map keys must be unique$/],
  ["a list", "---\n- a\n---\nbody\n", /not a list of `key: value` lines/],
  ["no end", "---\nname: a\nbody\n", /opens with `---` and is never closed/],
  [
    "more than 64 KB",
    `---\nname: a\ntags: [${"x, ".repeat(30_000)}]\n---\nbody\n`,
    /^Front matter is longer than 64 KB$/,
  ],
  [
    "aliases that explode",
    `---\na: &a [${"x,".repeat(9)}]\nb: &b [${"*a,".repeat(9)}]\n` +
    `c: &c [${"*b,".repeat(9)}]\nd: [${"*c,".repeat(9)}]\n---\n`,
    /cannot be read/,
  ],
  ["deep brackets", `---\na: ${"[".repeat(20_000)}\n---\n`, /^Front matter /],
] as const;

for (const [what, text, message] of FAULTS) {
  Deno.test(`parseMemory() names front matter with ${what}, and keeps the whole text`, () => {
    const { memory, problems } = parseMemory(text, FALLBACK);
    assert.equal(problems.length, 1);
    assert.equal(problems[0]!.kind, "front-matter");
    assert.match(problems[0]!.message, message);
    assert.equal(memory.name, "the file");
    assert.equal(memory.body, text.trimEnd());
  });
}

Deno.test("parseMemory() reads a name or description with a colon as it was meant, and names it", () => {
  const written =
    "---\nname: JWT: setup\ndescription: Ada: senior Java dev\ntype: user # mine\n---\nx\n";
  const { memory, problems } = parseMemory(written, FALLBACK);
  assert.deepEqual(
    [memory.name, memory.description, memory.type, memory.body],
    ["JWT: setup", "Ada: senior Java dev", "user", "x"],
  );
  assert.deepEqual(problems.map(({ kind }) => kind), ["unquoted"]);
  assert.match(problems[0]!.message, /not YAML at line 2.*put the text in quotes$/);
  const again = serializeMemory({ ...memory, type: "tool" }, written);
  assert.equal(
    again,
    '---\nname: "JWT: setup"\ndescription: "Ada: senior Java dev"\ntype: tool # mine\n---\nx\n',
  );
  for (
    const text of ["@scope/pkg is ours", "`x` is y", '"JWT" setup', "*.ts files", "%d is a day"]
  ) {
    const { memory } = parseMemory(`---\ndescription: ${text}\ntype: tool\n---\n`, FALLBACK);
    assert.deepEqual([memory.description, memory.type], [text, "tool"]);
  }
});

Deno.test("parseMemory() takes the heading for the name where a person wrote no front matter", () => {
  const name = (text: string) => parseMemory(text, { fallbackName: "n0099" }).memory.name;
  const text = "# The queue is in Redis #\r\n\nNot in Postgres.\n";
  assert.equal(name(text), "The queue is in Redis");
  assert.match(parseMemory(text, { fallbackName: "n0099" }).memory.body, /^# The queue/);
  assert.equal(name("Not in Postgres.\n# The queue\n"), "n0099");
  assert.equal(name("#queue\n"), "n0099");
  assert.equal(name("---\ntype: tool\n---\n# The queue\n"), "n0099");
});

Deno.test("parseMemory() names an empty file", () => {
  for (const text of ["", "\n\n", "\ufeff"]) {
    const { problems } = parseMemory(text, FALLBACK);
    assert.deepEqual(problems.map(({ kind }) => kind), ["empty"]);
  }
});

Deno.test("serialize(m, original) changes nothing but what changed", () => {
  const original = `---
# who wrote this
type: "feedback"  # quoted

name: Old name # the name
mine:
  deep: [1, 2]   # kept
description: 'single quoted'

# the end
---
body
`;
  const { memory } = parseMemory(original, FALLBACK);
  const text = serializeMemory({ ...memory, name: "New name", body: "new body" }, original);
  assert.equal(
    text,
    original.replace("Old name", "New name").replace("deep: [1, 2]   #", "deep: [ 1, 2 ] #")
      .replace('"feedback"  #', '"feedback" #').replace("\nbody", "\nnew body"),
  );
});

Deno.test("serialize(m, original) leaves the type where Claude Code put it", () => {
  const original = "---\nname: a\nmetadata:\n  node_type: memory\n  type: user\n---\nx\n";
  const { memory } = parseMemory(original, FALLBACK);
  const text = serializeMemory({ ...memory, type: "feedback" }, original);
  assert.equal(text, original.replace("type: user", "type: feedback"));
});

Deno.test("serialize(m) writes only what is known", () => {
  const { memory } = parseMemory("Use pnpm.", { fallbackName: "Use pnpm" });
  assert.equal(serializeMemory(memory), "---\nname: Use pnpm\ntype: project\n---\nUse pnpm.\n");
});

const NOTE = "---\nname: Deploy\n---\n\nThe staging box is heron\n";
/** `部署在海伦机器上`, in GBK. */
const GBK = Buffer.from("b2bfcaf0d4dabaa3c2d7bbfac6f7c9cf", "hex");

/** Bytes of a file, the body that is used, and what is said of the file. */
const FILES: readonly (readonly [what: string, bytes: Uint8Array, body: string, said: RegExp])[] = [
  ["UTF-8", Buffer.from(NOTE), "The staging box is heron", /^$/],
  ["UTF-8 with a character that stands for none", Buffer.from("a \ufffd b"), "a \ufffd b", /^$/],
  ["UTF-8 of such characters alone", Buffer.from("\ufffd\ufffd"), "\ufffd\ufffd", /^$/],
  ["UTF-16", Buffer.from(`\ufeff${NOTE}`, "utf16le"), "", /save it as UTF-8 to use it/],
  ["UTF-16 without a mark", Buffer.from(NOTE, "utf16le"), "", /save it as UTF-8/],
  ["GBK", GBK, "", /save it as UTF-8/],
  [
    "Latin-1",
    Buffer.from("The caf\xe9 has the key of the box", "latin1"),
    "The caf\ufffd has the key of the box",
    /are shown as/,
  ],
];

Deno.test("a memory in another encoding is held back, and one with a few such characters is used", () => {
  using folder = temporaryFolder();
  for (const [what, bytes, body, said] of FILES) {
    const path = join(folder.path, "note.md");
    writeFileSync(path, bytes);
    const memory = readMemoryFile(path, "user");
    assert.equal(memory.body, body, what);
    assert.match(memory.problems.map(({ message }) => message).join(), said, what);
    if (body === "") assert.deepEqual([memory.name, memory.confidence], ["note", 0], what);
  }
});
