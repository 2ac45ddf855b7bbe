import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { TYPES } from "../../src/core/memory/types.ts";
import { openInEditor, splitCommand } from "../../src/surfaces/cli/shared/editor.ts";
import { type Home, makeHome, MEMO, runMemo, succeed } from "../support/home.ts";
import { listed, listedNames } from "../support/listed.ts";
import { callTool } from "../support/mcp_call.ts";
import { HAS_TERMINAL, runInTerminal } from "../support/terminal.ts";
import { filesIn } from "../support/files.ts";

/** What memo prints, without the line's end. */
async function memo(home: Home, args: readonly string[], stdin = ""): Promise<string> {
  return (await succeed(home, args, { stdin })).trimEnd();
}

/** Runs memo, expects it to fail, and returns its stderr. */
async function failing(
  home: Home,
  args: readonly string[],
  { code = 2, stdin = "" }: { code?: number; stdin?: string | Uint8Array } = {},
): Promise<string> {
  const finished = await runMemo(home, args, { stdin });
  assert.deepEqual([finished.code, finished.stdout], [code, ""], finished.stderr);
  return finished.stderr;
}

/** The same home with an editor: a script that is given the file as `$1`. */
function withEditor(home: Home, script: string): Home {
  const path = join(home.root, "my editor");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { ...home, env: { ...home.env, EDITOR: `'${path}' --wait` } };
}

const textOf = (path: string) => readFileSync(path, "utf8");

const namesIn = (folder: string) => Object.keys(filesIn(folder));

