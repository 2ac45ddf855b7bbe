// The `[[links]]` of notes: a memory keeps those that its text has, and they are found by its name or its note's.

import { basename } from "node:path";
import { folded } from "../../core/text/nearest.ts";
import type { Memory } from "../../core/memory/memory.ts";

/** `[[Note]]`, `[[folder/Note#Heading|shown as]]`, `![[Note]]`. */
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
