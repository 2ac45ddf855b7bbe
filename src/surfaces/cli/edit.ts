import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { Command } from "commander";
import { refuseForeign } from "../../core/change/change.ts";
import { MemoError } from "../../errors.ts";
import { isAlive } from "../../core/files/lock.ts";
import { realPathOf } from "../../core/files/real_path.ts";
import type { FoundMemory } from "../../core/ledger/find.ts";
import { memoryIn, serializeMemory } from "../../core/memory/file.ts";
import { readMemoryFile } from "../../core/memory/folder.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { readText, refuseSecrets, tagsIn } from "./shared/typed.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { tilde } from "../../paths.ts";
import { edit, keepAway, pin } from "../../features/verbs/edit.ts";
import { configHere } from "./shared/config_here.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { describe } from "./shared/describe.ts";
import { openInEditor } from "./shared/editor.ts";
import { findOne, NAMES } from "./shared/find.ts";
import type { Flags, Texts } from "./shared/options.ts";
import { outJson, outPath, say } from "./shared/output.ts";
import { oneLine } from "../../core/text/neutralise.ts";

/** `memo edit`: opens a copy of a memory in the user's editor, checks the result, and merges it with what changed since. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", `Memory: ${NAMES}`)
    .option("--never <prompt>", "Hide it from prompts like this one")
    .option("--text <text>", "Replace its text; `-` reads stdin")
    .option("-d, --description <text>", "Replace its description")
    .option("--tags <a,b>", "Replace its tags")
    .option("--pin", "Show its title in every session")
    .option("--no-pin", "Stop showing its title in every session")
    .option("--anyway", "Save the text even if it seems to contain a secret")
    .addHelpText("after", "\nOptions that change the memory skip the editor.")
    .action(async (words: string[], options: EditOptions) => {
      const found = await findOne(words, context);
      const fields = await fieldsOf(options);
      const { path, said, changed } = Object.keys(fields).length > 0
        ? await rewrite(found, fields, { ...context, anyway: options.anyway })
        : options.pin !== undefined
        ? await pinHere(found, options.pin, context)
        : options.never !== undefined
        ? await keepAwayHere(found, options.never, context)
        : await editHere(found, context);
      const memory = readMemoryFile(path, found.memory.scope);
      for (const { message } of memory.problems) say(`warning: ${path}: ${message}`);
      if (options.json) return outJson({ ...describe(memory, found.folder, new Date()), changed });
      outPath(path);
      say(said);
    });
}

interface EditOptions
  extends Texts<"never" | "text" | "description" | "tags">, Flags<"pin" | "anyway" | "json"> {}

/** The fields that options give; only a pin is none, as it does not approve the text. */
async function fieldsOf({ text, description, tags, pin }: EditOptions): Promise<Partial<Memory>> {
  const isRewritten = [text, description, tags].some((field) => field !== undefined);
  return {
    ...isRewritten && pin !== undefined && { pinned: pin },
    ...text !== undefined && { body: (text === "-" ? await readText("edit") : text).trim() },
    ...description !== undefined && { description: oneLine(description) },
    ...tags !== undefined && { tags: tagsIn(tags) },
  };
}

/** Changes fields of a memory as an editor would. */
async function rewrite(
  found: FoundMemory,
  fields: Partial<Memory>,
  { anyway, ...context }: CliContext & { readonly anyway: boolean | undefined },
): Promise<EditReport> {
  const path = realPathOf(found.memory.path), memory = { ...found.memory, path };
  const before = readFileSync(path), original = before.toString();
  const text = serializeMemory({ ...memoryIn(original, path), ...fields }, original);
  if (fields.body === "") {
    throw new MemoError("usage", `Cannot edit “${memory.name}”: the text is empty`, {
      hint: "Run `memo forget NAME` to move a memory to the archive",
    });
  }
  if (!anyway) await refuseSecrets(text, context);
  const [opened, after] = [digestOf(before), Buffer.from(text)];
  return await written({ memory, folder: found.folder, before, opened, after }, context);
}

async function written(
  edited: Parameters<typeof edit>[0],
  context: CliContext,
): Promise<EditReport> {
  const done = await edit(edited, surroundings(context));
  return done.group === undefined
    ? { path: edited.memory.path, said: done.said, changed: false }
    : { path: done.path, said: done.said, changed: true };
}

async function pinHere(found: FoundMemory, pinned: boolean, context: CliContext) {
  const { said, group } = await pin([found], pinned, surroundings(context));
  const more = pinned ? "; every session starts with its title" : "";
  return { path: found.memory.path, said: said + more, changed: group !== undefined };
}

async function keepAwayHere(
  found: FoundMemory,
  prompt: string,
  context: CliContext,
): Promise<EditReport> {
  const patterns = configHere(context)["redact.patterns"];
  const { said, group } = await keepAway(found, prompt, { patterns, ...surroundings(context) });
  const changed = group !== undefined;
  const back = changed ? ". Undo: `memo undo`" : "";
  return { path: found.memory.path, said: said + back, changed };
}

type EditReport = Awaited<ReturnType<typeof pinHere>>;

async function editHere(found: FoundMemory, context: CliContext): Promise<EditReport> {
  const { folder } = found, { env, paths } = context;
  if (folder.scope === "team") refuseForeign(found, "edit");
  const path = realPathOf(found.memory.path); // a link inside the folder is followed
  const before = readFileSync(path);
  if (folder.scope === "auto") { // Claude Code's own: the person changes it, and memo does not
    openInEditor(path, env);
    const changed = !before.equals(readFileSync(path));
    return { path, changed, said: changed ? `Changed “${found.memory.name}”` : "No changes" };
  }
  printLeftOver(context);
  mkdirSync(paths.edits, { recursive: true, mode: 0o700 });
  const scratch = mkdtempSync(join(paths.edits, `edit-${process.pid}-`));
  const copy = join(scratch, basename(path));
  try { // until the change is written, the copy is the only place of what the person typed
    writeFileSync(copy, before, { mode: 0o600 });
    openInEditor(copy, env);
    if (!existsSync(copy)) {
      throw new MemoError("file", `Cannot edit \`${path}\`: the editor removed the file`, {
        hint: "Run `memo forget NAME` to move a memory to the archive",
      });
    }
    const opened = digestOf(before), after = readFileSync(copy);
    const memory = { ...found.memory, path };
    const changed = await written({ memory, folder, before, opened, after }, context);
    rmSync(scratch, { recursive: true, force: true });
    return changed;
  } catch (error) {
    const isEdited = existsSync(copy) && !readFileSync(copy).equals(before);
    if (isEdited) say(`Your text is saved in \`${tilde(copy, env)}\``);
    else rmSync(scratch, { recursive: true, force: true });
    throw error;
  }
}

/** Copies that a person edits, each in a folder that begins with the process that waits for it. */
const COPY = /^edit-(\d+)-/;

/** Names the copies of edits that were killed: memo never deletes one that may hold a person's words. */
function printLeftOver({ paths, env }: CliContext): void {
  if (!existsSync(paths.edits)) return;
  for (const name of readdirSync(paths.edits)) {
    const [, pid] = COPY.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const place = tilde(join(paths.edits, name), env);
    say(`An interrupted edit left its text in \`${place}\``);
  }
}
