import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { formatPattern, isPattern, type Pattern } from "../../features/guard/pattern.ts";
import {
  type Guard,
  type GuardTrial,
  type Mode,
  readGuards,
  setGuard,
  standingRule,
  stopFor,
  tryOn,
} from "../../features/guard/guards.ts";
import { type GuardProposal, isOffered, proposeGuard } from "../../features/guard/propose.ts";
import type { FoundMemory } from "../../core/ledger/find.ts";
import { readMemories } from "../../core/memory/list.ts";
import { projectAt } from "../../core/memory/project.ts";
import { isSuspectMemory } from "../../core/memory/provenance.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { keyOf } from "../../core/memory/names.ts";
import { mayRead } from "../../core/memory/trust.ts";
import { counted, grouped } from "../../core/text/counted.ts";
import { oneLine, visible } from "../../core/text/neutralise.ts";
import { listTranscripts, transcriptsOfProject } from "../../core/transcript/find.ts";
import { isModel, refuseModel } from "../../features/verbs/changed.ts";
import type { CliContext } from "./shared/command.ts";
import { confirm } from "./shared/confirm.ts";
import { findOne, NAMES } from "./shared/find.ts";
import { whyUnheard } from "./shared/follow_settings.ts";
import { wholeNumber } from "./shared/options.ts";
import { columns, out, outJson, paint, printNothing, say } from "./shared/output.ts";

interface GuardOptions {
  readonly command?: readonly string[];
  readonly path?: readonly string[];
  readonly deny?: boolean;
  readonly off?: boolean;
  readonly yes?: boolean;
  readonly try?: string;
  readonly sessions: number;
  readonly json?: boolean;
}

/** Calls that a trial shows. */
const SHOWN = 5;
const CALL_CHARS = 100;

/** `memo guard`: makes Claude Code ask before a command or an edit that a rule forbids. */
export function define(command: Command, context: CliContext): void {
  const collect = (value: string, all: readonly string[] = []) => [...all, value];
  command
    .argument("[name...]", `Memory with the rule: ${NAMES}; default: list guards`)
    .option("--command <line>", "Guard this command instead of what the rule says", collect)
    .option("--path <path>", "Guard changes to this file or folder", collect)
    .option("--deny", "Refuse instead of asking")
    .option("--off", "Switch the guard off")
    .option("--yes", "Switch it on without asking")
    .option("--try <line>", "Show what guards would do to a command")
    .option("--sessions <number>", "Past sessions to try it on", wholeNumber, 30)
    .action(async (words: string[], options: GuardOptions) => {
      const name = words.join(" ");
      if (options.try !== undefined) return tryAll(options.try, options, context);
      if (name === "") return list(options, context);
      if (options.off) return await switchOff(name, options, context);
      await consider(await ruleNamed(name, context), options, context);
    });
}

/** A rule that may be guarded: a person has said it, or has trusted the repository that says it. */
async function ruleNamed(name: string, context: CliContext): Promise<FoundMemory> {
  const found = await findOne([name], context);
  const { memory, folder } = found;
  const refused = !mayRead(folder, memory.digest)
    ? ["it is from a repository you have not trusted", "Run `memo trust` first"] as const
    : isSuspectMemory(memory)
    ? ["it needs your review", `Run \`memo show ${name}\``] as const
    : undefined;
  if (refused === undefined) return found;
  throw new MemoError("usage", `Cannot guard \`${memory.name}\`: ${refused[0]}`, {
    hint: refused[1],
  });
}

