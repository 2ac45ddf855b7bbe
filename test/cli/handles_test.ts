// Every command takes a memory by its id, a word of its name, or its file's name, and no person has to type a path.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Home, makeHome, MEMO, runMemo } from "../support/home.ts";
import { listed } from "../support/listed.ts";
import { HAS_TERMINAL, runInTerminal } from "../support/terminal.ts";

const PNPM = "Use pnpm, never npm, to install packages";

/** A home in a repository, with two memories, and an editor that adds a paragraph. */
function withMemories(): Home {
  const home = makeHome();
  mkdirSync(join(home.project, ".git"));
  const editor = join(home.root, "editor");
  writeFileSync(editor, "#!/bin/sh\nprintf '\\nMore.\\n' >> $1\n");
  chmodSync(editor, 0o755);
  const edited = { ...home, env: { ...home.env, EDITOR: editor } };
  const write = (name: string, type: string, text: string) =>
    home.keep(name, `---\nname: ${text}\ntype: ${type}\n---\n${text}\n`);
  write("feedback_use-pnpm-never-npm-to-install-packages.md", "feedback", PNPM);
  write("project_staging.md", "project", "The staging database listens on port 5433");
  return edited;
}

/** The ids of a home's memories, as a person is told them, by their names. */
async function ids(home: Home): Promise<Map<string, string>> {
  return new Map((await listed(home)).map(({ name, id }) => [name, id.slice(0, 4)]));
}

/** Every command that takes a memory; each leaves it in use. */
const TAKERS: readonly (readonly string[])[] = [
  ["show"],
  ["show", "--history"],
  ["edit"],
  ["edit", "--pin"],
  ["log"],
  ["undo"],
  ["search", "--like"],
  ["guard"],
  ["forget"],
  ["undo", "--archived"],
  ["share"],
  ["share", "--undo"],
];

Deno.test("every command that takes a memory takes its id, and a word of its name or its file's name", async () => {
  await using home = withMemories();
  const id = (await ids(home)).get(PNPM)!;
  const words = ["pnpm", "use-pnpm-never-npm-to-install-packages", "install packages"];
  const tries = [
    ...TAKERS.map((taker) => [taker, undefined] as const),
    ...TAKERS.map((taker, at) => [taker, words[at % words.length]!] as const),
  ];
  for (const [taker, word] of tries) {
    // A memory that is shared has another scope, and so another id.
    const handle = word ?? (await ids(home)).get(PNPM) ?? id;
    const { code, stderr } = await runMemo(home, [...taker, handle]);
    const isFound = code === 0 || (taker.includes("--like") && /No memory is similar/.test(stderr));
    assert.ok(isFound, `${taker.join(" ")} ${handle}: ${stderr}`);
  }
});

Deno.test("list, search and show print the same id, and JSON has the whole of it", async () => {
  await using home = withMemories();
  const id = (await ids(home)).get(PNPM)!;
  const json = async (...args: string[]) => JSON.parse((await runMemo(home, args)).stdout);
  const [found] = await json("search", "-s", "keyword", "pnpm", "--json");
  const shown = await json("show", id, "--json");
  assert.deepEqual([found.name, shown.name], [PNPM, PNPM]);
  assert.deepEqual([found.id, found.id.slice(0, 4)], [shown.id, id]);
  for (
    const args of [["list"], ["search", "-s", "keyword", "pnpm"]]
  ) assert.match((await runMemo(home, args)).stdout, new RegExp(`\\b${id} `));
  assert.match((await runMemo(home, ["show", "pnpm"])).stderr, new RegExp(`^${id} `));
});

Deno.test("the only memory of a similar name is offered at a terminal", {
  ignore: !HAS_TERMINAL,
}, async () => {
  await using home = withMemories();
  {
    await using terminal = runInTerminal(home, [MEMO, "forget", "pnp"]);
    await terminal.shows(/named `pnp`\. Did you mean “Use pnpm, never npm.*”\? \[Y\/n\]/);
    await terminal.send("n");
    assert.equal(await terminal.ends(), 1);
    await terminal.shows(/hint: Did you mean/);
  }
  assert.equal((await ids(home)).size, 2);
  await using terminal = runInTerminal(home, [MEMO, "forget", "pnp"]);
  await terminal.shows(/\[Y\/n\]/);
  await terminal.press("Enter");
  assert.equal(await terminal.ends(), 0);
  assert.deepEqual([...(await ids(home)).keys()], ["The staging database listens on port 5433"]);
});

Deno.test(
  "a person is told names and `~`, a program is given paths",
  { ignore: !HAS_TERMINAL },
  async () => {
    await using home = withMemories();
    const steps = [
      "add 'Tag releases with v'",
      "edit --pin tag",
      "edit tag",
      "share tag",
      "forget tag",
    ]
      .concat("undo --archived tag", "undo").map((step) => `'${MEMO}' ${step}`);
    await using terminal = runInTerminal(home, ["sh", "-c", steps.join(" && ")]);
    assert.equal(await terminal.ends(), 0);
    await terminal.shows(/“Tag releases with v”/);
    assert.ok(terminal.screen().split("“Tag releases with v”").length > steps.length);
    assert.ok(!terminal.screen().includes(home.root), terminal.screen());
    const { stdout } = await runMemo(home, ["edit", "--pin", "pnpm"]);
    assert.ok(stdout.startsWith(home.root));
    const broken = await runMemo(home, ["import", "memo", join(home.root, "nowhere")]);
    assert.match(broken.stderr, /`~\/nowhere`/);
  },
);
