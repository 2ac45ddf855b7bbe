import { type Command, Option } from "commander";
import { findDuplicate, isNamesake, type Known, nearest } from "../../core/capture/dedupe.ts";
import { carryOutOne } from "../../core/change/carry_out.ts";
import { type Add, addition, type Replace, revision } from "../../core/change/change.ts";
import { APPLIES, folderForNew } from "../../core/change/place.ts";
import { MemoError } from "../../errors.ts";
import { changedAt, changedOn } from "../../core/memory/age.ts";
import { withoutMarks } from "../../core/memory/basis.ts";
import { newChangeId } from "../../core/ledger/change_log.ts";
import { markDistinct } from "../../core/relation/distinct.ts";
import { parseMemory, serializeMemory } from "../../core/memory/file.ts";
import { readMemories } from "../../core/memory/list.ts";
import {
  mayChange,
  type Memory,
  type MemoryFile,
  type MemoryFolder,
  type OwnScope,
} from "../../core/memory/memory.ts";
import { projectAt } from "../../core/memory/project.ts";
import { nearest as nearestWord } from "../../core/text/nearest.ts";
import { readMemoryFile } from "../../core/memory/folder.ts";
import { LONGEST_FILE } from "../../core/memory/limits.ts";
import { asMarked, withProvenance } from "../../core/memory/provenance.ts";
import { relate, type Rivalry, rivalryIn, tellingTerms } from "../../core/relation/relate.ts";
import { memoryFolders, type Place } from "../../core/memory/scopes.ts";
import { type Typed, typedMemory } from "../../core/memory/typed.ts";
import { isModel } from "../../features/verbs/consent.ts";
import { DEFAULT_TYPE, KNOWN_TYPES } from "../../core/memory/types.ts";
import { listTranscripts, sessionOf } from "../../core/transcript/find.ts";
import { surroundings } from "./shared/change.ts";
import { choose, confirm, hasTerminal } from "./shared/confirm.ts";
import { Interrupted } from "./shared/interrupted.ts";
import { readText } from "./shared/stdin_text.ts";
import { idHere } from "./shared/find.ts";
import type { CliContext } from "./shared/command.ts";
import { configHere } from "./config.ts";
import { visible } from "../../core/text/neutralise.ts";
import { outJson, outPath, say } from "./shared/output.ts";
import { refuseSecrets } from "./shared/secret.ts";

interface AddOptions {
  readonly name?: string;
  readonly description?: string;
  readonly type?: string;
  readonly scope?: OwnScope;
  readonly tags?: string;
  readonly trigger: readonly string[];
  readonly replace?: boolean;
  readonly keep?: boolean;
  readonly anyway?: boolean;
  readonly json?: boolean;
}