/** Shows what a rule would stop, tries it, and switches it on if the person says yes. */
async function consider(
  found: FoundMemory,
  options: GuardOptions,
  context: CliContext,
): Promise<void> {
  const { memory: { name, path }, memory } = found, { guards } = context.paths, { json } = options;
  const before = readGuards(guards).find((guard) => guard.path === path);
  const proposal = patternsFor(found, before, options), { patterns, isConditional } = proposal;
  const mode: Mode = options.deny ? "deny" : "ask";
  const trial = await tried(patterns, found, options, context);
  if (!json) show(name, { ...proposal, mode }, trial);
  const isOn = await mayGuard(proposal, mode, options, context);
  if (isOn) {
    const at = new Date().toISOString();
    await setGuard(guards, path, { path, key: keyOf(memory), patterns, mode, at });
  }
  if (json) return outJson({ name, path, mode, patterns, isConditional, isOn, trial });
  if (isOn) {
    const unheard = whyUnheard(context);
    say(
      unheard === undefined
        ? `\`${name}\` is guarded: Claude Code ${SAYS[mode]} from the next prompt on`
        : `warning: The guard is on but does nothing yet: ${unheard}`,
    );
  } else if (!process.stdin.isTTY) {
    say("hint: Add `--yes` to switch it on, `--command` or `--path` to guard something else");
  }
}

const SAYS: Readonly<Record<Mode, string>> = { ask: "asks you", deny: "refuses" };

function patternsFor(
  { memory }: FoundMemory,
  before: Guard | undefined,
  { command = [], path = [] }: GuardOptions,
): GuardProposal {
  const given = [...command.map((command) => ({ command })), ...path.map((path) => ({ path }))];
  const wrong = given.find((pattern) => !isPattern(pattern));
  if (wrong !== undefined) {
    const said = visible(formatPattern(wrong));
    throw new MemoError("usage", `Cannot guard \`${said}\`: it is too broad`, {
      hint:
        'Name a program, such as `--command "git push --force"`, or a file, such as `--path gen/`',
    });
  }
  if (given.length > 0) return { patterns: given, isConditional: false };
  const proposal = proposeGuard(memory);
  if (proposal !== undefined) return proposal;
  if (before?.key === keyOf(memory)) return { patterns: before.patterns, isConditional: false };
  const about = `from \`${memory.name}\` which command or file it forbids`;
  throw new MemoError("not-found", `Cannot tell ${about}`, {
    hint: 'Run `memo guard NAME --command "git push --force"`, or `memo guard NAME --path gen/`',
  });
}

/** The last sessions of the project, or for a rule that holds everywhere of all projects. */
async function tried(
  patterns: readonly Pattern[],
  { folder }: FoundMemory,
  { sessions }: GuardOptions,
  { place }: CliContext,
): Promise<GuardTrial> {
  const files = folder.scope === "user"
    ? await listTranscripts(place)
    : transcriptsOfProject(place);
  const last = files.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, sessions);
  return await tryOn(patterns, last.map(({ path }) => path), place);
}

function show(
  name: string,
  { patterns, mode, isConditional }: GuardProposal & { readonly mode: Mode },
  trial: GuardTrial,
): void {
  out(`${paint("bold", visible(name))}\n`);
  const heads = [mode === "ask" ? "asks before" : "refuses"];
  out(columns(patterns.map((pattern, i) => ["", heads[i] ?? "", visible(formatPattern(pattern))])));
  const { calls, sessions, stopped } = trial;
  const share = `${grouped(stopped.length)} of ${grouped(calls)} commands and edits`;
  say(
    sessions === 0
      ? "No past session to try it on"
      : `It would have stopped ${share} in the last ${counted(sessions, "session")}`,
  );
  const shown = stopped.slice(-SHOWN).map(({ at, session, call }) => [
    ...["", at.slice(0, 10), session.slice(0, 8), visible(oneLine(call)).slice(0, CALL_CHARS)],
  ]);
  if (shown.length > 0) out(columns(shown));
  const warned = "The rule has a condition a guard cannot check: it always applies";
  if (isConditional) say(`warning: ${warned}`);
}

/** A yes must come from a person: a model that is guarded must not give it in their place. */
async function mayGuard(
  { patterns }: GuardProposal,
  mode: Mode,
  { yes, json }: GuardOptions,
  { env }: CliContext,
): Promise<boolean> {
  if (yes) {
    refuseModel(env, "switch a guard on", "memo guard RULE --yes");
    return true;
  }
  if (json || !process.stdin.isTTY || isModel(env)) return false;
  const [first] = patterns;
  const what = patterns.length === 1 ? visible(formatPattern(first!)) : `these ${patterns.length}`;
  return await confirm(mode === "ask" ? `Ask before ${what}?` : `Refuse ${what}?`);
}

