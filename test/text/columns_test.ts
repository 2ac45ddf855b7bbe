import assert from "node:assert/strict";
import stringWidth from "string-width";
import { columns } from "../../src/core/text/terminal.ts";

Deno.test("columns() aligns wide letters and colours", () => {
  const rows = [["\u001b[1mname\u001b[22m", "x"], ["包管理器", "y"], ["a", "z"]];
  assert.equal(columns(rows), "\u001b[1mname\u001b[22m      x\n包管理器  y\na         z\n");
});

Deno.test("columns() wraps the last column between words", () => {
  const rows = [["warn", "one two three four five six seven"], ["ok", "short"]];
  assert.equal(
    columns(rows, 30),
    "warn  one two three four five\n      six seven\nok    short\n",
  );
  assert.equal(columns(rows), "warn  one two three four five six seven\nok    short\n");
});

Deno.test("columns() puts a last column without room below the others, and nothing at column 0", () => {
  const path = "/a/very/long/path/that/no/terminal/of/forty/columns/has/room/for";
  const rows = [
    ["recall.min_chars", "10", "Minimum prompt length in characters 包管理器 and more of it"],
    ["model", "builtin", path],
    ["x", "", ""],
  ];
  const lines = columns(rows, 40).trimEnd().split("\n");
  assert.equal(lines[0], "recall.min_chars  10");
  assert.ok(lines.filter((line) => !line.includes(path)).every((line) => stringWidth(line) <= 40));
  assert.ok(lines.includes(`    ${path}`));
  assert.deepEqual(lines.filter((line) => /^\S/.test(line)).length, 3);
});