/** `memo add`: writes a memory from a text, or from a memory file on stdin. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[text...]", "Text to remember; read from stdin if omitted or `-`")
    .option("--name <name>", "Name (default: the first sentence)")
    .option("-d, --description <text>", "One line that says when the memory matters")
    .option("-t, --type <type>", `Type: ${KNOWN_TYPES.join(", ")}, or your own`)
    .addOption(
      new Option(
        "--scope <scope>",
        "Where it applies: everywhere, only to you in this project, or to all who have the repository",
      ).choices(["user", "project", "shared"]),
    )
    .option("--tags <a,b>", "Comma-separated tags")
    .option(
      "--trigger <prompt>",
      "Example prompt that should recall the memory; repeatable",
      append,
      [],
    )
    .option(
      "--replace",
      "Replace the memory with this name and type, that says the same, or that this one overtakes; keeps its tags and triggers unless given",
    )
    .addOption(
      new Option("--keep", "Keep a memory that this one overtakes or contradicts: both hold")
        .conflicts("replace"),
    )
    .option("--anyway", "Add it even if it seems to contain a secret")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: AddOptions) => {
      const text = await textOf(words);
      const given = memoryOf(text, options);
      refuseNothing(given.memory);
      const { isGuessed } = given;
      const typed = { ...given.memory, type: await meantType(given.memory.type, context) };
      const others = othersAt(context, typed);
      const memory = await asSaidBy(typed, context);
      const file = serializeMemory(memory);
      refuseTooLarge(file);
      if (!options.anyway) await refuseSecrets(file, context);
      const { place } = context;
      const folder = folderForNew({
        type: isGuessed ? DEFAULT_TYPE : memory.type,
        text,
        scope: options.scope,
      }, { place, setting: configHere(context)["capture.scope"] });
      const twin = twinOf(memory, others.filter((other) => other.folder.path === folder.path));
      if (twin !== undefined && !options.replace) throw takenBy(twin, memory, context);
      const rival = twin === undefined ? rivalOf(memory, others, folder) : undefined;
      const alike = twin ?? rival === undefined ? nearest(memory, others) : undefined;
      const asked = rival !== undefined
        ? await whatBecomesOf(rival, options)
        : alike !== undefined && !options.json && await isReplaced(alike, folder)
        ? "replaced"
        : "stays";
      const old = asked === "replaced" ? (rival ?? alike)!.memory : twin?.memory;
      const change = changeFor(memory, folder, { text, old });
      refuseTooLarge(change.text); // with what it keeps of the one that it replaces
      const { path, archived } = await carryOutOne(change, surroundings(context));
      if (old !== undefined) {
        const id = idHere({ path, scope: folder.scope }, context);
        say(`Replaced “${visible(old.name)}”; \`memo undo ${id}\` reverts that`);
      } else if (rival !== undefined) {
        if (asked === "kept") keepBoth({ path, folder }, rival);
        sayRival(rival, asked, context);
      } else if (alike !== undefined) sayAlike(alike, context);
      const written = readMemoryFile(path, folder.scope);
      for (const { message } of written.problems) say(`warning: ${message}`);
      const { name, type, scope } = written;
      if (options.json) {
        const overtakes = old === undefined && asked === "stays" ? rival?.memory.path : undefined;
        return outJson({
          ...{ name, type, scope, path, archived: archived ?? null },
          ...overtakes !== undefined && { overtakes },
        });
      }
      outPath(path);
      sayWhere(written, { place, isGuessed, isChosen: options.scope !== undefined });
    });
}

/** What a model adds in Claude Code's shell is marked unless the user has typed it in the session. */
async function asSaidBy<M extends Memory>(memory: M, { env, place }: CliContext): Promise<M> {
  if (!isModel(env)) return memory;
  const own = { ...memory, tags: withoutMarks(memory.tags) };
  const { Conversation } = await import("../../core/capture/conversation.ts");
  const { evidenceOf } = await import("../../core/capture/evidence.ts");
  const { provenanceIn } = await import("../../core/capture/decide.ts");
  const session = env["CLAUDE_CODE_SESSION_ID"];
  const known = session === undefined ? [] : await listTranscripts(place);
  const transcript = known.find(({ path }) => sessionOf(path) === session)?.path;
  if (transcript === undefined) return asMarked(own, "concluded");
  const evidence = await evidenceOf([], new Conversation(transcript));
  const candidate = { ...own, fromTool: false };
  return withProvenance(own, await provenanceIn(candidate, { evidence, turn: undefined }));
}

/** Says where the memory applies, and the other choice unless the person has chosen. */
function sayWhere(
  { name, scope }: MemoryFile,
  { place, isGuessed, isChosen }: {
    readonly place: Place;
    /** It was recognised as a rule. */
    readonly isGuessed: boolean;
    readonly isChosen: boolean;
  },
): void {
  const other = isChosen || projectAt(place) === undefined
    ? ""
    : scope === "user"
    ? " (for this project only: `--scope project`)"
    : " (for every project: `--scope user`)";
  const what = isGuessed ? " as a rule (feedback)" : "";
  say(`Saved “${visible(name)}”${what} ${APPLIES[scope]}${other}`);
}

