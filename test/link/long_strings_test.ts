import assert from "node:assert/strict";
import { withoutLongStrings } from "../../src/link/long_strings.ts";
import { parseBounded } from "../../src/link/parse.ts";
import { cutPaste } from "../../src/text/paste.ts";

const MEGABYTE = 1024 * 1024;
const event = (prompt: string) => ({ session_id: "s1", prompt, cwd: '/a "b" \\', source: "user" });
/** JSON as a program writes it that escapes all but ASCII. */
const inAscii = (value: unknown) =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );

const PASTES: Readonly<Record<string, string>> = {
  "a log": '2026-11-21 INFO "job" C:\\temp\\7 done\n',
  "backslashes alone": "\\",
  "quotes alone": '"',
  "escaped JSON": JSON.stringify(JSON.stringify({ a: "b\\c" })),
  "control characters": "\u0000\u0001\u001f\t",
  Chinese: "为什么在预发布环境导出发票会失败？",
  emoji: "😀a",
  "code with the word private": "private final int x = y < z;\n",
};

for (const [what, paste] of Object.entries(PASTES)) {
  for (const [how, write] of Object.entries({ JSON: JSON.stringify, ASCII: inAscii })) {
    Deno.test(`a hook's ${how} without the middle of ${what} is cut to the same prompt`, () => {
      for (const shift of ["", "x", "xy", "xyz", "wxyz", "vwxyz"]) {
        const count = Math.ceil(0.8 * MEGABYTE / write(paste).length);
        const whole = `${shift}${paste.repeat(count)} why?`;
        const text = withoutLongStrings(Buffer.from(write(event(whole))));
        const { prompt, ...rest } = JSON.parse(text) as { prompt: string };
        assert.deepEqual({ ...rest, prompt: cutPaste(prompt) }, event(cutPaste(whole)));
        if (!paste.includes("private")) assert.ok(text.length < 0.6 * MEGABYTE);
      }
    });
  }
}

Deno.test("a hook's JSON is left whole where its paste may hold private text", () => {
  for (const open of ["<private>", "&lt;PRIVATE&gt;", "＜ private ＞"]) {
    const whole = "a line\n".repeat(100_000) + open + "a line\n".repeat(100_000);
    const json = JSON.stringify(event(whole));
    assert.equal(withoutLongStrings(Buffer.from(json)), json);
  }
});

Deno.test("what is cut in bytes is no worse for not being JSON", () => {
  const text = `{"prompt":"${"a".repeat(2 * MEGABYTE)}`;
  assert.throws(() => parseBounded(withoutLongStrings(Buffer.from(text))), SyntaxError);
});

Deno.test("brackets in a string nest nothing, and those outside do", () => {
  const deep = "[".repeat(20_000);
  assert.deepEqual(parseBounded(JSON.stringify([`${deep}\\"${deep}`])), [`${deep}\\"${deep}`]);
  assert.throws(() => parseBounded(`["\\"",${deep}`), /nested deeper/);
});
