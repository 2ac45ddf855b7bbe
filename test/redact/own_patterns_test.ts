import assert from "node:assert/strict";
import { redact } from "../../src/core/redact/redact.ts";
import { ownPatterns, plainWords } from "../../src/core/redact/mod.ts";
import { readRows } from "../support/fixtures.ts";

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

for (const [pattern, why = ""] of readRows("redact/bad_patterns.tsv")) {
  Deno.test(`the pattern ${pattern} is refused`, () => {
    const message = new RegExp(why, "i");
    assert.throws(() => ownPatterns(`fine\n${pattern}`), { kind: "usage", message });
  });
}

Deno.test("repetition and choice that end are taken", () => {
  const fine = readRows("redact/fine_patterns.txt").map(([pattern]) => pattern!);
  assert.equal(ownPatterns(fine.join("\n")).length, fine.length);
});

Deno.test("no pattern that is taken needs long for a line", async () => {
  const own = ownPatterns("a*a*b\n(?:\\w\\w)+:\n[a-z]+[a-z0-9]+x");
  const line = "a".repeat(1000);
  assert.equal((await redact(line, own)).text, line);
});

Deno.test("plain words end before what is more than letters, and a text about secrets has none", () => {
  assert.equal(plainWords("deploy the shop with build4 now"), "deploy the shop with …");
  const secret = ["le mdp c'est mariposa", "the pw is swordfish", "mi contraseña es mariposa"];
  for (const text of secret) assert.equal(plainWords(text), "");
});
