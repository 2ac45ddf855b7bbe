import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJson } from "../../src/core/llm/parse_json.ts";

const CASES: readonly (readonly [string, string, unknown])[] = [
  ["the whole text", ' {"a": 1}\n', { a: 1 }],
  ["an array", "[1, 2]", [1, 2]],
  ["a code fence", 'Sure!\n```json\n{"a": ["x"]}\n```\nAnything else?', { a: ["x"] }],
  ["prose around it", 'I would pick {"a": {"b": "}"}} because of [1].', { a: { b: "}" } }],
  ["braces in prose first", 'Of {all} the [notes]: {"a": 1}', { a: 1 }],
  ["escaped quotes", 'x {"a": "\\"}{"} y', { a: '"}{' }],
  ["half of it", '{"a": ["x", "y', undefined],
  ["half of it, with a whole part inside", '{"picks": ["x"], "more": [', ["x"]],
  ["prose", "I am not sure which notes would help.", undefined],
  ["a bare word", "true", undefined],
  ["nothing", "", undefined],
];

for (const [what, text, expected] of CASES) {
  Deno.test(`parseJson() of ${what}`, () => assert.deepEqual(parseJson(text), expected));
}

Deno.test("parseJson() finds any object behind prose that has no brackets", () => {
  fc.assert(fc.property(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.string().filter((text) => !/[{["]/.test(text)),
    (value, prose) => {
      const json = JSON.stringify(value);
      assert.deepEqual(parseJson(`${prose}\n${json}\n${prose}`), JSON.parse(json));
    },
  ));
});

Deno.test("parseJson() never throws", () => {
  const pieces = fc.constantFrom('"', "{", "}", "[", "]", "\\", ",", ":", "1", "a", "\n");
  fc.assert(fc.property(fc.array(pieces), (parts) => void parseJson(parts.join(""))));
});

Deno.test("parseJson() gives up on a megabyte of open brackets", () => {
  assert.equal(parseJson("{[".repeat(500_000)), undefined);
});