function refuseTooLarge(file: string): void {
  const bytes = Buffer.byteLength(file);
  if (bytes <= LONGEST_FILE) return;
  throw new MemoError(
    "usage",
    `Cannot add a memory of ${bytes} bytes: it has at most ${LONGEST_FILE}`,
    { hint: "Run `memo import markdown FILE`, which splits it into notes" },
  );
}

function append(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

async function textOf(words: readonly string[]): Promise<string> {
  const fromStdin = words.length === 0 || (words.length === 1 && words[0] === "-");
  const isTyped = words.length === 0 && process.stdin.isTTY;
  const text = isTyped ? "" : fromStdin ? await readText("add") : words.join(" ");
  if (text.trim() === "") throw withoutText();
  return text;
}

function withoutText(): MemoError {
  return new MemoError("usage", "Cannot add a memory without text", {
    hint: 'Run `memo add "Use pnpm, never npm"`, or `memo add < FILE`',
  });
}

/** Builds a memory from a text and the options; options override front matter. A text without a type may be a rule. */
function memoryOf(text: string, options: AddOptions): Typed {
  const { memory, problems } = parseMemory(text, { fallbackName: "" });
  const problem = problems.find(({ kind }) => kind !== "unquoted"); // which is written with quotes
  if (problem !== undefined) {
    throw new MemoError("usage", `Cannot add this memory: ${problem.message}`, {
      hint: "Fix the front matter and run `memo add` again",
    });
  }
  const typed = typedMemory(memory, options, { text, now: new Date() });
  if (typed === undefined) throw withoutText();
  return typed;
}

/** The change that adds a memory, or replaces the one with its name and type. */
function changeFor(
  memory: Memory,
  folder: MemoryFolder,
  { text, old }: { readonly text: string; readonly old: MemoryFile | undefined },
): (Add | Replace) & { readonly text: string } {
  if (old === undefined) return addition(memory, folder, { original: text });
  const successor = {
    ...memory,
    tags: memory.tags.length > 0 ? memory.tags : withoutMarks(old.tags),
    triggers: memory.triggers.length > 0 ? memory.triggers : old.triggers,
    created: old.created ?? memory.created,
    updated: new Date().toISOString(),
  };
  return revision({ memory: old, folder }, successor, { what: "supersede", original: text });
}

/** The memory with the same name and type, or that says the same. */
function twinOf(memory: Memory, others: readonly Other[]): Other | undefined {
  return others.find((other) => isNamesake(memory, other.memory)) ?? findDuplicate(memory, others);
}

function takenBy({ memory: twin }: Other, memory: Memory, context: CliContext): MemoError {
  const how = isNamesake(memory, twin) ? "has the same name and type" : "says the same";
  return new MemoError("usage", `Cannot add \`${memory.name}\`: “${visible(twin.name)}” ${how}`, {
    hint: `Pass \`--replace\`, or run \`memo edit ${idHere(twin, context)}\``,
  });
}

/** A memory that the new one may be like. */
interface Other extends Known {
  readonly memory: MemoryFile;
  readonly folder: MemoryFolder;
}

/** The memories that apply here, but for Claude Code's own; those at least that may be like one. */
function othersAt({ place }: CliContext, memory: Memory): Other[] {
  const words = tellingTerms(memory);
  return memoryFolders(place).filter(({ scope }) => mayChange(scope))
    .flatMap((folder) =>
      readMemories(folder, { words }).memories
        .map((memory) => ({ memory, folder }))
    );
}

/** Asks whether the new memory takes the place of one in its folder that it is like; without a terminal it does not. */
async function isReplaced({ memory, folder }: Other, { path }: MemoryFolder): Promise<boolean> {
  if (folder.path !== path || !hasTerminal()) return false;
  return await confirm(`Looks like “${visible(memory.name)}”. Replace it?`);
}

/** The latest memory of the folder that the new one overtakes, or says otherwise of. */
function rivalOf(
  memory: Memory,
  others: readonly Other[],
  { path }: MemoryFolder,
): Rival | undefined {
  return others.flatMap((other): Rival[] => {
    const kind = other.folder.path === path ? rivalryIn(relate(other.memory, memory)) : undefined;
    return kind === undefined ? [] : [{ ...other, kind }];
  }).sort((a, b) => changedAt(b.memory) - changedAt(a.memory))[0];
}

interface Rival extends Other {
  readonly kind: Rivalry;
}

/** What becomes of a memory that the new one overtakes: what was asked for, else what a person at a terminal says. */
async function whatBecomesOf(
  { memory }: Rival,
  { replace, keep, json }: AddOptions,
): Promise<"replaced" | "kept" | "stays"> {
  if (replace) return "replaced";
  if (keep) return "kept";
  if (json || !hasTerminal()) return "stays";
  const question = `Replace “${visible(memory.name)}” (${changedOn(memory)})?`;
  const answer = await choose(question, "[Y]es / [k]eep both / [c]ancel");
  if (answer === "" || /^y/i.test(answer)) return "replaced";
  if (/^k/i.test(answer)) return "kept";
  throw new Interrupted();
}

/** Notes that both hold, so that neither is taken for what has overtaken the other. */
function keepBoth(
  { path, folder }: { readonly path: string; readonly folder: MemoryFolder },
  rival: Rival,
): void {
  const memory = readMemoryFile(path, folder.scope);
  markDistinct([{ memory, folder }, rival], { group: newChangeId(), now: new Date() });
}

function sayRival(
  { memory, kind }: Rival,
  asked: "replaced" | "kept" | "stays",
  context: CliContext,
): void {
  const old = `“${visible(memory.name)}” from ${changedOn(memory)}`;
  if (asked === "kept") return say(`${old} stays beside it: both hold`);
  const what = kind === "overtaken"
    ? `Overtakes ${old}, which stays, but comes behind this one`
    : `Disagrees with ${old}; prompts get both, this one first`;
  say(`${what}; \`memo forget ${idHere(memory, context)}\` archives the older one`);
}

function sayAlike({ memory }: Other, context: CliContext): void {
  const id = idHere(memory, context);
  say(`Looks like “${visible(memory.name)}”, which stays; \`memo forget ${id}\` archives it`);
}

/** Refuses a text of a single letter or none: no prompt could ask for it, and it says nothing. */
function refuseNothing({ name, description, body }: Memory): void {
  const says = (text: string) => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) > 1;
  if ([name, description, body].some(says)) return;
  throw new MemoError("usage", `Cannot add \`${body || name}\`: it says nothing`, {
    hint: 'Write a sentence, as in `memo add "Use pnpm, never npm"`',
  });
}

/** Types are an open set, but one that nobody has used is often a slip: a person is asked, a program is warned. */
async function meantType(type: string, { place }: CliContext): Promise<string> {
  if (KNOWN_TYPES.includes(type)) return type;
  const passes = (memory: MemoryFile) => memory.type === type;
  const own = memoryFolders(place).filter(({ scope }) => mayChange(scope));
  if (own.some((folder) => readMemories(folder, { passes }).memories.length > 0)) return type;
  const near = nearestWord(type, KNOWN_TYPES);
  if (near !== undefined && hasTerminal()) {
    const question = `\`${visible(type)}\` is no known type. Did you mean \`${near}\`?`;
    return await confirm(question, { usually: true }) ? near : type;
  }
  const meant = near === undefined ? "" : `; did you mean \`${near}\`?`;
  say(`warning: \`${type}\` is not a known type (${KNOWN_TYPES.join(", ")})${meant}`);
  return type;
}
