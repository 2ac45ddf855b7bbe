import assert from "node:assert/strict";
import fc from "fast-check";
import { commandsIn } from "../../src/features/guard/shell.ts";
import { readRows } from "../support/fixtures.ts";

/** The commands of a line, each as its words; a word that is known only at run time is a dot. */
const words = (line: string) =>
  commandsIn(line, "/p").map(({ program, args }) =>
    [program, ...args.map((arg) => arg ?? ".")].join(" ")
  );

/** What a row says of a line's commands. */
const SAYS: Readonly<Record<string, (line: string, wanted: readonly string[]) => void>> = {
  "runs": (line, wanted) => assert.deepEqual(words(line), wanted, line),
  "ends with": (line, [last]) => assert.equal(words(line).at(-1), last, line),
  "runs among others": (line, [wanted]) =>
    assert.ok(words(line).includes(wanted!), `${line}: ${words(line).slice(-3)}`),
  "does not run": (line, [start]) =>
    assert.ok(!words(line).some((each) => each.startsWith(start!)), line),
  "runs in": (line, wanted) =>
    assert.deepEqual(
      commandsIn(line, "/p").map(({ program, cwd }) => `${program} ${cwd ?? "?"}`),
      wanted,
    ),
};

Deno.test("commandsIn() finds every command that a line runs, itself or by another, where, and none that it only mentions", () => {
  for (const [what = "", line = "", ...wanted] of readRows("guard/lines.tsv")) {
    SAYS[what]!(line, wanted);
  }
});

Deno.test("commandsIn() ends with any line, and lets one through that is too long or no sound shell", () => {
  for (const long of [`${"env ".repeat(90)}git push -f`, `${"true && ".repeat(1800)}git push -f`]) {
    assert.ok(words(long).includes("git push -f"));
  }
  assert.ok(!words("env ".repeat(4000)).some((each) => each.startsWith("git push")));
  const runners = "npx ".repeat(60);
  assert.ok(words(`${runners}-c "${runners}-c '${runners}-c ls'"`).length < 5000);
  assert.deepEqual(words("git push -f 'unclosed"), []);
  assert.deepEqual(words("if true; then npm i"), []);
  assert.deepEqual(words("npm i".padEnd(20_000)), []);
  assert.deepEqual(words("constructor x && valueOf y"), ["constructor x", "valueOf y"]);
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (line) => Array.isArray(commandsIn(line, "/p"))),
  );
});
