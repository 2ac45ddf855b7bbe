import { type Command, Option } from "commander";
import { readMemories } from "../../core/memory/list.ts";
import { isOthers } from "../../core/memory/memory.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { refuseSmallDisk } from "../../core/native/mod.ts";
import { visible } from "../../core/text/neutralise.ts";
import { MemoError } from "../../errors.ts";
import { agentOption, type InstallFlags, installNow, scopeOption } from "./init/install.ts";
import { STEPS } from "./init/steps.ts";
import { PLAIN, runSteps, type Screen, SILENT, terminalScreen } from "./init/wizard.ts";
import type { CliContext } from "./shared/command.ts";
import { fetchFromEnvironment } from "./shared/from_environment.ts";
import { INTERRUPTED } from "./shared/interrupted.ts";
import { outJson } from "./shared/output.ts";

interface Flags extends Omit<InstallFlags, "mcp"> {
  readonly yes?: boolean;
  /** Answers by step. */
  readonly [step: string]: string | boolean | undefined;
}

/** The heading of what asks nothing. */
const ALONE = "Only the hooks and tools, without a question:";

/**
 * `memo init`: sets memo up step by step. Where it cannot ask, and where it is told what to install, it adds hooks and
 * tools alone.
 */
export function define(command: Command, context: CliContext): void {
  command
    .option("-y, --yes", "Ask nothing: keep existing settings, else use the defaults")
    .option("--dry-run", "Show every step and change nothing")
    .option("--json", "Print JSON");
  for (const { name, summary, answers } of STEPS) {
    const value = name === "mcp" ? "[answer]" : "<answer>"; // alone it is a yes
    command.addOption(new Option(`--${name} ${value}`, summary).choices([...answers]));
  }
  command
    .option("--no-mcp", "The same as `--mcp no`")
    .addOption(scopeOption().helpGroup(ALONE))
    .addOption(agentOption().helpGroup(ALONE))
    .addOption(
      new Option("--plugin", "A plugin with a skill and commands, instead of hooks")
        .helpGroup(ALONE),
    )
    .action(async (flags: Flags) => {
      const mcp = flags["mcp"] === undefined ? undefined : [true, "yes"].includes(flags["mcp"]!);
      const isTold = command.getOptionValueSource("scope") === "cli" || flags.plugin === true ||
        flags.agent !== undefined;
      const isAnswered = STEPS.some(({ name }) => name !== "mcp" && flags[name] !== undefined);
      const hasPerson = process.stdin.isTTY && process.stdout.isTTY;
      const isWalk = flags.yes || flags.dryRun || isAnswered || (hasPerson && !flags.json);
      if (isTold || !isWalk) {
        return await installNow({ ...flags, ...mcp !== undefined && { mcp } }, context);
      }
      await init({ ...flags, ...mcp !== undefined && { mcp: mcp ? "yes" : "no" } }, context);
    });
}

async function init(flags: Flags, context: CliContext): Promise<void> {
  const { dryRun = false, json } = flags;
  const screen = await screenFor(flags);
  if (!dryRun) refuseSmallDisk(context.paths); // before anything is changed
  const given = Object.fromEntries(STEPS.map(({ name }) => [name, flags[name] as string]));
  const results = await runSteps(STEPS, context, { screen, given, dryRun });
  const isFailed = results?.some(({ failed }) => failed);
  if (results === undefined) process.exitCode = INTERRUPTED;
  else {
    if (!dryRun) await fetchFromEnvironment(context);
    if (json) outJson(results);
    else if (dryRun) screen.close("Nothing was changed", []);
    else if (isFailed) {
      screen.close("memo does not work yet: a check has failed. Undo: memo uninstall --purge", [
        "Mend what is named above, then see whether all is well: memo doctor",
      ]);
    } else screen.close("memo is set up. Undo: memo uninstall --purge", promptsToTry(context));
    if (isFailed) process.exitCode = 1;
  }
  if (screen.ask) process.exit(); // now and then a terminal that was read from keeps the process
}

async function screenFor({ yes, dryRun, json }: Flags): Promise<Screen> {
  if (yes || dryRun) return json ? SILENT : PLAIN;
  if (json) {
    throw new MemoError("usage", "Cannot ask questions with `--json`", {
      hint: "Run `memo init --yes --json`, or `memo init --dry-run --json`",
    });
  }
  if (process.stdin.isTTY && process.stdout.isTTY) return await terminalScreen();
  throw new MemoError("usage", "Cannot ask questions: this is not a terminal", {
    hint: "Run `memo init --yes` to use the defaults, `memo init --dry-run` to see them",
  });
}

/** What to do first: a prompt that one of the user's own memories answers, or a first memory. */
function promptsToTry({ place }: CliContext): string[] {
  const memories = memoryFolders(place)
    .filter(({ scope }) => !isOthers(scope)) // what a repository brings may not be trusted yet, and a team's note is none of theirs
    .flatMap((folder) => readMemories(folder).memories);
  const [trigger] = memories.flatMap(({ triggers }) => triggers);
  if (trigger !== undefined) {
    return [
      `Try it: start \`claude\` and ask "${visible(trigger)}"`,
      `See what that prompt gets, and why: memo recall "${visible(trigger)}" --explain`,
    ];
  }
  return [
    'Try it: memo add "Use pnpm, never npm, to install packages"',
    'Then start `claude` and ask "how do I install the dependencies?"',
    "See what a prompt got: memo recall --log",
  ];
}
