// An entry of history in the database, for writing and reading.

import { createHash } from "node:crypto";
import type { InStatement, Row } from "@libsql/client";
import { analyze } from "../text/analyze.ts";
import { inEnglish } from "../text/language/english.ts";
import type { IndexedMemory } from "./corpus.ts";

/** What tells of it: the journal, a kept turn of a conversation, or a commit. */
export type PastKind = "journal" | "turn" | "commit";

/** One thing that happened. */
export interface PastEntry {
  readonly kind: PastKind;
  /** By the local clock, `2026-03-04` and `10:12`. */
  readonly day: string;
  readonly time: string;
  /** What it is about, in a line; may be empty. */
  readonly title: string;
  readonly text: string;
  /** The turn that it is about, or the commit; undefined for what a person wrote into a journal. */
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
  readonly transcript?: string | undefined;
}

/** An entry as the index holds it. */
export interface IndexedEntry extends PastEntry {
  readonly id: number;
  /** The memory folder that it belongs to. */
  readonly folder: string;
  /** The file that it was read from. */
  readonly path: string;
}

/** What `toEntry` takes, of `history h JOIN folders f`. */
export const HISTORY_COLUMNS =
  `h.id, f.path, h.path, h.kind, h.day, h.time, h.title, h.text, h.session, h.turn, h.transcript`;

/** An entry as strategies see it. */
export function asMemory(entry: IndexedEntry): IndexedMemory {
  const { id, path, title, text, kind, turn } = entry;
  return {
    id,
    path,
    name: title,
    body: text,
    type: kind,
    turn,
    scope: "project",
    description: "",
    triggers: [],
    tags: [],
    pinned: false,
    confidence: 1,
    importedFrom: undefined,
    created: entry.day,
    updated: undefined,
    mtimeMs: 0,
    size: text.length,
  };
}

/** The entry in a row of `HISTORY_COLUMNS`. */
export function toEntry(row: Row): IndexedEntry {
  return {
    id: Number(row[0]),
    folder: String(row[1]),
    path: String(row[2]),
    kind: String(row[3]) as PastKind,
    day: String(row[4]),
    time: String(row[5]),
    title: String(row[6]),
    text: String(row[7]),
    session: String(row[8]) || undefined,
    turn: String(row[9]) || undefined,
    transcript: String(row[10]) || undefined,
  };
}

/** Of all that an entry says. */
export function hashOf(entry: PastEntry): string {
  const { kind, day, time, title, text, session, turn, transcript } = entry;
  return createHash("sha256")
    .update(JSON.stringify([kind, day, time, title, text, session, turn, transcript]))
    .digest("hex").slice(0, 32);
}

/** Enters an entry, with its words. */
export function insertion(
  entry: PastEntry,
  { folder, path, hash }: { folder: number; path: string; hash: string },
): InStatement[] {
  const { kind, day, time, title, text, session = "", turn = "", transcript = "" } = entry;
  const english = inEnglish(`${title}\n${text}`)?.words.join(" ") ?? "";
  const terms = [title, text, english].map((each) => analyze(each).join(" "));
  return [
    {
      sql:
        `INSERT OR IGNORE INTO history (folder, path, hash, kind, day, time, title, text, session, turn,
        transcript) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      args: [folder, path, hash, kind, day, time, title, text, session, turn, transcript],
    },
    {
      sql: `INSERT OR REPLACE INTO history_words (rowid, title, text, english)
        SELECT id, ?, ?, ? FROM history WHERE path = ? AND hash = ?`,
      args: [...terms, path, hash],
    },
  ];
}

/** Takes entries out with their words and passages. */
export function removal(ids: readonly number[]): InStatement[] {
  return ids.flatMap((id) => [
    { sql: `DELETE FROM history_words WHERE rowid = ?`, args: [id] },
    { sql: `DELETE FROM history_passages WHERE entry = ?`, args: [id] },
    { sql: `DELETE FROM history WHERE id = ?`, args: [id] },
  ]);
}
