import assert from "node:assert/strict";
import { IncomingJson, withoutLongStrings } from "../../src/core/link/long_strings.ts";
import { parseBounded } from "../../src/core/link/parse.ts";
import { cutPaste } from "../../src/core/text/paste.ts";

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
        const count = Math.ceil(0.65 * MEGABYTE / write(paste).length);
        const whole = `${shift}${paste.repeat(count)} why?`;
        const text = String(withoutLongStrings(Buffer.from(write(event(whole)))));
        const { prompt, ...rest } = JSON.parse(text) as { prompt: string };
        assert.deepEqual({ ...rest, prompt: cutPaste(prompt) }, event(cutPaste(whole)));
        if (!paste.includes("private")) assert.ok(text.length < 0.6 * MEGABYTE);
      }
    });
  }
}

/** What is kept of bytes that come in pieces. */
function incoming(bytes: Buffer, piece: number): Buffer {
  const json = new IncomingJson();
  for (let at = 0; at < bytes.length; at += piece) json.add(bytes.subarray(at, at + piece));
  return json.bytes;
}

for (const [what, paste] of Object.entries(PASTES)) {
  Deno.test(`megabytes of ${what} that come in pieces are cut to the same prompt`, () => {
    const count = Math.ceil(6 * MEGABYTE / JSON.stringify(paste).length);
    const whole = `${paste.repeat(count)} why?`, cut = cutPaste(whole);
    const bytes = Buffer.from(JSON.stringify(event(whole)));
    for (const piece of [64 * 1024, 65_521, 3 * MEGABYTE + 3]) {
      const kept = incoming(bytes, piece);
      const { prompt, ...rest } = JSON.parse(String(kept)) as { prompt: string };
      assert.deepEqual({ ...rest, prompt: cutPaste(prompt) }, event(cut));
      if (!paste.includes("private")) assert.ok(kept.length < 0.6 * MEGABYTE, `${kept.length}`);
    }
  });
}

Deno.test("JSON that comes in pieces is kept byte for byte while it is short", () => {
  const bytes = Buffer.from(JSON.stringify(event("为什么 \\ ".repeat(50_000))));
  assert.ok(bytes.length < MEGABYTE);
  assert.ok(incoming(bytes, 4096).equals(bytes));
});

Deno.test("private text in megabytes that come in pieces goes whole, wherever they are cut", () => {
  const told = "the door is blue\n".repeat(18_000);
  const isGone = (json: Buffer) => {
    const cut = cutPaste((JSON.parse(String(json)) as { prompt: string }).prompt);
    return cut.endsWith("why?") && !cut.includes("door is blue");
  };
  for (const open of ["<private>", "＜  private  ＞"]) {
    for (let shift = 0; shift < 48; shift++) {
      /** Its tag lies about where the string is cut when so much has come. */
      const bytesCutAt = (size: number) => {
        const before = "x".repeat(size - 256 * 1024 - 64 + shift);
        return Buffer.from(JSON.stringify(event(`${before}${open}${told}</private>why?`)));
      };
      const bytes = bytesCutAt(0.6 * MEGABYTE), come = bytes.subarray(0, 0.6 * MEGABYTE);
      const rest = bytes.subarray(come.length);
      const kept = withoutLongStrings(Buffer.concat([withoutLongStrings(come), rest]));
      assert.ok(isGone(kept), `${open} ${shift}`);
      if (shift % 8 !== 0) continue;
      assert.ok(
        isGone(incoming(bytesCutAt(4 * MEGABYTE), 64 * 1024)),
        `${open} ${shift}, in pieces`,
      );
    }
  }
});

Deno.test("a hook's JSON is left whole where its paste may hold private text", () => {
  for (const open of ["<private>", "&lt;PRIVATE&gt;", "＜ private ＞"]) {
    const whole = "a line\n".repeat(100_000) + open + "a line\n".repeat(100_000);
    const json = JSON.stringify(event(whole));
    assert.equal(String(withoutLongStrings(Buffer.from(json))), json);
  }
});

Deno.test("what is cut in bytes is no worse for not being JSON", () => {
  const text = `{"prompt":"${"a".repeat(2 * MEGABYTE)}`;
  assert.throws(() => parseBounded(String(withoutLongStrings(Buffer.from(text)))), SyntaxError);
});

Deno.test("brackets in a string nest nothing, and those outside do", () => {
  const deep = "[".repeat(20_000);
  assert.deepEqual(parseBounded(JSON.stringify([`${deep}\\"${deep}`])), [`${deep}\\"${deep}`]);
  assert.throws(() => parseBounded(`["\\"",${deep}`), /nested deeper/);
});
