import { sep } from "node:path";
import { archiveOf } from "../../../core/ledger/archive.ts";
import {
  type FindOptions as LookupOptions,
  type FoundMemory,
  idOf,
  type Lookup,
  lookUp,
  shortIds,
} from "../../../core/ledger/find.ts";
import type { MemoryFile, MemoryFolder } from "../../../core/memory/memory.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import type { CliContext } from "./command.ts";
import { confirm, hasTerminal } from "./confirm.ts";
import { visible } from "../../../core/text/neutralise.ts";

interface FindHereOptions extends Omit<LookupOptions, "cwd"> {
  /** The folders that count; default: all that apply here. */
  readonly folders?: readonly MemoryFolder[];
}

/** What a memory can be named by, for help. */
export const NAMES = "its name, its id, or words from its name";

/** What words stand for. */
export function lookUpHere(
  words: readonly string[],
  { cwd, place }: CliContext,
  { folders = memoryFolders(place), ...options }: FindHereOptions = {},
): Lookup {
  return lookUp(words.join(" "), folders, { cwd, ...options });
}

/** The memory that words name. */
export async function findOne(
  words: readonly string[],
  context: CliContext,
  options: FindHereOptions = {},
): Promise<FoundMemory> {
  return await settled(lookUpHere(words, context, options));
}

/**
 * The memory of each word, or of all words together: `forget A B` is about two memories, unless one is called "A B".
 * Throws before any change if one of them is not found.
 */
export async function findEach(
  words: readonly string[],
  context: CliContext,
  options: FindHereOptions = {},
): Promise<FoundMemory[]> {
  const together = lookUpHere(words, context, options);
  if (words.length === 1 || together.kind !== "missing") return [await settled(together)];
  const found: FoundMemory[] = [];
  for (const word of words) found.push(await findOne([word], context, options));
  return found;
}

/** The memory that was found; at a terminal the only one of a similar name is offered. Throws if there is none. */
export async function settled(lookup: Lookup): Promise<FoundMemory> {
  if (lookup.kind === "found") return lookup.found;
  const [only, ...others] = lookup.kind === "missing" ? lookup.near : [];
  if (only !== undefined && others.length === 0 && hasTerminal()) {
    const question = `${lookup.error.message}. Did you mean “${visible(only.memory.name)}”?`;
    if (await confirm(visible(question), { usually: true })) return only;
  }
  throw lookup.error;
}

/** The whole ids of some memories, in their order; "" for one that does not apply here. */
export function wholeIds(memories: readonly Identified[], { place }: CliContext): string[] {
  const folders = memoryFolders(place);
  return memories.map(({ path, scope }) => {
    const folder = folders.find((each) => each.scope === scope && isWithin(path, each));
    return folder === undefined ? "" : idOf({ path, scope: folder.scope }, folder);
  });
}

/** The same as short as `memo list` shows them. */
export function idsHere(memories: readonly Identified[], context: CliContext): string[] {
  return shortIds(wholeIds(memories, context), memoryFolders(context.place));
}

/** What a memory is found by that has an id. */
type Identified = Pick<MemoryFile, "path" | "scope">;

function isWithin(path: string, folder: MemoryFolder): boolean {
  return [folder.path, archiveOf(folder)].some((root) => path.startsWith(root + sep));
}

/** The id of one memory, as `memo list` shows it. */
export function idHere(memory: Identified, context: CliContext): string {
  return idsHere([memory], context)[0]!;
}
