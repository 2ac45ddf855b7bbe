import assert from "node:assert/strict";
import fc from "fast-check";
import { commandsIn } from "../../src/guard/shell.ts";

/** The commands of a line, each as its words; a word that is known only at run time is a dot. */
const words = (line: string) =>
  commandsIn(line, "/p").map(({ program, args }) =>
    [program, ...args.map((arg) => arg ?? ".")].join(" ")
  );

Deno.test("commandsIn() finds every command that a line runs, and none that it only mentions", () => {
  const cases: readonly [string, readonly string[]][] = [
    ["git push -f && ls | wc -l; date", ["git push -f", "ls", "wc -l", "date"]],
    ["A=1 B='2 3' npm ci", ["npm ci"]],
    ["(cd a && npm i) || { yarn; }", ["cd a", "npm i", "yarn"]],
    ["if ! git pull; then git push -f; fi", ["git pull", "git push -f"]],
    ['for f in a b; do rm -rf "$f"; done', ["rm -rf ."]],
    ["echo $(rm -rf x) `date` <(ls)", ["rm -rf x", "date", "ls", "echo . . ."]],
    ["echo 'git push -f' \"npm $HOME\"", ["echo git push -f ."]],
    ['git commit -m "never git push --force"', ["git commit -m never git push --force"]],
    ["cat <<'E'\nnpm install\nE", ["cat"]],
    ["# npm install", []],
    ["/usr/bin/git push", ["git push"]],
    ["git 'pu''sh' \"--for\"ce", ["git push --force"]],
  ];
  for (const [line, wanted] of cases) assert.deepEqual(words(line), wanted, line);
});

Deno.test("commandsIn() sees through what runs another command", () => {
  const last = (line: string) => words(line).at(-1);
  assert.equal(last("sudo -u root -E npm i"), "npm i");
  assert.equal(last("env -u X FOO=1 npm i"), "npm i");
  assert.equal(last("timeout -k 5 30 npm i"), "npm i");
  assert.equal(last("nohup nice -n 5 npm i &"), "npm i");
  assert.equal(last("ls | xargs -0 -n 1 npm i"), "npm i");
  assert.equal(last("find . -name x -exec npm i {} \\;"), "npm i .");
  assert.equal(last("bash -lc 'cd a && npm i'"), "npm i");
  assert.equal(last("sh -c \"bash -c 'npm i'\""), "npm i");
  assert.equal(last("eval 'npm i'"), "npm i");
  assert.equal(last("command -v npm"), "command -v npm");
  assert.equal(last('bash -c "$SCRIPT"'), "bash -c .");
});

Deno.test("commandsIn() knows the folder of a command as far as the line tells", () => {
  const folders = (line: string) =>
    commandsIn(line, "/p").map(({ program, cwd }) => `${program} ${cwd ?? "?"}`);
  assert.deepEqual(folders("cd a && rm x"), ["cd /p", "rm /p/a"]);
  assert.deepEqual(folders("(cd a && rm x); rm y"), ["cd /p", "rm /p/a", "rm /p"]);
  assert.deepEqual(folders('cd "$D"; rm x'), ["cd /p", "rm ?"]);
  assert.deepEqual(folders("cd - && rm x"), ["cd /p", "rm ?"]);
});

Deno.test("commandsIn() lets a line through that is no sound shell, whatever it is", () => {
  assert.deepEqual(words("git push -f 'unclosed"), []);
  assert.deepEqual(words("if true; then npm i"), []);
  assert.deepEqual(words("npm i".padEnd(20_000)), []);
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (line) => Array.isArray(commandsIn(line, "/p"))),
  );
});
