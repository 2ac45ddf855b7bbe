import assert from "node:assert/strict";
import { redact } from "../../src/redact/redact.ts";
import { ownPatterns } from "../../src/redact/own_patterns.ts";

Deno.test("the user's patterns are redacted, in part where they have a group `secret`", async () => {
  const own = ownPatterns("ACME-\\d+\n\n  pin (?<secret>\\d{4}) \nKunde[nr]+\\d+");
  assert.equal(own.length, 3);
  const { text, found } = await redact("ACME-12, pin 9876 , Kundennr77 and 9876", own);
  assert.equal(text, "[redacted:own], pin [redacted:own] , [redacted:own] and 9876");
  assert.deepEqual(found, { own: 3 });
  assert.equal((await redact(text, own)).text, text);
});

Deno.test("a pattern that matches its own mark comes to an end", async () => {
  const own = ownPatterns("\\w+");
  const { text } = await redact("one two", own);
  assert.equal(text, "[redacted:own] [redacted:own]");
});

for (
  const [pattern, why] of [
    ["(a", /Invalid regular expression|unterminated|missing/i],
    ["a*", /it matches the empty text/],
    ["(a+)+b", /may take for ever/],
    ["(a|a)*b", /may take for ever/],
    ["((x[)]+)y){2,}", /may take for ever/],
    ["(?:\\w+\\s?)*:", /may take for ever/],
  ] as const
) {
  Deno.test(`the pattern ${pattern} is refused`, () => {
    assert.throws(() => ownPatterns(`fine\n${pattern}`), { kind: "usage", message: why });
  });
}

Deno.test("repetition and choice that end are taken", () => {
  const fine = [
    "a+b*c",
    "(foo|bar)-\\d+",
    "(ab){3}",
    "[(+]+x",
    "\\(+\\)+",
    "(a|b)?c",
    "(?<secret>k+)x",
  ];
  assert.equal(ownPatterns(fine.join("\n")).length, fine.length);
});