Deno.test("memo add writes a memory, names it after its first sentence and prints its path", async () => {
  await using home = makeHome();
  const path = await memo(home, ["add", "Use", "pnpm.", "It is faster."]);
  assert.equal(path, join(home.privately, "feedback_use-pnpm.md"));
  assert.match(
    textOf(path),
    /^---\nname: Use pnpm\ntype: feedback\ncreated: \d{4}-\d\d-\d\dT.*Z\n---\nUse pnpm\. It is faster\.\n$/,
  );
  assert.match(textOf(join(home.privately, "MEMORY.md")), /\n- \[Use pnpm\]\(feedback_use-/);
});

Deno.test("memo add takes every field from its options", async () => {
  await using home = makeHome();
  const path = await memo(home, [
    ...["add", "-", "--name", "pnpm", "--type", "tool", "--tags", "node, build,"],
    ...[
      "--trigger",
      "which package manager",
      "--trigger",
      "¿qué gestor?",
      "--description",
      "Why: x",
    ],
  ], "Use pnpm.\n\n---\n\nNever npm.\n");
  const text = textOf(path).replace(/created: .*/, "created: NOW");
  assert.equal(
    text,
    '---\nname: pnpm\ndescription: "Why: x"\ntype: tool\ntriggers:\n  - which package manager\n' +
      "  - ¿qué gestor?\ntags:\n  - node\n  - build\ncreated: NOW\n---\n" +
      "Use pnpm.\n\n---\n\nNever npm.\n",
  );
});

Deno.test("memo add reads a memory file on stdin, and options count more", async () => {
  await using home = makeHome();
  const file =
    "---\nname: Old name\ntype: feedback\nmine: kept # why\ncreated: 2026-01-02\n---\nText.\n";
  const path = await memo(home, ["add", "--name", "New name"], file);
  assert.equal(
    textOf(path),
    "---\nname: New name\ntype: feedback\nmine: kept # why\ncreated: 2026-01-02\n" +
      "description: Text.\n---\nText.\n",
  );
});

const KEY = "ghp_" + "a1B2".repeat(9);

/** What memo add refuses: its arguments, its stdin, and what it says. */
const REFUSED: readonly (readonly [string[], string | readonly number[], RegExp])[] = [
  [["add"], "---\ntype: a: b\n---\nText.\n", /^error: .*: Front matter is not YAML at line 2/],
  [["add"], "---\nname: A name alone\n---\n", /without text\n\nhint: Run `memo add/],
  [["add"], "\n", /without text/],
  [["add", "-"], "\n", /without text/],
  [["add", ""], "\n", /without text/],
  [["add", " ", "--name", "x"], "\n", /without text/],
  [["add", `The deploy token is ${KEY}`], "", /looks like a secret \([^]*--anyway/],
  // Before anything looks for secrets in it.
  [
    ["add"],
    `The password is hunter2-${"x".repeat(1_000_000)}`,
    /\d{7} bytes: it has at most 262144\n/,
  ],
  [["add"], [0x63, 0x61, 0x66, 0xe9], /not UTF-8 text\n\nhint: Run `iconv/],
  [["add"], [0x50, 0x4b, 0x03, 0x04, 0x00, 0x00], /not UTF-8 text/],
];

Deno.test("memo add refuses what is no memory, and writes nothing", async () => {
  await using home = makeHome();
  for (const [args, given, said] of REFUSED) {
    const stdin = typeof given === "string" ? given : Uint8Array.from(given);
    assert.match(await failing(home, args, { stdin }), said);
  }
  assert.deepEqual(namesIn(home.claude), []);
  assert.match(textOf(await memo(home, ["add", `The token is ${KEY}`, "--anyway"])), /ghp_/);
});

Deno.test("memo add refuses a text that says nothing", async () => {
  await using home = makeHome();
  for (const text of ["a", "!", "記", " x "]) {
    assert.match(await failing(home, ["add", text]), /it says nothing\n\nhint: Write a sentence/);
  }
  assert.deepEqual(namesIn(home.claude), []);
  await memo(home, ["add", "x", "--name", "The unknown"]);
});

Deno.test("memo add asks a person at a terminal what is meant, and what a like memory becomes", {
  ignore: !HAS_TERMINAL,
}, async () => {
  await using home = makeHome();
  const rule = (worker: string) => `Never restart ${worker} by hand while the nightly import runs`;
  await memo(home, ["add", rule("worker-a")]);
  const like = /Looks like “Never restart worker-[ab] .*Replace it\? \[y\/N\]/;
  const rows: readonly (readonly [args: readonly string[], asked: RegExp, answer: string])[] = [
    [["Ask before you push", "--type", "feedbck"], /Did you mean `feedback`\? \[Y\/n\]/, ""],
    [[rule("worker-b")], like, ""],
    [[rule("worker-c")], like, "y"],
  ];
  for (const [args, asked, answer] of rows) {
    await using terminal = runInTerminal(home, [MEMO, "add", ...args]);
    await terminal.shows(asked);
    await terminal.send(answer);
    assert.equal(await terminal.ends(), 0);
  }
  const made = await listed(home);
  assert.equal(made.find(({ name }) => name === "Ask before you push")?.type, "feedback");
  assert.equal(made.length, 3, "worker-c took the place of one");
  assert.ok(made.some(({ name }) => name === rule("worker-c")));
});

Deno.test("memo add warns of a type that nobody has used, with the one that may be meant", async () => {
  await using home = makeHome();
  const warning = async (text: string, type: string) =>
    (await runMemo(home, ["add", text, "--type", type])).stderr.match(/^warning: .*$/m)?.[0];
  const slip = await warning("Tag releases", "feedbck");
  assert.match(slip!, /`feedbck` is not a known type \(user, .*; did you mean `feedback`\?$/);
  assert.equal(await warning("Sign releases", "feedbck"), undefined, "it is in use now");
  assert.match((await warning("Text", "recipe"))!, /`recipe` is not a known type .*\)$/);
});

Deno.test("memo add in a project keeps it to the project, unless it is about the user", async () => {
  await using home = makeHome();
  const user = join(home.claude, "memory");
  const folderOf = async (...args: string[]) => dirname(await memo(home, ["add", ...args]));
  assert.equal(await folderOf("one"), home.privately);
  assert.equal(await folderOf("two", "--scope", "project"), home.privately);
  assert.equal(await folderOf("four", "--type", "user"), user);
  assert.equal(await folderOf("five", "--scope", "user"), user);
  const shared = await folderOf("six", "--scope", "shared");
  assert.equal(shared, join(home.project, ".claude", "memory"));
});

Deno.test("memo add says where a memory applies, and keeps what is about the person for the person", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"));
  const add = (text: string) => runMemo(home, ["add", text]);
  const staging = await add("Staging is pegasus");
  assert.equal(dirname(staging.stdout.trim()), home.privately);
  assert.match(
    staging.stderr,
    /^Saved “Staging is pegasus” for this project \(for every project: `--scope user`\)$/m,
  );
  for (
    const text of ["I prefer tabs over spaces", "Always answer me in Spanish", "Prefiero vim"]
  ) {
    const { stdout, stderr } = await add(text);
    assert.equal(dirname(stdout.trim()), join(home.claude, "memory"));
    assert.match(basename(stdout.trim()), /^user_/);
    assert.match(
      stderr,
      /^Saved “.*” for every project \(for this project only: `--scope project`\)$/m,
    );
  }
  assert.deepEqual(readdirSync(home.project), [".git"]);
  assert.match(textOf(join(home.privately, "MEMORY.md")), /Staging is pegasus/);
  assert.doesNotMatch(textOf(join(home.claude, "memory", "MEMORY.md")), /pegasus/);
});

Deno.test("memo add recognises a rule in any language, and keeps it where any other note would be", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"));
  writeFileSync(join(home.memoHome, "config.yaml"), "capture:\n  scope: shared\n");
  const add = (...args: string[]) => runMemo(home, ["add", ...args]);
  for (
    const rule of ["Never force-push to main", "Keine neuen Pakete ohne Freigabe", "不要使用 npm"]
  ) {
    const { stdout, stderr } = await add(rule);
    assert.match(basename(stdout.trim()), /^feedback_/);
    assert.equal(dirname(stdout.trim()), join(home.project, ".claude", "memory"));
    assert.match(stderr, /^Saved “.*” as a rule \(feedback\) for this repository/m);
  }
  const asks = await add("Deploy docs: ask me before you change the pipeline");
  assert.match(asks.stderr, / for this repository \(for every project: `--scope user`\)$/m);
  const fact = await add("The staging database listens on 5433");
  assert.match(basename(fact.stdout.trim()), /^project_/);
  assert.doesNotMatch(fact.stderr, /as a rule/);
  const chosen = await add("Always tag releases with v", "--type", "tool");
  assert.match(basename(chosen.stdout.trim()), /^tool_/);
  assert.doesNotMatch(chosen.stderr, /as a rule/);
});

