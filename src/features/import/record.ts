// A record of another tool's store, on its way to a memory.

import { createHash } from "node:crypto";
import type { Memory } from "../../core/memory/memory.ts";
import type { Place } from "../../core/memory/project.ts";
import { titleOf } from "../../core/memory/title.ts";
import { oneLine } from "../../core/text/neutralise.ts";

/** The content of a memory, as far as a source has it. */
export type Content = Partial<Omit<Memory, "body">> & { readonly body: string };

/** One record of a source. */
export interface SourceRecord {
  /** The same for the same record at every import. */
  readonly id: string;
  readonly content: Content;
  /** Where it applies by its source: everywhere, or in the project of the working directory. */
  readonly scope: "user" | "project";
  /** The source says that it has been replaced or put away: it goes into the archive. */
  readonly isOld?: boolean;
  /** The file of instructions that it stands in. */
  readonly file?: string;
}

/** A record, or a part of the source, that was left out. */
export interface Skipped {
  readonly what: string;
  readonly because: string;
  /** The number of records that it stands for; default: one. */
  readonly count?: number;
}

/** What a source holds. */
export interface Reading {
  readonly records: readonly SourceRecord[];
  readonly skipped: readonly Skipped[];
}

/** The reading of a source by its parts, each a record or the reason why it is none. */
export function readingOf(parts: readonly (SourceRecord | Skipped)[]): Reading {
  return {
    records: parts.filter((part) => "content" in part),
    skipped: parts.filter((part) => "because" in part),
  };
}

/** The surroundings of an import. */
export interface ImportPlace extends Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes the records of all projects, where a source tells them apart. */
  readonly isAll?: boolean;
}

/** What `memo import`, its completion and docs/import.md say of a source. */
export interface SourceRow {
  readonly name: string;
  readonly summary: string;
  /** Where it is looked for, in words. */
  readonly where: string;
  /** What becomes a memory. */
  readonly gives: string;
}

/** A tool whose memories can be imported. */
export interface ImportSource extends SourceRow {
  /** The places where the tool keeps its memories, likeliest first; none needs to exist. */
  places(place: ImportPlace): readonly string[];
  /** Reads every record of a file or folder. Rejects with a MemoError only if nothing can be read. */
  read(path: string, place: ImportPlace): Reading | Promise<Reading>;
}

/** A text as a memory named by its first sentence, unless it has a name. */
export function contentOf(body: string, given: Partial<Omit<Memory, "body">> = {}): Content {
  const title = titleOf(body);
  const name = oneLine(given.name ?? "") || title.name;
  const isSame = title.sentence.replace(/[.。]$/, "") === name;
  return {
    ...given,
    name,
    description: oneLine(given.description ?? "") || (isSame ? "" : title.sentence),
    body,
  };
}

/** A date in ISO 8601; undefined if it is none. Numbers are milliseconds, or seconds if they are small. */
export function dateOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const isSeconds = typeof value === "number" && Math.abs(value) < 1e11;
  const date = new Date(isSeconds ? value * 1000 : value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A text, or `""`. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** The texts of a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== "") : [];
}

/** A short id of a text. */
export function shortId(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
