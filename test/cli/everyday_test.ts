import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { localTime } from "../../src/core/text/counted.ts";
import { TYPES } from "../../src/core/memory/types.ts";
import { openInEditor, splitCommand } from "../../src/surfaces/cli/shared/editor.ts";
import { type Home, makeHome, MEMO, runMemo, succeed } from "../support/home.ts";
import { listed, listedNames } from "../support/listed.ts";
import { callTool } from "../mcp/support.ts";
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

Deno.test("memo add refuses what is no text, and too much of it", async () => {
  await using home = makeHome();
  for (const bytes of [[0x63, 0x61, 0x66, 0xe9], [0x50, 0x4b, 0x03, 0x04, 0x00, 0x00]]) {
    const stdin = Uint8Array.from(bytes);
    assert.match(await failing(home, ["add"], { stdin }), /not UTF-8 text\n\nhint: Run `iconv/);
  }
  const long = `The password is hunter2-${"x".repeat(1_000_000)}`; // refused before a look for secrets
  assert.match(
    await failing(home, ["add"], { stdin: long }),
    /a memory of \d+ KB: the limit is 256 KB\n/,
  );
  assert.deepEqual(namesIn(home.claude), []);
});

Deno.test("memo add asks a person at a terminal what is meant, and what a like memory becomes", {
  ignore: !HAS_TERMINAL,
}, async () => {
  await using home = makeHome();
  const rule = (worker: string) => `Never restart ${worker} by hand while the nightly import runs`;
  await memo(home, ["add", rule("worker-a")]);
  const like = /Replace the similar memory “Never restart worker-[ab] .*\? \[y\/N\]/;
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

const DAY = "Session tokens expire after 24 hours", HALF = "Session tokens expire after 30 minutes";

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
      await using home = makeHome({}, { hasModel: true });
      await memo(home, ["daemon", "start"]);
      await memo(home, ["add", DAY]);
      await using terminal = runInTerminal(home, [MEMO, "add", HALF]);
      await terminal.shows(/Replace “Session tokens .*\[Y\]es \/ \[k\]eep both \/ \[c\]ancel/);
      await terminal.press(...keys);
      assert.equal(await terminal.ends(), code, keys.join());
      assert.deepEqual((await listedNames(home)).sort(), left.sort(), keys.join());
    }
  },
);

Deno.test("memo add says what a new memory overtakes, replaces it with --replace, and keeps both with --keep", async () => {
  await using home = makeHome({}, { hasModel: true });
  await memo(home, ["daemon", "start"]);
  const add = async (minutes: number, ...flags: string[]) => {
    const text = `Session tokens live ${minutes} minutes`;
    return (await runMemo(home, ["add", text, ...flags])).stderr;
  };
  await add(20);
  assert.match(await add(5), /^(Conflicts with )?“Session tokens live 20 minutes” \(/m);
  assert.match(await add(10, "--replace"), /Replaced “Session tokens live (5|20) minutes”/);
  assert.equal((await listedNames(home)).length, 2);
  assert.match(await add(15, "--keep"), /^Kept “Session tokens live \d+ minutes” \(.*\) as well$/m);
  assert.equal((await listedNames(home)).length, 3);
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
    assert.match(stderr, /^error: Cannot write a memory to .*\n\nhint: .*disk is not full\n$/);
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
  assert.match(await failing(home, secret), /seems to contain a secret/);
});

Deno.test("memo add and memo edit write the dates of days, and say which they read and which they left", async () => {
  await using home = makeHome();
  const dayIn = (days: number) => localTime(new Date(Date.now() + days * 86_400_000)).day;
  const day = dayIn(1); // a moment before midnight it is the next
  const { stderr } = await runMemo(home, ["add", "The demo is tomorrow, the audit next week"]);
  const read = /^Read “tomorrow” as (.*)$/m.exec(stderr)?.[1] ?? "";
  assert.ok([day, dayIn(1)].includes(read), stderr);
  assert.match(stderr, /^hint: “next week” has no certain day; to write it, run `memo edit \w+`$/m);
  const name = `The demo is tomorrow (${read}), the audit next week`;
  assert.deepEqual(await listedNames(home), [name]);
  const text = `The demo was tomorrow (${read}); yesterday it was moved`;
  const edited = await runMemo(home, ["edit", "demo", "--text", text]);
  assert.match(edited.stderr, /; read “yesterday” as \d{4}-\d\d-\d\d$/m);
  const { days, left } = JSON.parse(await memo(home, ["add", "Fair on Monday", "--json"]));
  assert.deepEqual([days, left], [[], ["on Monday"]]);
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
  assert.match(pinned.stderr, /changed while you edited it; it now has both changes/);
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