Deno.test("without a repository the folder is the project: another one, and one in it, do not recall its notes", async () => {
  await using home = makeHome();
  const deep = join(home.project, "deep");
  mkdirSync(deep);
  const { stdout, stderr } = await runMemo(home, ["add", "The database listens on 5433"]);
  assert.equal(dirname(stdout.trim()), home.privately);
  assert.match(stderr, / for this project \(for every project: `--scope user`\)$/m);
  const tabs = await runMemo(home, ["add", "I prefer tabs over spaces"]);
  assert.match(tabs.stderr, / for every project \(for this project only: `--scope project`\)$/m);
  const question = ["recall", "on which port does the database listen?"];
  assert.match(await memo(home, question), /5433/);
  assert.doesNotMatch((await runMemo({ ...home, project: deep }, question)).stdout, /5433/);
  const atHome = await runMemo({ ...home, project: home.root }, ["add", "Sonja has the keys"]);
  assert.match(atHome.stderr, / for every project$/m);
});

Deno.test("memo add --scope project in the home folder is a mistake", async () => {
  await using home = makeHome();
  const stderr = await failing({ ...home, project: home.root }, [
    "add",
    "Use x",
    "--scope",
    "project",
  ]);
  assert.match(stderr, /is not in a project\n\nhint: .*--scope user/);
});

Deno.test("memo add of a name and type that are taken names the file, unless it may replace it", async () => {
  await using home = makeHome();
  const mine = home.keep(
    "mine.md",
    "---\nname: Use PNPM\ntype: tool\ncreated: 2026-01-02\n---\nOld.\n",
  );
  const stderr = await failing(home, ["add", "New.", "--name", "Use pnpm", "--type", "tool"]);
  assert.match(stderr, /: “Use PNPM” has the same name and type\n/);
  assert.match(stderr, /hint: Pass `--replace`, or run `memo edit [k-z]{4}`/);
  await memo(home, ["add", "Another type.", "--name", "Use pnpm", "--type", "feedback"]);
  const args = ["add", "New.", "--name", "Use pnpm", "--type", "tool", "--replace", "--json"];
  const { path, archived } = JSON.parse(await memo(home, args));
  assert.equal(path, mine);
  assert.match(textOf(mine), /\ncreated: 2026-01-02\nupdated: \d{4}-.*\n---\nNew\.\n$/);
  assert.match(textOf(archived), /Old\.\n$/);
});

Deno.test("memo add of what a memory says in other words names it, and may replace it", async () => {
  await using home = makeHome();
  await memo(home, ["add", "Use pnpm, never npm, to install packages", "--trigger", "install"]);
  const again = ["add", "use pnpm never npm to install packages!"];
  const stderr = await failing(home, again);
  assert.match(stderr, /“Use pnpm, never npm, to install packages” says the same/);
  const { stdout, stderr: line } = await runMemo(home, [...again, "--replace"]);
  assert.match(
    line,
    /Replaced “Use pnpm, never npm, to install packages”; `memo undo [k-z]{4}` reverts that/,
  );
  assert.match(textOf(stdout.trim()), /triggers:\n +- install\n/);
  assert.equal((await listed(home)).length, 1);
});

Deno.test("memo add points out a memory that is like the new one, and leaves both", async () => {
  await using home = makeHome();
  await memo(home, ["add", "Never restart worker-a by hand while the nightly import runs"]);
  const { code, stderr } = await runMemo(home, [
    "add",
    "Never restart worker-b by hand while the nightly import runs",
  ]);
  assert.equal(code, 0);
  assert.match(
    stderr,
    /Looks like “Never restart worker-a by hand while the nightly import runs”, which stays; `memo forget [k-z]{4}` archives it/,
  );
  await runMemo(home, [
    "add",
    "Never restart worker-c by hand while the nightly import runs",
    "--replace",
  ]);
  assert.equal((await listed(home)).length, 3);
});

const DAY = "Session tokens expire after 24 hours", HALF = "Session tokens expire after 30 minutes";

Deno.test("memo add says what a new memory overtakes, replaces it with --replace, and keeps both with --keep", async () => {
  await using home = makeHome();
  await memo(home, ["add", DAY]);
  const { stderr } = await runMemo(home, ["add", HALF]);
  assert.match(stderr, /Overtakes “Session tokens expire after 24 hours” from \d{4}-\d\d-\d\d/);
  assert.equal((await listed(home)).length, 2);
  const last = "Session tokens expire after 10 minutes";
  const replaced = await runMemo(home, ["add", last, "--replace"]);
  assert.match(replaced.stderr, /Replaced “Session tokens expire after 30 minutes”/);
  assert.deepEqual((await listedNames(home)).sort(), [last, DAY].sort());
  const kept = await runMemo(home, ["add", "Session tokens expire after 5 minutes", "--keep"]);
  assert.match(kept.stderr, /“Session tokens expire after 10 minutes” from .* both hold/);
  await runMemo(home, ["undo"]);
  await runMemo(home, ["undo"]);
  assert.equal((await listed(home)).length, 2);
});