async function switchOff(name: string, { json }: GuardOptions, context: CliContext): Promise<void> {
  const { paths, env } = context;
  refuseModel(env, "switch a guard off", `memo guard ${name} --off`);
  // The guard of a memory that is gone has its path alone.
  const all = readGuards(paths.guards).map(({ path }) => path);
  const path = all.find((each) => each.endsWith(`/${name}`) || each === name) ??
    (await findOne([name], context)).memory.path;
  const isOff = all.includes(path);
  await setGuard(paths.guards, path);
  if (json) return outJson({ path, isOff });
  if (isOff) return say(`Switched off the guard on \`${name}\``);
  throw new MemoError("not-found", `Cannot switch off the guard on \`${name}\`: there is none`, {
    hint: "Run `memo guard` to list them",
  });
}

/** What the guards here would do to a command. */
function tryAll(line: string, { json }: GuardOptions, { paths, place, cwd }: CliContext): void {
  const root = projectAt(place)?.top ?? cwd;
  const stop = stopFor({ tool: "Bash", input: { command: line }, cwd }, {
    ...{ guards: paths.guards, folders: memoryFolders(place), root },
  });
  if (stop === undefined) {
    return json ? outJson({ stopped: false }) : printNothing("No guard stops it");
  }
  const { guard: { mode }, rule: { name }, pattern } = stop;
  if (json) return outJson({ stopped: true, mode, name, pattern });
  out(`${mode}: ${visible(formatPattern(pattern))} (${visible(name)})\n`);
}

const STATES = {
  elsewhere: "of another project",
  forgotten: "off: its memory is deleted",
  changed: "off: its memory has changed",
  "not trusted": "off: the repository is not trusted",
} as const;

/** The guards, and the rules here that could be one. */
function list({ json, ...rest }: GuardOptions, context: CliContext): void {
  const { command, path, deny, off, yes } = rest;
  if ([command, path, deny, off, yes].some((option) => option !== undefined)) {
    throw new MemoError("usage", "Cannot change a guard without its rule's name", {
      hint: "Run `memo guard NAME`, or `memo guard` to list them",
    });
  }
  const unheard = whyUnheard(context), folders = memoryFolders(context.place);
  const guards = readGuards(context.paths.guards).map((guard) => {
    const rule = standingRule(guard, folders);
    return typeof rule === "string"
      ? { guard, state: rule }
      : { guard, state: unheard === undefined ? "on" : "unheard", name: rule.name } as const;
  });
  const taken = new Set(guards.map(({ guard }) => guard.path));
  const offers = folders.flatMap((folder) =>
    readMemories(folder).memories.filter((memory) =>
      !taken.has(memory.path) && mayRead(folder, memory.digest) && isOffered(memory)
    )
  ).map((memory) => {
    const { name, path } = memory;
    return { name, path, patterns: proposeGuard(memory)?.patterns ?? [] };
  });
  if (json) {
    return outJson({ guards: guards.map(({ guard, ...rest }) => ({ ...guard, ...rest })), offers });
  }
  const says = (patterns: readonly Pattern[]) => visible(patterns.map(formatPattern).join(", "));
  if (guards.length > 0) {
    out(columns(guards.map(({ guard: { mode, path, patterns }, state, name }) => [
      state === "on" ? mode : "-",
      name === undefined ? path.replace(/^.*\//, "") : visible(name),
      says(patterns) + (name === undefined ? paint("dim", ` (${STATES[state]})`) : ""),
    ])));
    if (unheard !== undefined) say(`warning: Guards do nothing here: ${unheard}`);
    if (guards.some(({ state }) => state === "changed")) {
      say("hint: Run `memo guard NAME` to guard a rule as it is now");
    }
  }
  if (offers.length > 0) {
    const count = counted(offers.length, "rule");
    say(`${count} could be guarded: \`memo guard NAME\` shows what it would stop`);
    out(columns(offers.map(({ name, patterns }) => [
      ...[paint("dim", "off"), visible(name), paint("dim", says(patterns))],
    ])));
  } else if (guards.length === 0) {
    printNothing("No guards, and no memory here forbids a command or a file");
  }
}
