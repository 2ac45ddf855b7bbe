import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJson } from "../../src/core/llm/parse_json.ts";
import { readRows } from "../support/fixtures.ts";

for (const [what, text, expected] of readRows("llm/parse_json.tsv")) {
  Deno.test(`parseJson() of ${what}`, () => {
    assert.deepEqual(parseJson(text!), expected && JSON.parse(expected));
  });
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
