import assert from "node:assert/strict";
import fc from "fast-check";
import { commandsIn } from "../../src/features/guard/shell.ts";

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

Deno.test("commandsIn() reads what a shell is given to read, and what reads a command line", () => {
  const found: Readonly<Record<string, string>> = {
    'bash <<< "git push -f"': "git push -f",
    "bash <<E\ngit push -f\nE": "git push -f",
    "sudo bash -s <<'E'\ncd a\ngit push -f origin $X\nE": "git push -f origin .",
    'echo "git push -f" | sh': "git push -f",
    "printf 'git push -f\\n' | tee log | sudo bash": "git push -f",
    "cat <<E | sh\ngit push -f\nE": "git push -f",
    "env -i PATH=$PATH HOME=/x git push -f": "git push -f",
    "env -S 'git push -f'": "git push -f",
    "git push {--force,origin}": "git push --force origin",
    "{git,push,-f}": "git push -f",
    "git push origin {+,}{main,dev}": "git push origin +main +dev main dev",
    "git -c alias.p='push -f' p": "git push -f",
    "git -C a -c alias.p='push -f' p origin": "git push -f origin",
    "git -c alias.p='!git push -f' p": "git push -f",
    "xargs git push <<< -f": "git push -f",
    "echo -f origin | xargs git push": "git push -f origin",
    "source <(echo git push -f)": "git push -f",
    "bash -e <(printf 'git push -f')": "git push -f",
    "bash <(cat <<E\ngit push -f\nE\n)": "git push -f",
    ". /dev/stdin <<< 'git push -f'": "git push -f",
    "echo git push -f | bash /dev/stdin": "git push -f",
    "docker run --rm -it -v $PWD:/w -w /w -e A=b alpine/git git push -f": "git push -f",
    "docker --context c exec web sh -c 'cd a && git push -f'": "git push -f",
    "docker compose -f a.yml run --rm --user me web git push -f": "git push -f",
    "kubectl -n x exec -it web -- git push -f": "git push -f",
    "su -c 'git push -f'": "git push -f",
    "su dev -lc 'git push -f'": "git push -f",
    "script -qc 'git push -f' /dev/null": "git push -f",
    "npx -c 'git push -f'": "git push -f",
    "npm exec -c 'git push -f'": "git push -f",
    "busybox sh -c 'git push -f'": "git push -f",
    "trap 'git push -f' EXIT": "git push -f",
    "watch -n 5 'git push -f'": "git push -f",
    "flock /tmp/l git push -f": "git push -f",
    "parallel -j 2 git push ::: -f": "git push ::: -f",
    [`${"env ".repeat(90)}git push -f`]: "git push -f",
    [`${"true && ".repeat(1800)}git push -f`]: "git push -f",
  };
  for (const [line, wanted] of Object.entries(found)) {
    assert.ok(words(line).includes(wanted), `${line.slice(0, 80)}: ${words(line).slice(-3)}`);
  }
});

Deno.test("commandsIn() takes no text for a command that nothing runs", () => {
  const lines = [
    "cat <<E > deploy.sh\ngit push -f\nE",
    "git commit -F - <<E\ngit push -f\nE",
    'echo "git push -f" | grep push',
    "grep git <<< 'git push -f'",
    "bash deploy.sh <<< 'git push -f'",
    "echo 'git push -f' | tee notes.md",
    "git -c alias.p='push -f' status",
    "git -c core.pager=cat log",
    "trap - EXIT",
    "echo {git,push,-f}",
    "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
    "env ".repeat(4000),
  ];
  for (const line of lines) {
    assert.ok(!words(line).some((each) => each.startsWith("git push")), line.slice(0, 80));
  }
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
  assert.deepEqual(words("constructor x && valueOf y"), ["constructor x", "valueOf y"]);
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (line) => Array.isArray(commandsIn(line, "/p"))),
  );
});
