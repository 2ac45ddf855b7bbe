import assert from "node:assert/strict";
import fc from "fast-check";
import { messageText } from "../../src/core/transcript/message_text.ts";
import { resultLine } from "../../src/core/transcript/tool_line.ts";
import { wholeWords, wholeWordsAtEnd } from "../../src/core/text/whole_words.ts";
import { redact } from "../../src/core/redact/redact.ts";

Deno.test("a text is cut between its words", () => {
  assert.equal(wholeWords("one two three", 9), "one two ");
  assert.equal(wholeWords("one two three", 7), "one two");
  assert.equal(wholeWords('{"a":"bcdefgh"}', 9), '{"a":"');
  assert.equal(wholeWords("onetwothree", 5), "");
  assert.equal(wholeWordsAtEnd("one two three", 7), " three");
  assert.equal(wholeWordsAtEnd("onetwothree", 5), "");
  assert.equal(wholeWords("先看这里再说", 4), "先看这里");
  assert.equal(wholeWordsAtEnd("先看这里再说", 4), "这里再说");
});

Deno.test("of every word that a cut text has, it has all", () => {
  fc.assert(fc.property(fc.array(fc.stringMatching(/^[a-z]{1,9}$/)), fc.nat(60), (words, most) => {
    const text = words.join(" ");
    for (const part of [wholeWords(text, most), wholeWordsAtEnd(text, most)]) {
      assert.ok(part.length <= most);
      const left = [...words];
      for (const word of part.split(" ").filter((word) => word !== "")) {
        assert.ok(left.includes(word));
        left.splice(left.indexOf(word), 1);
      }
    }
  }));
});

Deno.test("nothing of a secret is left, wherever a text is cut", async () => {
  const secret = "ghp_" + "aZ3kL9mQ2xR7tB5nV1cD8fG4hJ6pS0wYq1w2";
  const shows = (text: string) =>
    Array.from({ length: secret.length - 8 }, (_, i) => secret.slice(i, i + 9))
      .some((part) => text.includes(part));
  for (let before = 150; before < 210; before += 3) {
    const line = resultLine(`${"word ".repeat(before / 5)}TOKEN=${secret} and more`, "Bash", {});
    assert.equal(shows((await redact(line)).text), false, String(before));
  }
  for (let before = 24_950; before < 25_010; before += 11) {
    const padding = "x".repeat(before - 1);
    for (
      const text of [
        `${padding} ${secret} ${"word ".repeat(9000)}`,
        `${"word ".repeat(9000)} ${secret} ${padding}`,
      ]
    ) {
      assert.equal(shows((await redact(messageText(text))).text), false, String(before));
    }
  }
});

Deno.test("what its surroundings give away is gone before they are cut off", async () => {
  const key = [
    "-----BEGIN PRIVATE KEY-----",
    ...Array(40).fill("aZ3k".repeat(16)),
    "-----END PRIVATE KEY-----",
  ];
  const filling = "word ".repeat(6000);
  for (
    const [text, gone] of [
      [key.join("\n"), /aZ3k/],
      ["the password = hunter2hunter2 is", /hunter2/],
      ["<private>the plan</private>", /the plan/],
      [`<private>${filling} the plan</private>`, /the plan/],
    ] as const
  ) {
    for (let after = 0; after <= text.length && after <= 3000; after += 113) {
      const tail = ` ${"word ".repeat(5000)}`.slice(0, 25_000 - after);
      const cut = messageText(`${filling}${text}${tail}`);
      assert.doesNotMatch((await redact(cut)).text, gone, String(after));
    }
  }
  for (let before = 100; before < 200; before++) {
    const line = resultLine(
      `${"a ".repeat(before / 2)}db://me:pA5s,w0rd@host ${filling}`,
      "Bash",
      {},
    );
    assert.doesNotMatch(line, /pA/, String(before));
  }
  const line = resultLine(`See <private>that</private> and ${filling}`, "Read", {});
  assert.match(line, /^See \[redacted:private\] and word/);
  const long = `<private>${filling}${filling}</private> and the rest`;
  assert.equal(messageText(long), "[redacted:private] and the rest");
});
