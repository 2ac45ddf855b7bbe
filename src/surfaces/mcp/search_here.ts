import { isSuspectMemory } from "../../core/memory/provenance.ts";
import { folded } from "../../core/text/nearest.ts";
import type { ToolContext } from "./tool.ts";
import { basename } from "node:path";
import type { Memory } from "../../core/memory/memory.ts";

interface Selection {
  readonly limit: number;
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
}

/** Searches what applies at the place, by this machine alone, without what the user has still to review. */
export async function searchHere(
  query: string,
  { limit, type, tag }: Selection,
  { withIndex, folders, config, now, embed }: ToolContext,
) {
  const { search } = await import("../../core/recall/search.ts"); // with the index's library
  return await withIndex((index) =>
    search(query, {
      limit,
      only: "hybrid",
      keep: (memory) =>
        !isSuspectMemory(memory) && (type === undefined || memory.type === type) &&
        (tag === undefined || memory.tags.some((each) => folded(each) === folded(tag))),
    }, { index, folders, config, now: now(), embed })
  );
}

/** A link of a note: `[[Note]]`, `[[folder/Note#Heading|shown as]]`, `![[Note]]`; a memory keeps those of its text. */
const LINK = /\[\[([^[\]|#^\n]+)(?:[#^][^[\]|\n]*)?(?:\|[^[\]\n]*)?\]\]/g;

type Linkable = Pick<Memory, "name" | "body" | "source"> & { readonly path: string };

/** The memories that a memory links to, and those that link to it, in their order. */
export function linkedWith<T extends Linkable>(memory: Linkable, all: readonly T[]): T[] {
  const targets = linksIn(memory.body);
  const own = new Set(namesOf(memory));
  return all.filter((other) =>
    other.path !== memory.path &&
    (namesOf(other).some((name) => targets.has(name)) || !own.isDisjointFrom(linksIn(other.body)))
  );
}

function linksIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(LINK)].map(([, target]) => fold(basename(target!))));
}

/** What a link calls a memory: its name, its file, or the note that it was imported from. */
function namesOf({ name, path, source }: Linkable): string[] {
  const note = source?.id?.replace(/#\d+$/, "");
  return [name, path, ...note === undefined ? [] : [note]].map((each) => fold(basename(each)));
}

function fold(text: string): string {
  return folded(text).replace(/\.(?:md|markdown)$/, "").trim();
}