Deno.test(
  "memo add asks a person at a terminal whether what it replaces goes, or both hold; Ctrl-C saves nothing",
  { ignore: !HAS_TERMINAL },
  async () => {
    const cases: readonly (readonly [keys: readonly string[], code: number, left: string[]])[] = [
      [["Enter"], 0, [HALF]],
      [["y", "Enter"], 0, [HALF]],
      [["k", "Enter"], 0, [HALF, DAY]],
      [["c", "Enter"], 130, [DAY]],
      [["n", "Enter"], 130, [DAY]],
      [["C-c"], 130, [DAY]],
      [["C-d"], 130, [DAY]],
    ];
    for (const [keys, code, left] of cases) {
      await using home = makeHome();
      await memo(home, ["add", DAY]);
      await using terminal = runInTerminal(home, [MEMO, "add", HALF]);
      await terminal.shows(/Replace “Session tokens .*\[Y\]es \/ \[k\]eep both \/ \[c\]ancel/);
      await terminal.press(...keys);
      assert.equal(await terminal.ends(), code, keys.join());
      assert.deepEqual((await listedNames(home)).sort(), left.sort(), keys.join());
    }
  },
);

Deno.test("memo list --basis lists what rests on it, and show names what the user has not said", async () => {
  await using home = makeHome();
  await memo(home, ["add", "Use pnpm"]);
  await memo(home, ["add", "The flaky test waits for a port", "--tags", "concluded"]);
  assert.deepEqual(await listedNames(home), ["The flaky test waits for a port", "Use pnpm"]);
  const { stdout } = await runMemo(home, ["list", "--basis", "concluded"]);
  assert.match(stdout, /flaky test/);
  assert.doesNotMatch(stdout, /pnpm/);
  assert.match((await runMemo(home, ["show", "flaky"])).stderr, /, concluded /);
});

Deno.test("on a full disk memo add and forget lose nothing", {
  ignore: process.platform === "win32",
}, async () => {
  await using home = makeHome();
  const path = await memo(home, ["add", "Use pnpm"]);
  const before = textOf(path);
  // No file may grow: to a program that is what a full disk looks like.
  const full = (...args: string[]) =>
    runMemo(home, ["-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh", MEMO, ...args], {
      executable: "sh",
    });
  for (const args of [["add", "Use tabs"], ["add", "Use pnpm", "--replace"]]) {
    const { code, stderr } = await full(...args);
    assert.equal(code, 2);
    assert.match(stderr, /^error: Cannot write a memory into .*\n\nhint: .*disk is not full\n$/);
    assert.equal(textOf(path), before);
    assert.deepEqual(namesIn(home.privately), [
      ...[".archive/changes.jsonl", "MEMORY.md", relative(home.privately, path), "project.json"],
    ]);
  }
  const { code, stdout, stderr } = await full("forget", "use pnpm");
  assert.deepEqual([code, textOf(stdout.trimEnd())], [0, before]);
  assert.match(stderr, /^warning: Cannot write `.*MEMORY\.md`/);
});

Deno.test("a stdout that takes nothing fails memo add, which says all the same what it has saved", {
  ignore: process.platform !== "linux",
}, async () => {
  await using home = makeHome();
  const args = ["-c", `"$0" add "The API listens on 8080" > /dev/full`, MEMO];
  const { code, stderr } = await runMemo(home, args, { executable: "sh" });
  assert.equal(code, 2);
  assert.match(stderr, /^error: Cannot write to stdout: ENOSPC\n\nhint: .*`memo log`/);
  assert.match(stderr, /\nSaved “The API listens on 8080”/);
  assert.deepEqual(await listedNames(home), ["The API listens on 8080"]);
});

Deno.test("memo edit gives a memory another text without an editor, and the name that was made from the old one follows", async () => {
  await using home = makeHome();
  await memo(home, ["add", "Deploys go out on Tuesdays. Ask Ada."]);
  await memo(home, ["add", "The port is 1", "--name", "Port of the API"]);
  const edited = async (...args: string[]) => {
    const { name } = JSON.parse(await memo(home, ["edit", ...args, "--json"]));
    return name;
  };
  for (
    const [args, name] of [
      [
        ["tuesdays", "--text", "Deploys go out on Wednesdays. Ask Ada."],
        "Deploys go out on Wednesdays",
      ],
      [["wednesdays", "--tags", "release, ops"], "Deploys go out on Wednesdays"],
      [["port", "--text", "The port is 2", "-d", "When the API is asked"], "Port of the API"],
    ] as const
  ) {
    assert.equal(await edited(...args), name);
  }
  const script = `sed -i 's/Wednesdays/Fridays/' "$2"`; // front matter and text
  await memo(withEditor(home, script), ["edit", "wednesdays"]);
  const body = `sed -i '/^---$/,/^---$/!s/Fridays/Mondays/' "$2"`;
  await memo(withEditor(home, body), ["edit", "fridays"]);
  assert.deepEqual((await listedNames(home)).sort(), [
    "Deploys go out on Mondays",
    "Port of the API",
  ]);
  assert.deepEqual(await listedNames(home, "--tag", "ops"), ["Deploys go out on Mondays"]);
  assert.match(await failing(home, ["edit", "port", "--text", " "]), /the text is empty/);
  const secret = ["edit", "port", "--text", "The token is " + "ghp_" + "a1B2".repeat(9)];
  assert.match(await failing(home, secret), /looks like a secret/);
});

Deno.test("an empty text from the editor changes nothing", async () => {
  await using home = makeHome();
  const path = await memo(home, ["add", "The API listens on 8080"]);
  const before = textOf(path);
  for (const script of ['truncate -s 0 "$2"', 'printf "\\n \\n" > "$2"']) {
    const { code, stderr } = await runMemo(withEditor(home, script), ["edit", "api"]);
    assert.deepEqual([code, textOf(path)], [0, before]);
    assert.match(stderr, /^No changes: the text is empty; `memo forget NAME`/);
  }
});

