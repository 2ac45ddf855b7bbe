// Completions in the real shells, with keys pressed in a terminal, and what memo offers them.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { FILES, SCRIPTS } from "../../src/surfaces/cli/completions.ts";
import { type Home, makeHome, MEMO, runMemo } from "../support/home.ts";
import { SHELLS } from "../support/shells.ts";
import { HAS_TERMINAL, runInTerminal, type Terminal } from "../support/terminal.ts";

const MEMORY = "---\nname: Use pnpm\ndescription: Package manager\ntype: feedback\n---\nPnpm.\n";

/** The first words of the lines that `memo completions --words` prints for a line. */
async function offered(home: Home, ...words: readonly string[]): Promise<string[]> {
  const { code, stdout } = await runMemo(home, ["completions", "--words", "--", ...words]);
  assert.equal(code, 0);
  return stdout.split("\n").filter((line) => line !== "").map((line) => line.split("\t")[0]!);
}

Deno.test("completions know commands, options, and the values that memo can list", async () => {
  await using home = makeHome();
  home.write("feedback_use-pnpm.md", MEMORY);
  home.write("$(touch pwned).md", MEMORY);
  home.write(".archive/feedback_use-npm.2026-11-01T000000Z.md", MEMORY);
  for (
    const [line, ...values] of [
      ["for", "forget"],
      ["config se", "set"],
      ["show ", "feedback_use-pnpm"],
      ["list --type user,feed", "user,feedback"],
      ["list --scope=sh", "--scope=shared"],
      ["search pnpm --strategy key", "keyword"],
      ["config get recall.pre", "recall.preset"],
      ["config set recall.preset=b", "recall.preset=balanced", "recall.preset=best"],
      ["config set model=built", "model=builtin"],
      ["import conversations ", ":files"],
      ["help exit", "exit-codes"],
      ["help confi", "config"],
      ["help config uns", "unset"],
      ["nonsense "],
    ] as const
  ) assert.deepEqual(await offered(home, ...line.split(" ")), values, line);
});

Deno.test("memo completions prints the script of each shell, and refuses others", async () => {
  await using home = makeHome();
  for (const [shell, script] of Object.entries(SCRIPTS)) {
    assert.equal((await runMemo(home, ["completions", shell])).stdout, script);
    assert.ok(script.includes(FILES), shell);
  }
  const { code, stderr } = await runMemo(home, ["completions", "tcsh"]);
  assert.equal(code, 2);
  assert.match(stderr, /Unknown shell `tcsh`: pass bash, zsh, fish or powershell/);
});

const LOADED = {
  bash: "source <(memo completions bash)",
  zsh: "source <(memo completions zsh)",
  fish: "memo completions fish | source",
} as const;

for (const shell of ["bash", "zsh", "fish"] as const) {
  const command = HAS_TERMINAL ? SHELLS[shell]() : undefined;
  Deno.test({
    name: `a tab in ${shell} completes memories, settings and their values, and runs nothing`,
    ignore: command === undefined,
    fn: async () => {
      await using home = makeHome();
      home.write("feedback_use-pnpm.md", MEMORY);
      home.write("feedback_$(touch named).md", MEMORY);
      const bin = join(home.root, "bin");
      mkdirSync(bin);
      symlinkSync(MEMO, join(bin, "memo"));
      const { argv, env, setUp } = command!;
      const path = [bin, home.env["PATH"]].join(delimiter);
      const variables = { ...home.env, ...env, PATH: path };
      await using terminal = runInTerminal({ ...home, env: variables }, argv);
      await terminal.shows(/[$%#>] *$/m);
      await terminal.send(`${setUp ? `${setUp}; ` : ""}${LOADED[shell]}; echo rea""dy`);
      await terminal.shows(/^ready/m);
      await completes(terminal, "memo show feedb", /memo show feedback_use-pnpm/);
      await completes(terminal, "memo config set recall.pres", /recall\.preset=(?! )/);
      await completes(terminal, "memo config set recall.preset=bal", /recall\.preset=balanced/);
      await completes(terminal, 'memo show "$(touch typed)" feedb', /\)" feedback_use-pnpm/);
      for (const name of ["typed", "named"]) {
        assert.equal(existsSync(join(home.project, name)), false, name);
      }
    },
  });
}

/** Types a line, presses the tab key, and clears the line once the screen shows what it has become. */
async function completes(terminal: Terminal, line: string, becomes: RegExp): Promise<void> {
  await terminal.type(line);
  await terminal.press("Tab");
  await terminal.shows(becomes);
  await terminal.press("C-c");
}
