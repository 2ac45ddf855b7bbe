import { type Command, Option } from "commander";
import { MemoError } from "../../errors.ts";
import type { CliContext } from "./shared/command.ts";
import { agentOption } from "./init/agents.ts";
import { type Dialogue, noDialogue, silentAnswers, terminalDialogue } from "./init/dialogue.ts";
import { type InstallFlags, installNow, scopeOption } from "./init/install.ts";
import { watchInterrupts } from "./init/interrupt.ts";
import { INTERRUPTED } from "./shared/interrupted.ts";
import { STEPS } from "./init/steps.ts";
import { refuseSmallDisk } from "../../core/native/mod.ts";
import { type StepResult, walk } from "./init/walk.ts";
import { fetchFromEnvironment } from "./shared/from_environment.ts";
import { outJson, say } from "./shared/output.ts";
import { readMemories } from "../../core/memory/list.ts";
import { isOthers } from "../../core/memory/memory.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { visible } from "../../core/text/neutralise.ts";

interface Flags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  /** Answers by step. */
  readonly [step: string]: string | boolean | undefined;
}

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
    .action((flags: Flags & InstallFlags) => {
      const { mcp } = flags;
      const isTold = command.getOptionValueSource("scope") === "cli" || flags.plugin === true ||
        flags.agent !== undefined;
      if (isTold || !isWalk(flags)) {
        return installNow({ ...flags, ...mcp !== undefined && { mcp: isYes(mcp) } }, context);
      }
      return init(
        { ...flags, ...mcp !== undefined && { mcp: isYes(mcp) ? "yes" : "no" } },
        context,
      );
    });
}

/** The heading of what asks nothing. */
const ALONE = "Only the hooks and tools, without a question:";

/** Whether there is a person to ask, or each answer is known. */
function isWalk({ yes, dryRun, json, ...flags }: Flags): boolean {
  const isAnswered = STEPS.some(({ name }) => name !== "mcp" && flags[name] !== undefined);
  const isAsked = !json && process.stdin.isTTY && process.stdout.isTTY;
  return yes || dryRun || isAnswered || isAsked;
}

function isYes(answer: string | boolean): boolean {
  return answer === true || answer === "yes";
}

async function init(flags: Flags, context: CliContext): Promise<void> {
  const dialogue = await dialogueFor(flags);
  if (!flags.dryRun) refuseSmallDisk(context.paths); // before anything is changed
  const results: StepResult[] = [];
  const interrupts = watchInterrupts(() => say(howFar(results)));
  dialogue.open();
  try {
    const options = { dialogue, interrupts, given: given(flags), dryRun: flags.dryRun ?? false };
    const steps = walk(STEPS, context, options);
    let next = await steps.next();
    for (; !next.done; next = await steps.next()) results.push(next.value);
    if (next.value === "stopped") {
      process.exitCode = INTERRUPTED;
      say(howFar(results));
    } else {
      if (!flags.dryRun) await fetchFromEnvironment(context);
      if (flags.json) outJson(results);
      else dialogue.close(closing(results, flags, context));
    }
    if (results.some(({ failed }) => failed)) process.exitCode = 1;
  } catch (error) {
    say(howFar(results));
    throw error;
  } finally {
    interrupts.end();
  }
  dialogue.leave();
}

function closing(
  results: readonly StepResult[],
  { dryRun }: Flags,
  context: CliContext,
): [title: string, ...next: string[]] {
  if (dryRun) return ["Nothing was changed"];
  if (!results.some(({ failed }) => failed)) return promptsToTry(context);
  return [
    "memo does not work yet: a check has failed. Undo: memo uninstall --purge",
    "Mend what is named above, then see whether all is well: memo doctor",
  ];
}

async function dialogueFor({ yes, dryRun, json }: Flags): Promise<Dialogue> {
  if (yes || dryRun) return json ? noDialogue() : silentAnswers();
  if (json) {
    throw new MemoError("usage", "Cannot ask questions with `--json`", {
      hint: "Run `memo init --yes --json`, or `memo init --dry-run --json`",
    });
  }
  if (process.stdin.isTTY && process.stdout.isTTY) return await terminalDialogue();
  throw new MemoError("usage", "Cannot ask questions: this is not a terminal", {
    hint: "Run `memo init --yes` to use the defaults, `memo init --dry-run` to see them",
  });
}

/** The answers on the command line. */
function given(flags: Flags): Record<string, string> {
  const named = STEPS.map(({ name }) => [name, flags[name]] as const);
  return Object.fromEntries(
    named.filter((entry): entry is readonly [string, string] => typeof entry[1] === "string"),
  );
}

/** How far a walk came that was stopped: no step is left half done. */
function howFar(results: readonly StepResult[]): string {
  const changed = results.filter(({ state }) => state === "changed").map(({ step }) => step);
  if (changed.length === 0) return "Stopped. Nothing was changed";
  const left = STEPS.map(({ name }) => name).filter((name) =>
    !results.some(({ step }) => step === name)
  );
  return `Stopped. Done, and whole: ${changed.join(", ")}. Not done: ${
    left.join(", ") || "nothing"
  }. ` +
    "Continue with `memo init`, undo with `memo uninstall --purge`";
}

/** What to do first: a prompt that one of the user's own memories answers, or a first memory. */
function promptsToTry({ place }: CliContext): [title: string, ...next: string[]] {
  const memories = memoryFolders(place)
    .filter(({ scope }) => !isOthers(scope)) // what a repository brings may not be trusted yet, and a team's note is none of theirs
    .flatMap((folder) => readMemories(folder).memories);
  const [trigger] = memories.flatMap(({ triggers }) => triggers);
  const title = "memo is set up. Undo: memo uninstall --purge";
  if (trigger !== undefined) {
    return [
      title,
      `Try it: start \`claude\` and ask "${visible(trigger)}"`,
      `See what that prompt gets, and why: memo recall "${visible(trigger)}" --explain`,
    ];
  }
  return [
    title,
    'Try it: memo add "Use pnpm, never npm, to install packages"',
    'Then start `claude` and ask "how do I install the dependencies?"',
    "See what a prompt got: memo recall --log",
  ];
}
