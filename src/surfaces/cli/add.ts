import { type Command, Option } from "commander";
import {
  changeFor,
  type ComparedMemory,
  compareTyped,
  provenanceOf,
} from "../../core/capture/remember.ts";
import { carryOutOne } from "../../core/change/carry_out.ts";
import { APPLIES, folderForNew } from "../../core/change/change.ts";
import { overLimit } from "../../core/files/bounded.ts";
import { newChangeId } from "../../core/ledger/change_log.ts";
import { changedAt, changedOn } from "../../core/memory/age.ts";
import { withoutMarks, withProvenance } from "../../core/memory/provenance.ts";
import { parseMemory, serializeMemory } from "../../core/memory/file.ts";
import { readMemoryFile } from "../../core/memory/folder.ts";
import {
  LONGEST_FILE,
  mayChange,
  type Memory,
  type MemoryFile,
  type OwnScope,
} from "../../core/memory/memory.ts";
import { readMemories } from "../../core/memory/list.ts";
import { type DatedMemory, formatDays, withDays } from "../../core/memory/written_day.ts";
import { projectAt } from "../../core/memory/project.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { readText, refuseSecrets, type TypedFields, typedMemory } from "./shared/typed.ts";
import { DEFAULT_TYPE, KNOWN_TYPES } from "../../core/memory/types.ts";
import { askDaemon } from "./shared/ask_daemon.ts";
import { markDistinct } from "../../core/relation/relate.ts";
import { nearest } from "../../core/text/nearest.ts";
import { visible } from "../../core/text/neutralise.ts";
import { listTranscripts, sessionOf } from "../../core/transcript/find.ts";
import { MemoError } from "../../errors.ts";
import { isModel } from "../../features/verbs/changed.ts";
import { configHere } from "./shared/config_here.ts";
import { printChange, surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { choose, confirm, hasTerminal, Interrupted } from "./shared/confirm.ts";
import { idHere } from "./shared/find.ts";
import type { Flags } from "./shared/options.ts";
import { say } from "./shared/output.ts";

interface AddOptions extends TypedFields, Flags<"replace" | "keep" | "anyway" | "json"> {
  readonly scope?: OwnScope;
}

const SCOPE = "Who it is for: you everywhere, you in this project, or everyone with the repository";
const TRIGGER = "Example prompt that should recall it; repeatable";
const REPLACE =
  "Replace the memory that has the same name and type, says the same, or is outdated by this " +
  "one; keeps its tags and triggers unless given";
const KEEP = "Keep the older memory as well, if this one replaces or contradicts it";

/** `memo add`: writes a memory from a text, or from a memory file on stdin. */
export function define(command: Command, context: CliContext): void {
  const append = (value: string, before: readonly string[] = []) => [...before, value];
  command
    .argument("[text...]", "Text to remember; read from stdin if omitted or `-`")
    .option("--name <name>", "Name (default: the first sentence)")
    .option("-d, --description <text>", "One line that says when the memory matters")
    .option("-t, --type <type>", `Type: ${KNOWN_TYPES.join(", ")}, or your own`)
    .addOption(new Option("--scope <scope>", SCOPE).choices(["user", "project", "shared"]))
    .option("--tags <a,b>", "Comma-separated tags")
    .option("--trigger <prompt>", TRIGGER, append)
    .option("--replace", REPLACE)
    .addOption(new Option("--keep", KEEP).conflicts("replace"))
    .option("--anyway", "Add it even if it seems to contain a secret")
    .action((words: string[], options: AddOptions) => add(words, options, context));
}

async function add(words: readonly string[], options: AddOptions, context: CliContext) {
  const text = await textOf(words);
  const { memory: typed, isGuessed } = memoryOf(text, options);
  const type = await typeMeant(typed.type, context);
  const provenance = await whoseWord({ ...typed, type }, context);
  const own = isModel(context.env) ? { tags: withoutMarks(typed.tags) } : {};
  const { memory, ...dates } = await withDays(
    withProvenance({ ...typed, type, ...own }, provenance),
    { at: new Date(changedAt({ ...typed, mtimeMs: Date.now() })) },
  );
  const file = serializeMemory(memory);
  refuseTooLarge(file);
  if (!options.anyway) await refuseSecrets(file, context);
  const { place } = context, setting = configHere(context)["capture.scope"];
  const wanted = { type: isGuessed ? DEFAULT_TYPE : type, text, scope: options.scope };
  const folder = folderForNew(wanted, { place, setting });
  const { name, description, body } = memory;
  const similar = await askDaemon("similar", { name, description, type, body }, context) ?? [];
  const found = compareTyped(memory, { place, folder, provenance, similar });
  if (!options.replace && (found?.how === "namesake" || found?.how === "same")) {
    const how = found.how === "same" ? "says the same" : "has the same name and type";
    const what = `“${visible(found.memory.name)}” ${how}`;
    throw new MemoError("usage", `Cannot add \`${memory.name}\`: ${what}`, {
      hint: `Pass \`--replace\`, or run \`memo edit ${idHere(found.memory, context)}\``,
    });
  }
  const outcome = found && await outcomeOf(found, options, folder.path);
  const old = outcome === "replaced" ? found?.memory : undefined;
  const change = changeFor(memory, folder, { text, old });
  refuseTooLarge(change.text); // with what it keeps of the one that it replaces
  const { path, archived } = await carryOutOne(change, surroundings(context));
  const written = readMemoryFile(path, folder.scope);
  if (old !== undefined) {
    const id = idHere({ path, scope: folder.scope }, context);
    say(`Replaced “${visible(old.name)}”. Undo: \`memo undo ${id}\``);
  } else if (found !== undefined) {
    if (outcome === "kept") {
      const group = newChangeId();
      markDistinct([{ memory: written, folder }, found], { group, now: new Date() });
    }
    printBeside(found, outcome, context);
  }
  for (const { message } of written.problems) say(`warning: ${message}`);
  printDates(dates, idHere({ path, scope: folder.scope }, context));
  const stays = found && outcome === "stays" && isRival(found);
  const other = options.scope !== undefined || projectAt(place) === undefined
    ? ""
    : written.scope === "user"
    ? " (for this project only: `--scope project`)"
    : " (for every project: `--scope user`)";
  const what = isGuessed ? " as a rule (feedback)" : "";
  const said = `Saved “${visible(written.name)}”${what} ${APPLIES[written.scope]}${other}`;
  printChange(written, said, {
    ...{ json: options.json, archived: archived ?? null, ...dates },
    ...stays && { overtakes: found.memory.path },
  });
}

/** Says which days the text was taken to mean, and which of its words have no certain day. */
function printDates({ days, left }: Omit<DatedMemory<Memory>, "memory">, id: string): void {
  if (days.length > 0) say(`Read ${formatDays(days)}`);
  for (const phrase of left) {
    say(`hint: “${visible(phrase)}” has no certain day; to write it, run \`memo edit ${id}\``);
  }
}

/** Whose word the memory is: what a model adds in Claude Code's shell is the user's if they have typed it in the session. */
async function whoseWord(memory: Memory, { env, place }: CliContext) {
  if (!isModel(env)) return "said";
  const session = env["CLAUDE_CODE_SESSION_ID"];
  const known = session === undefined ? [] : await listTranscripts(place);
  const transcript = known.find(({ path }) => sessionOf(path) === session)?.path;
  if (transcript === undefined) return "concluded";
  return await provenanceOf(memory, { turns: [], transcript });
}

async function textOf(words: readonly string[]): Promise<string> {
  const fromStdin = words.length === 0 || (words.length === 1 && words[0] === "-");
  const isTyped = words.length === 0 && process.stdin.isTTY;
  return isTyped ? "" : fromStdin ? await readText("add") : words.join(" ");
}

/** Builds a memory from a text and the options; options override front matter. A text without a type may be a rule. */
function memoryOf(text: string, options: AddOptions) {
  const { memory, problems } = parseMemory(text, { fallbackName: "" });
  const typed = typedMemory(memory, options, { text, now: new Date() });
  const refusal = (what: string, hint: string) =>
    new MemoError("usage", `Cannot add ${what}`, { hint });
  if (text.trim() === "" || (typed === undefined && problems.length === 0)) {
    const hint = 'Run `memo add "Use pnpm, never npm"`, or `memo add < FILE`';
    throw refusal("a memory without text", hint);
  }
  const problem = problems.find(({ kind }) => kind !== "unquoted"); // which is written with quotes
  if (problem !== undefined || typed === undefined) {
    const why = problem?.message ?? "it is empty";
    throw refusal(`this memory: ${why}`, "Fix the front matter and run `memo add` again");
  }
  // No prompt could ask for a single letter.
  const { name, description, body } = typed.memory;
  if (![name, description, body].some((said) => (said.match(/[\p{L}\p{N}]/gu)?.length ?? 0) > 1)) {
    const hint = 'Write a sentence, as in `memo add "Use pnpm, never npm"`';
    throw refusal(`\`${body || name}\`: it is too short`, hint);
  }
  return typed;
}

function refuseTooLarge(file: string): void {
  const bytes = Buffer.byteLength(file);
  if (bytes <= LONGEST_FILE) return;
  throw new MemoError("usage", `Cannot add a memory of ${overLimit(bytes, LONGEST_FILE)}`, {
    hint: "Run `memo import markdown FILE` to split it",
  });
}

function isRival({ how }: ComparedMemory): boolean {
  return how === "overtaken" || how === "rivals";
}

/** What becomes of the existing memory: as the options say, otherwise as a person at a terminal says. */
async function outcomeOf(
  found: ComparedMemory,
  { replace, keep, json }: AddOptions,
  folder: string,
): Promise<"replaced" | "kept" | "stays"> {
  const { how, memory } = found, isAsked = !json && hasTerminal();
  if (how === "alike") {
    const isNear = found.folder.path === folder;
    const question = `Replace the similar memory “${visible(memory.name)}”?`;
    return isAsked && isNear && await confirm(question) ? "replaced" : "stays";
  }
  if (!isRival(found)) return "replaced";
  if (replace || keep) return replace ? "replaced" : "kept";
  if (!isAsked) return "stays";
  const question = `Replace “${visible(memory.name)}” (${changedOn(memory)})?`;
  const answer = await choose(question, "[Y]es / [k]eep both / [c]ancel");
  if (answer === "" || /^y/i.test(answer)) return "replaced";
  if (/^k/i.test(answer)) return "kept";
  throw new Interrupted();
}

function printBeside(
  { memory, how }: ComparedMemory,
  outcome: string | undefined,
  context: CliContext,
) {
  const name = `“${visible(memory.name)}”`, old = `${name} (${changedOn(memory)})`;
  if (outcome === "kept") return say(`Kept ${old} as well`);
  const what = how === "alike"
    ? `Kept the similar memory ${name}`
    : how === "overtaken"
    ? `${old} is kept, ranked below this one`
    : `Conflicts with ${old}; prompts get both, this one first`;
  say(`${what}. To archive it, run \`memo forget ${idHere(memory, context)}\``);
}

/** The type, or the known one that a person at a terminal says was meant; without a terminal a warning. */
async function typeMeant(type: string, { place }: CliContext): Promise<string> {
  if (KNOWN_TYPES.includes(type)) return type;
  const passes = (memory: MemoryFile) => memory.type === type;
  const own = memoryFolders(place).filter(({ scope }) => mayChange(scope));
  if (own.some((folder) => readMemories(folder, { passes }).memories.length > 0)) return type;
  const near = nearest(type, KNOWN_TYPES);
  if (near !== undefined && hasTerminal()) {
    const question = `\`${visible(type)}\` is not a known type. Did you mean \`${near}\`?`;
    return await confirm(question, { usually: true }) ? near : type;
  }
  const meant = near === undefined ? "" : `; did you mean \`${near}\`?`;
  say(`warning: \`${type}\` is not a known type (${KNOWN_TYPES.join(", ")})${meant}`);
  return type;
}
