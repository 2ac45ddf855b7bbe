import { type Command, Option } from "commander";
import { refuseSmallDisk } from "../../core/native/mod.ts";
import { MemoError } from "../../errors.ts";
import { agentOption, type InstallFlags, installNow, scopeOption } from "./init/install.ts";
import { STEPS } from "./init/steps.ts";
import { indented, walk } from "./init/wizard.ts";
import type { CliContext } from "./shared/command.ts";
import { fetchFromEnvironment } from "./shared/from_environment.ts";
import { INTERRUPTED } from "./shared/confirm.ts";
import { out, outJson } from "./shared/output.ts";

interface Flags extends Omit<InstallFlags, "mcp"> {
  readonly yes?: boolean;
  readonly mcp?: string | boolean;
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
    command.addOption(new Option(`--${name} <answer>`, summary).choices([...answers]));
  }
  const plugin = new Option("--plugin", "A plugin with a skill and commands, instead of hooks");
  command
    .addOption(
      new Option("--mcp [answer]", "The tools with the hooks, or not").choices(["yes", "no"]),
    )
    .option("--no-mcp", "The same as `--hooks only`")
    .addOption(scopeOption().helpGroup(ALONE))
    .addOption(agentOption().helpGroup(ALONE))
    .addOption(plugin.helpGroup(ALONE))
    .action(async ({ mcp: answer, ...flags }: Flags) => {
      const mcp = answer === undefined ? undefined : answer === true || answer === "yes";
      const isTold = command.getOptionValueSource("scope") === "cli" || flags.plugin === true ||
        flags.agent !== undefined;
      const isAnswered = STEPS.some(({ name }) => flags[name] !== undefined);
      const hasPerson = process.stdin.isTTY && process.stdout.isTTY;
      const isWalk = flags.yes || flags.dryRun || isAnswered || (hasPerson && !flags.json);
      if (isTold || !isWalk) return await installNow({ ...flags, mcp }, context);
      // A yes to the hooks leaves open whether the tools are wanted, too.
      const tools = mcp === undefined ? undefined : mcp ? "yes" : "only";
      const hooks = flags["hooks"] === "yes" ? tools : flags["hooks"] ?? tools;
      await init({ ...flags, hooks }, { context, hasPerson });
    });
}

async function init(
  { yes, dryRun = false, json: isSilent = false, ...flags }: Flags,
  { context, hasPerson }: { readonly context: CliContext; readonly hasPerson: boolean },
): Promise<void> {
  const isAsking = !yes && !dryRun;
  if (isAsking && (isSilent || !hasPerson)) {
    const why = isSilent ? " with `--json`" : ": this is not a terminal";
    throw new MemoError("usage", `Cannot ask questions${why}`, {
      hint: "Run `memo init --yes` to use the defaults, `memo init --dry-run` to see them",
    });
  }
  if (!dryRun) refuseSmallDisk(context.paths); // before anything is changed
  const given = Object.fromEntries(STEPS.map(({ name }) => [name, flags[name] as string]));
  const results = await walk(STEPS, context, { given, dryRun, isAsking, isSilent });
  const isFailed = results?.some(({ failed }) => failed) === true;
  process.exitCode = results === undefined ? INTERRUPTED : isFailed ? 1 : 0;
  if (results !== undefined && !dryRun) await fetchFromEnvironment(context);
  if (isSilent) outJson(results);
  else if (results !== undefined) {
    const [title, ...next] = dryRun ? ["Nothing was changed"] : isFailed ? FAILED : DONE;
    out(`\n${title}\n${indented(next)}`);
  }
  if (isAsking) process.exit(); // now and then a terminal that was read from keeps the process
}

const FAILED = [
  "memo does not work yet: a check has failed. Undo: memo uninstall --purge",
  "Mend what is named above, then see whether all is well: memo doctor",
];

const DONE = [
  "memo is set up. Undo: memo uninstall --purge",
  'Try it: memo add "Use pnpm, never npm, to install packages"',
  'Then start `claude` and ask "how do I install the dependencies?"',
  "See what a prompt got: memo recall --log",
];
