import assert from "node:assert/strict";
import { columns, widthOf } from "../../src/cli/output.ts";

Deno.test("widthOf() counts what a terminal shows", () => {
  const widths: readonly (readonly [string, number])[] = [
    ["", 0],
    ["pnpm", 4],
    ["包管理器", 8],
    ["한글", 4],
    ["🎉", 2],
    ["👩‍💻", 2],
    ["שלום", 4],
    ["e\u0301", 1],
    ["\u001b[1mbold\u001b[22m", 4],
  ];
  for (const [text, width] of widths) assert.equal(widthOf(text), width, JSON.stringify(text));
});

Deno.test("columns() aligns wide letters and colours", () => {
  const rows = [["\u001b[1mname\u001b[22m", "x"], ["包管理器", "y"], ["a", "z"]];
  assert.equal(columns(rows), "\u001b[1mname\u001b[22m      x\n包管理器  y\na         z\n");
});

Deno.test("columns() breaks the last column between words where there is room for it, and never else", () => {
  const rows = [["warn", "one two three four five six seven"], ["ok", "short"]];
  assert.equal(
    columns(rows, 26),
    "warn  one two three four\n      five six seven\nok    short\n",
  );
  const whole = "warn  one two three four five six seven\nok    short\n";
  assert.deepEqual([columns(rows, 20), columns(rows, Infinity)], [whole, whole]);
});
