import { type Command, Option } from "commander";
import { MemoError } from "../../errors.ts";
import { neutraliseLine } from "../../core/text/neutralise.ts";
import bash from "./complete/memo.bash" with { type: "text" };
import fish from "./complete/memo.fish" with { type: "text" };
import powershell from "./complete/memo.ps1" with { type: "text" };
import zsh from "./complete/memo.zsh" with { type: "text" };
import type { CliContext } from "./shared/command.ts";
import { out, say } from "./shared/output.ts";

/**
 * The script of each shell, in display order. Each hands the typed words to memo and shows what comes back: no word is
 * evaluated, and no candidate is expanded, so neither a half-typed `$(…)` nor the name of a file can run anything.
 */
export const SCRIPTS = { bash, zsh, fish, powershell } as const;

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

const LOADING = `
To load it in every session, add to the shell's start file:
  bash        ~/.bashrc                    source <(memo completions bash)
  zsh         ~/.zshrc, after compinit     source <(memo completions zsh)
  fish        ~/.config/fish/config.fish   memo completions fish | source
  powershell  $PROFILE                     memo completions powershell | Out-String | Invoke-Expression
`;

/** `memo completions`: prints the script that completes memo's command line in a shell. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[shell]", `One of ${SHELLS.map((shell) => `\`${shell}\``).join(", ")}`)
    .allowExcessArguments() // the words
    .addOption(new Option("--words", "Print what can stand in place of the last word").hideHelp())
    .addOption(new Option("--next", "Behind the last word an empty one begins").hideHelp())
    .addHelpText("after", LOADING)
    .action(async (name: string | undefined, { words, next }: Record<string, boolean>) => {
      if (words) return await suggest(next ? [...command.args, ""] : command.args, context);
      const shell = SHELLS.find((each) => each === name);
      if (shell === undefined) {
        const what = name === undefined ? "Missing shell" : `Unknown shell \`${name}\``;
        throw new MemoError("usage", `${what}: expected ${SHELLS.join(", ")}`, {
          hint: "Run `memo completions --help` to see how to load them",
        });
      }
      out(SCRIPTS[shell]);
      if (process.stdout.isTTY) say("\nRun `memo completions --help` to see how to load it");
    });
}

/** One candidate a line, with a tab before its description. */
async function suggest(words: readonly string[], context: CliContext): Promise<void> {
  const { complete } = await import("./complete/complete.ts");
  const { buildProgram } = await import("./mod.ts");
  const program = await buildProgram(context, words[0]);
  for (const { value, about } of complete(words, { program, context })) {
    out(about ? `${value}\t${neutraliseLine(about)}\n` : `${value}\n`);
  }
}
