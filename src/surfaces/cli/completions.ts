import { Argument, type Command, Option } from "commander";
import type { CliContext } from "./shared/command.ts";
import { out, say } from "./shared/output.ts";
import { neutraliseLine } from "../../core/text/neutralise.ts";
import { complete } from "./complete/complete.ts";
import { SCRIPTS, type Shell } from "./complete/scripts.ts";
import { MemoError } from "../../errors.ts";

interface Options {
  readonly words?: boolean;
  readonly next?: boolean;
}

/** `memo completions`: prints the script that completes memo's command line in a shell. */
export function define(command: Command, context: CliContext): void {
  command
    .addArgument(
      new Argument("[shell]", `One of ${SHELLS.map((shell) => `\`${shell}\``).join(", ")}`),
    )
    .allowExcessArguments() // the words
    .addOption(new Option("--words", "Print what can stand in place of the last word").hideHelp())
    .addOption(new Option("--next", "Behind the last word an empty one begins").hideHelp())
    .addHelpText("after", LOADING)
    .action(async (shell: string | undefined, { words, next }: Options) => {
      if (!words) return print(shell);
      await suggest(next ? [...command.args, ""] : command.args, context);
    });
}

const SHELLS = Object.keys(SCRIPTS) as Shell[];

const LOADING = `
To load it in every session, add to the shell's start file:
  bash        ~/.bashrc                    source <(memo completions bash)
  zsh         ~/.zshrc, after compinit     source <(memo completions zsh)
  fish        ~/.config/fish/config.fish   memo completions fish | source
  powershell  $PROFILE                     memo completions powershell | Out-String | Invoke-Expression
`;

function print(shell: string | undefined): void {
  const script = SHELLS.find((each) => each === shell);
  if (script === undefined) {
    const what = shell === undefined ? "Missing shell" : `Unknown shell \`${shell}\``;
    throw new MemoError("usage", `${what}: expected ${SHELLS.join(", ")}`, {
      hint: "Run `memo completions --help` to see how to load them",
    });
  }
  out(SCRIPTS[script]);
  if (process.stdout.isTTY) say("\nRun `memo completions --help` to see how to load it");
}

/** One candidate a line, with a tab before its description. */
async function suggest(words: readonly string[], context: CliContext): Promise<void> {
  const { buildProgram } = await import("./mod.ts");
  const program = await buildProgram(context, words[0]);
  for (const { value, about } of complete(words, { program, context })) {
    out(about ? `${value}\t${neutraliseLine(about)}\n` : `${value}\n`);
  }
}