Deno.test("a running daemon finds at once what was added, and no more what was forgotten", async () => {
  await using home = makeHome();
  await memo(home, ["daemon", "start"]);
  await memo(home, ["add", "The zeppelin lands at noon"]);
  const status = async () => JSON.parse(await memo(home, ["daemon", "status", "--json"]));
  assert.equal((await status()).memories, 1);
  await memo(home, ["forget", "the zeppelin"]);
  assert.equal((await status()).memories, 0);
});

Deno.test("memo list of words lists the memories with all of them in their names, and -n the newest", async () => {
  await using home = makeHome();
  for (const [i, name] of ["Use pnpm, never npm", "pnpm needs Node 22", "Node is old"].entries()) {
    home.write(`${i}.md`, `---\nname: ${name}\ncreated: 2026-01-0${i + 1}\n---\nText.\n`);
  }
  assert.deepEqual(await listedNames(home, "PNPM"), ["pnpm needs Node 22", "Use pnpm, never npm"]);
  assert.deepEqual(await listedNames(home, "pnpm", "node"), ["pnpm needs Node 22"]);
  assert.deepEqual(await listedNames(home, "-n", "1"), ["Node is old"]);
  assert.match(
    await failing(home, ["list", "yarn"], { code: 1 }),
    /^No memories named `yarn`; run `memo search yarn` to look into their texts/,
  );
});

Deno.test("memo dream --enrich --dry-run says what it would do with the memories that it lists", async () => {
  await using home = makeHome();
  home.write("a.md", "---\nname: A\n---\nThe cache is warm.\n");
  const { stdout, stderr } = await runMemo(home, ["dream", "--enrich", "--dry-run"]);
  assert.deepEqual([stdout, stderr], ["A\n", "Would ask for example prompts of 1 memory\n"]);
});

Deno.test("memo list, search and export name what they cannot read", async () => {
  await using home = makeHome();
  const cannot = /^warning: Cannot read `~\/\.claude\/memory`: /m;
  symlinkSync("memory", join(home.claude, "memory")); // leads to itself
  for (const args of [["search", "text"], ["list"]]) {
    const stderr = await failing(home, args, { code: 1 });
    assert.match(stderr, cannot);
    assert.doesNotMatch(stderr, /No memories found/);
  }
  const exported = await runMemo(home, ["export", join(home.root, "out.tar"), "--json"]);
  assert.equal(exported.code, 1, "an export without some of the memories is no success");
  assert.match(exported.stderr, cannot);
  const { files, failed } = JSON.parse(exported.stdout);
  assert.deepEqual([files, failed.length], [0, 1]);
});

Deno.test("memo list says what it leaves out because Claude Code's auto memory is off", async () => {
  await using home = makeHome();
  const settings = { autoMemoryDirectory: "~/notes", autoMemoryEnabled: false };
  home.write(".claude/settings.json", JSON.stringify(settings));
  home.write("notes/db.md", "---\nname: The database\ntype: project\n---\nIt is Postgres.\n");
  const stderr = await failing(home, ["list"], { code: 1 });
  assert.match(stderr, /1 memory of Claude Code's in `~\/notes` left out: `autoMemoryEnabled`/);
});

Deno.test("memo list and search name what they found none of", async () => {
  await using home = makeHome();
  const none = async (args: string) => await failing(home, args.split(" "), { code: 1 });
  assert.match(await none("list"), /^No memories found; run `memo add/);
  assert.equal((await runMemo(home, ["list", "--json"])).stdout, "[]\n");
  home.write("pnpm.md", "---\nname: Use pnpm\ntype: tool\n---\nUse pnpm.\n");
  for (
    const [args, said] of [
      ["list --stale", /^No stale memories$/m],
      ["list --archived", /^No archived memories$/m],
      ["list --scope team", /^No memories of scope `team`; run `memo list` to see all$/m],
      ["list --basis elsewhere", /^No memories of basis `elsewhere`; run `memo list`/m],
      [
        "list --stale --type fact --tag a,b",
        /^No stale memories of type `fact` of tag `a,b`; run/m,
      ],
      ["search pnpm -t tol", /did you mean the type `tool`\?/],
    ] as const
  ) assert.match(await none(args), said);
  assert.match(await failing(home, ["list", "--scope", "global"]), /Allowed choices are user, /);
  assert.match(await failing(home, ["search", " "]), /^error: Cannot search[^]*hint: Run `memo/);
});

Deno.test("nothing that is listed steers the terminal it is listed on", async () => {
  await using home = makeHome();
  const evil = 'name: "a\\e[31mb\\r\\a\u202e"\ntype: "to\\e]0;x\\aol\u202e"\n';
  home.write("a\u001b[2J.md", `---\n${evil}---\nred \u001b[31m \u202etext\n`);
  home.write("b\u001b[2J.md", "no front matter \u0007");
  const read = [["list"], ["search", "red"], ["config", "types"], [
    "dream",
    "--enrich",
    "--dry-run",
  ]];
  for (const args of [...read, ["forget", "a"], ["show", "b"]]) {
    const { stdout, stderr } = await runMemo(home, args);
    const shown = args[0] === "show" || args[0] === "forget" ? stderr : stdout + stderr;
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(shown, /[\u0000-\u0008\u000b-\u001f\u007f\u202e]/, args.join(" "));
  }
});

Deno.test("memo show prints the file as it is, and its facts beside it", async () => {
  await using home = makeHome();
  const text = "---\nname: A\ntype: tool\nmine: 1 # kept\n---\nText.\n";
  home.write("a.md", text);
  const { code, stdout, stderr } = await runMemo(home, ["show", "a"]);
  assert.deepEqual([code, stdout], [0, text]);
  assert.equal(stderr, "qrmx  tool, user, today  ~/.claude/memory/a.md\n");
});

Deno.test("memo show finds what was forgotten, and says so", async () => {
  await using home = makeHome();
  home.write("a.md", "---\nname: A name\n---\nText.\n");
  await memo(home, ["forget", "A", "name"]);
  assert.match((await runMemo(home, ["show", "a name"])).stderr, /archived {2}\S*\.archive\S*\n$/);
  const shown = JSON.parse(await memo(home, ["show", "a name", "--json"]));
  assert.deepEqual(
    [shown.name, shown.body, shown.archived, shown.tags, shown.confidence],
    ["A name", "Text.", true, [], 1],
  );
});

Deno.test("memo show of a shortened word suggests the memory that has the whole one", async () => {
  await using home = makeHome();
  home.write("a.md", "---\nname: The local database listens on 5433\n---\n");
  home.write("b.md", "---\nname: Deploys go through kamal\n---\n");
  assert.match(
    await failing(home, ["show", "db"], { code: 1 }),
    /hint: Did you mean `The local database listens on 5433`\? Run/,
  );
});

for (const command of ["show", "edit", "forget", "undo --archived"]) {
  Deno.test(`memo ${command} of an unknown name ends with 1 and leads on`, async () => {
    await using home = makeHome();
    home.write("a.md", "---\nname: Use pnpm\n---\n");
    const stderr = await failing(home, [...command.split(" "), "use npm"], { code: 1 });
    assert.match(stderr, /^error: Cannot find an? (archived )?memory named `use npm`\n\nhint: /);
    assert.match(
      stderr,
      command === "undo --archived" ? /`memo list --archived`/ : /Did you mean `Use pnpm`\?/,
    );
  });

  Deno.test(`memo ${command} of an ambiguous beginning ends with 2 and lists what it may mean`, async () => {
    await using home = makeHome();
    const archive = command === "undo --archived" ? ".archive/" : "";
    home.write(`.claude/memory/${archive}a.md`, "---\nname: Use pnpm\n---\n");
    home.write(`.claude/memory/${archive}b.md`, "---\nname: Use tabs\n---\n");
    const stderr = await failing(home, [...command.split(" "), "use"]);
    assert.match(
      stderr,
      /^error: .* is ambiguous: 2 memories match:\n {2}qrmx {2}Use pnpm\n {2}uvxr {2}Use tabs\n\nhint: Use an id, such as `qrmx`/,
    );
  });
}

Deno.test("memo forget and undo --archived move a memory to the archive and back", async () => {
  await using home = makeHome();
  const text = "---\nname: A name\nmine: 1\n---\nText.\n";
  const path = home.write("a.md", text);
  const { code, stdout, stderr } = await runMemo(home, ["forget", "a name"]);
  assert.equal(code, 0);
  assert.equal(stderr, "Forgot “A name”; `memo undo qrmx` brings it back\n");
  assert.equal(existsSync(path), false);
  assert.equal(textOf(stdout.trimEnd()), text);
  assert.ok(!textOf(join(home.claude, "memory", "MEMORY.md")).includes("A name"));
  assert.deepEqual(await listedNames(home, "--archived"), ["A name"]);
  assert.equal(await memo(home, ["undo", "--archived", "a.md"]), path);
  assert.equal(textOf(path), text);
  assert.deepEqual(await listedNames(home, "--archived"), []); // it is in use
});

Deno.test("memo forget and undo --archived --json tell both places", async () => {
  await using home = makeHome();
  const path = home.write("a.md", "---\nname: A\n---\n");
  const forgotten = JSON.parse(await memo(home, ["forget", "a", "--json"]));
  const { archived } = forgotten;
  assert.deepEqual(forgotten, { name: "A", type: "project", scope: "user", path, archived });
  assert.deepEqual(
    JSON.parse(await memo(home, ["undo", "--archived", archived, "--json"])),
    forgotten,
  );
});

Deno.test("memo undo --archived beside a memory of the same file name says that both are there", async () => {
  await using home = makeHome();
  const path = home.write("a.md", "---\nname: A\n---\nold\n");
  await memo(home, ["forget", "a"]);
  writeFileSync(path, "new");
  const { stdout, stderr } = await runMemo(home, ["undo", "--archived", "a"]);
  assert.equal(stdout, path.replace("a.md", "a-2.md") + "\n");
  assert.match(stderr, /hint: `a\.md` exists too/);
  assert.equal(textOf(path), "new");
});

Deno.test("memo forget refuses Claude Code's own memories, and shows them all the same", async () => {
  await using home = makeHome();
  const slug = home.project.replace(/[^A-Za-z0-9]/g, "-");
  const path = home.write(`.claude/projects/${slug}/memory/blue.md`, "---\nname: blue\n---\nx\n");
  const stderr = await failing(home, ["forget", "blue"]);
  assert.match(stderr, /Claude Code's auto memory, which memo never changes\n\nhint: /);
  assert.deepEqual(await listedNames(home, "--scope", "auto"), ["blue"]);
  assert.match(await memo(home, ["show", "blue"]), /^x$/m);
  await memo(withEditor(home, 'echo y >> "$2"'), ["edit", "blue"]);
  assert.equal(textOf(path), "---\nname: blue\n---\nx\ny\n");
  assert.deepEqual(readdirSync(join(path, "..")), ["blue.md"]);
});

Deno.test("memo edit opens the editor, brings date and index file in step, and keeps the version before", async () => {
  await using home = makeHome();
  const text = "---\nname: A # kept\ncreated: 2026-01-02\n---\nold\n";
  const path = home.write("a.md", text);
  const script =
    `test "$1" = --wait && sed -e s/old/new/ -e 's/name: A/name: B/' "$2" > tmp && cp tmp "$2"`;
  assert.equal(await memo(withEditor(home, script), ["edit", "a"]), path);
  assert.match(
    textOf(path),
    /^---\nname: B # kept\ncreated: 2026-01-02\ntype: project\nupdated: \d{4}-.*\n---\nnew\n$/,
  );
  assert.match(textOf(join(home.claude, "memory", "MEMORY.md")), /\n- \[B\]\(a\.md\)\n$/);
  await memo(home, ["undo", "--archived", "a.md"]);
  assert.equal(textOf(path), text);
});

Deno.test("memo edit --never notes a prompt without its secrets, and memo undo takes it back", async () => {
  await using home = makeHome();
  const text = "---\nname: A\ntype: feedback\nmine: kept\n---\nx\n";
  const path = home.write("a.md", text);
  const token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  assert.equal(await memo(home, ["edit", "a", "--never", `push, it is ${token}`]), path);
  const noted = textOf(path);
  assert.match(noted, /^never:\n {2}- "?push, it is \[redacted:[\w-]+\]"?$/m);
  assert.match(noted, /^mine: kept$/m);
  assert.match(
    (await runMemo(home, ["log", "--json"])).stdout,
    /"because": "never for “push, it is/,
  );
  assert.equal(await memo(home, ["edit", "a", "--never", `push, it is ${token}`]), path);
  assert.equal(textOf(path), noted, "a prompt is noted once");

  assert.equal(await memo(home, ["undo"]), path);
  assert.equal(textOf(path), text);
  assert.equal((await runMemo(home, ["edit", "a", "--never", "  "])).code, 2);
});

Deno.test("memo edit --never refuses what others read too", async () => {
  await using home = makeHome();
  await memo(home, ["add", "Deploy with kamal", "--scope", "shared"]);
  const { code, stderr } = await runMemo(home, ["edit", "deploy", "--never", "hello there"]);
  assert.equal(code, 2);
  assert.match(stderr, /it is in the repository, and your prompt would be, too/);
});

Deno.test("memo edit that changes nothing leaves the file as it is", async () => {
  await using home = makeHome();
  const text = "---\nname:   A\ncreated: 2026-01-02\n---\n\n\nx";
  const path = home.write("a.md", text);
  const { code, stderr } = await runMemo(withEditor(home, "true"), ["edit", "a"]);
  assert.deepEqual([code, stderr, textOf(path)], [0, "No changes\n", text]);
});

Deno.test("memo edit warns with the line when the YAML is broken, and keeps the file", async () => {
  await using home = makeHome();
  const path = home.write("a.md", "---\nname: A\ncreated: 2026-01-02\n---\nx\n");
  const broken = "---\nname: A\ntype: b: c\n---\nx\n";
  const editing = withEditor(home, `cp '${home.write("project/broken", broken)}' "$2"`);
  const { code, stdout, stderr } = await runMemo(editing, ["edit", "a"]);
  assert.deepEqual([code, stdout], [0, path + "\n"]);
  assert.match(
    stderr,
    /^warning: ~\/\.claude\/memory\/a\.md: Front matter is not YAML at line 3: /,
  );
  assert.equal(textOf(path), broken);
  const { problems, changed } = JSON.parse(await memo(editing, ["edit", "a", "--json"]));
  assert.deepEqual([problems.length, changed], [1, false]);
});

Deno.test("memo edit with an editor that fails, or that deletes the file, is an error", async () => {
  await using home = makeHome();
  home.write("a.md", "---\nname: A\n---\nx\n");
  const missing = { ...home, env: { ...home.env, VISUAL: "/no/such/editor -w" } };
  assert.match(
    await failing(missing, ["edit", "a"]),
    /with `\/no\/such\/editor -w`: .*ENOENT.*\n\nhint: /,
  );
  assert.match(await failing(withEditor(home, "exit 3"), ["edit", "a"]), /exited with code 3/);
  assert.match(
    await failing(withEditor(home, 'rm "$2"'), ["edit", "a"]),
    /the editor removed the file\n\nhint: Run `memo forget/,
  );
  assert.equal(textOf(join(home.claude, "memory", "a.md")), "---\nname: A\n---\nx\n");
});

Deno.test("an editor's command is split as a shell would", () => {
  assert.deepEqual(splitCommand("code --wait"), ["code", "--wait"]);
  assert.deepEqual(splitCommand(`"/a b/ed" -x 'c d' e"f g"`), ["/a b/ed", "-x", "c d", "ef g"]);
  assert.deepEqual(splitCommand(`it's 5" wide`), ["it's", '5"', "wide"]);
  assert.deepEqual(splitCommand(Deno.execPath()), [Deno.execPath()]);
});

Deno.test("without an editor in the environment the system's own is meant", () => {
  const env = { PATH: "/nowhere", EDITOR: " " };
  assert.throws(() => openInEditor("/x", env, "linux"), /`vi`/);
});

Deno.test("memo config types shows every type with what is in force", async () => {
  await using home = makeHome();
  writeFileSync(
    join(home.memoHome, "config.yaml"),
    "strategy.feedback: keyword\nthreshold:\n  recipe: 0.9\n  tool: 7\n  user: 0.8\n",
  );
  const { code, stdout, stderr } = await runMemo(home, ["config", "types", "--json"]);
  assert.equal(code, 0);
  assert.match(stderr, /^warning: .*Cannot set `threshold\.tool` to `7`/);
  const types = JSON.parse(stdout) as { name: string; strategy: string; threshold: number }[];
  const names = TYPES.map(({ name }) => name);
  assert.deepEqual(types.map(({ name }) => name), [...names.slice(0, -1), "recipe", "*"]);
  const row = (name: string) => types.find((type) => type.name === name)!;
  assert.equal(row("feedback").strategy, "keyword");
  assert.equal(row("recipe").threshold, 0.9);
  assert.equal(row("user").threshold, 0.8);
  assert.deepEqual(row("progress"), {
    ...TYPES.find(({ name }) => name === "progress"),
    from: { strategy: "default", threshold: "default" },
  });
});

Deno.test("memo edit keeps what memo wrote while the editor was open", async () => {
  await using home = makeHome();
  await memo(home, ["add", "OLD line", "--name", "A", "-t", "decision", "--trigger", "ask a"]);
  const path = join(home.privately, "decision_a.md");
  const meanwhile = (command: string, edit: string) =>
    withEditor(home, `"${MEMO}" ${command} >/dev/null 2>&1; sed -i '${edit}' "$2"`);

  // Another field: both changes are in it.
  const pinned = await runMemo(meanwhile("edit a --pin", "s/OLD/MINE/"), ["edit", "a"]);
  assert.match(pinned.stderr, /changed while you edited it; both changes are in it now/);
  assert.match(readFileSync(path, "utf8"), /pin: true[^]*MINE line/);

  // The same words: the person's stay, and the others are in the archive.
  const other = 'add "THEIRS line" --name A -t decision --replace';
  const both = await runMemo(meanwhile(other, "s/MINE/YOURS/"), ["edit", "a"]);
  assert.equal(both.code, 0, both.stderr);
  assert.match(
    both.stderr,
    /changed while you edited it; your version replaced the other, which is in its history/,
  );
  assert.match(readFileSync(path, "utf8"), /YOURS line/);
  await memo(home, ["undo", "--archived", "a"]);
  assert.match(readFileSync(path, "utf8"), /THEIRS line/);

  // Gone: it becomes a new memory.
  const gone = await runMemo(meanwhile("forget a", "s/THEIRS/AGAIN/"), ["edit", "a"]);
  assert.equal(gone.code, 0, gone.stderr);
  assert.match(readFileSync(path, "utf8"), /AGAIN line/);
  assert.deepEqual(readdirSync(join(home.memoHome, "edits")), []);
});

Deno.test("a note of 12,000 characters survives every change byte for byte", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"));
  const body = Array.from({ length: 300 }, (_, i) => `Line ${i} of a long note, with ü and 記.`)
    .join("\n").slice(0, 12_000).trimEnd();
  const note = join(home.root, "note.txt");
  writeFileSync(note, body);
  const path = (await memo(home, ["add", "--name", "Long", "-t", "tool", body])).trim();
  const whole = (file: string) => assert.equal(bodyOf(readFileSync(file, "utf8")), body, file);
  whole(path);
  await memo(home, ["edit", "--pin", "long"]);
  whole(path);
  const updated = await callTool(home, "memory_update", { name: "Long", tags: ["big"] });
  assert.match(JSON.stringify(updated), /Updated/);
  whole(path);
  assert.match(readFileSync(path, "utf8"), /- big/);
  const saved = await callTool(home, "memory_save", { text: body, name: "Long too" });
  assert.match(JSON.stringify(saved), /long-too\.md/);
  const refused = await callTool(home, "memory_save", { text: "x".repeat(20_001) });
  assert.match(JSON.stringify(refused), /20000/);
  await memo(home, ["dream", "--force"]);
  const shared = (await memo(home, ["share", "Long"])).trim();
  whole(shared);
  const back = (await memo(home, ["share", "--undo", "Long"])).trim();
  whole(back);
  await memo(home, ["export", join(home.root, "out.tar.gz")]);
  await using other = makeHome();
  await memo(other, ["import", "memo", join(home.root, "out.tar.gz")]);
  const names = readdirSync(join(other.claude, "memory"), { recursive: true, encoding: "utf8" })
    .filter((name) => /tool_long\.md$/.test(name));
  assert.equal(names.length, 1);
  whole(join(other.claude, "memory", names[0]!));
});

/** What stands below the front matter. */
function bodyOf(text: string): string {
  return text.split("\n---\n").slice(1).join("\n---\n").trimEnd();
}
