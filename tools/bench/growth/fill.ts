// Fills a project of a world with notes: typed as by `memo add`, imported as by `memo import`.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "../sessions/world.ts";
import { carryOut } from "../../../src/core/change/carry_out.ts";
import type { Surroundings } from "../../../src/core/change/follow.ts";
import { addition, type FileChange, folderForNew } from "../../../src/core/change/change.ts";
import { applyImport, planImport } from "../../../src/features/import/plan.ts";
import { sourceNamed } from "../../../src/features/import/sources.ts";
import { parseMemory } from "../../../src/core/memory/file.ts";
import { listMemoryFiles } from "../../../src/core/memory/folder.ts";
import type { Memory } from "../../../src/core/memory/memory.ts";
import { memoryFolders, type Place } from "../../../src/core/memory/scopes.ts";
import { typedMemory } from "../../../src/surfaces/cli/shared/typed.ts";
import { type CapturedNote, partsOf, type ProjectNotes, textOf, type TypedSuite } from "./notes.ts";

/** What one project's store is filled from. */
export interface Pool {
  readonly suite: Pick<TypedSuite, "projects" | "vault">;
  /** Memories of another project, as extraction leaves them. */
  readonly captured: readonly CapturedNote[];
  /** Whether a note may be used: none that states what a prompt needs and was not written for it. */
  readonly isAllowed: (text: string) => boolean;
}

/** How many notes a project has got. */
export interface Filled {
  readonly notes: number;
  readonly typed: number;
  readonly imported: number;
}

/** Notes were typed from this day on, three a day, and imported on one day after all of them. */
const FIRST_TYPED = Date.parse("2026-03-01T08:00:00Z");
const BETWEEN_MS = 8 * 3_600_000;
const IMPORTED = new Date("2026-11-19T18:00:00Z");

/**
 * Fills a project up to so many notes that apply there: its own typed ones, its own imports, notes about everything, and
 * then another project's captured memories and what the other projects have.
 */
export async function fillProject(
  project: string,
  upTo: number,
  world: World,
  { suite, captured, isAllowed }: Pool,
): Promise<Filled> {
  const place = (await world.sync(project)).place;
  const before = countIn(place);
  const own = suite.projects.find((each) => each.project === project);
  const others = suite.projects.filter((each) => each.project !== project);
  let left = upTo - before;
  let typed = 0;
  const take = <T>(notes: readonly T[], text: (note: T) => string): readonly T[] => {
    const taken = notes.filter((note) => isAllowed(text(note))).slice(0, Math.max(0, left));
    left -= taken.length;
    return taken;
  };
  const type = async (texts: readonly string[]) => {
    const taken = take(texts, (text) => text);
    await addTyped(taken, { place, from: typed });
    typed += taken.length;
  };
  const importAll = async ({ imported, project: name }: ProjectNotes) => {
    const { files, daily = {}, sections = "" } = imported;
    await importFiles(`${name}-notes`, take(files, (text) => text).map(withoutName), place);
    await importFiles(`${name}-daily`, take(Object.entries(daily), ([, text]) => text), place);
    await importSections(name, take(partsOf(sections), (text) => text), place);
  };

  await type(own?.typed.map(textOf) ?? []);
  if (own !== undefined) await importAll(own);
  const half = Math.ceil(suite.vault.length / 2);
  await importFiles("vault", take(suite.vault.slice(0, half), (t) => t).map(withoutName), place);
  await importMem0(take(suite.vault.slice(half), (text) => text), place);
  await addCaptured(take(captured, ({ name, body }) => `${name}\n${body}`), place);
  for (const other of others) {
    await type(other.typed.map(textOf));
    await importAll(other);
  }
  const notes = countIn(place);
  return { notes, typed, imported: notes - before - typed };
}

/** Editors name a note that has no heading by a number. */
function withoutName(text: string, i: number): readonly [string, string] {
  return [`f${i}`, text];
}

function countIn(place: Place): number {
  return memoryFolders(place).reduce((sum, folder) => sum + listMemoryFiles(folder).length, 0);
}

const SETTING = "auto";

/** Writes notes as `memo add` does. */
export async function addTyped(
  texts: readonly string[],
  { place, from }: { readonly place: Place; readonly from: number },
): Promise<void> {
  const times = new Map<FileChange, Date>();
  for (const [i, text] of texts.entries()) {
    const now = new Date(FIRST_TYPED + (from + i) * BETWEEN_MS);
    const parsed = parseMemory(text, { fallbackName: "" }).memory;
    const { memory, isGuessed } = typedMemory(parsed, {}, { text, now })!;
    const type = isGuessed ? "project" : memory.type;
    const folder = folderForNew({ type, text }, { place, setting: SETTING });
    times.set(addition(memory, folder, { original: text }), now);
  }
  await write([...times.keys()], (change) => times.get(change)!);
}

/** Writes memories as extraction leaves them. */
async function addCaptured(notes: readonly CapturedNote[], place: Place): Promise<void> {
  const changes = notes.map((note, i) => {
    const created = new Date(FIRST_TYPED + i * BETWEEN_MS).toISOString();
    const memory: Memory = {
      ...note,
      ...{ tags: [], pinned: false, confidence: 0.9, created, updated: undefined },
      ...{ supersedes: [], source: undefined },
    };
    const { type } = note;
    const folder = folderForNew({ type, text: "", scope: "project" }, { place, setting: SETTING });
    return addition(memory, folder);
  });
  await write(changes, () => IMPORTED);
}

async function write(
  changes: readonly FileChange[],
  timeOf: (change: FileChange) => Date,
): Promise<void> {
  await carryOut(changes, {
    ...surroundings,
    onDone: ({ change, path }) => {
      const time = timeOf(change as FileChange);
      utimesSync(path, time, time);
    },
  });
}

/** The world looks for changes itself. */
const surroundings: Surroundings = {
  now: IMPORTED,
  sync: (changed) => Promise.resolve(changed.map(({ folder }) => folder)),
  warn: (message) => {
    throw new Error(message);
  },
};

/** Imports a folder of Markdown notes, one file each. */
async function importFiles(
  folder: string,
  files: readonly (readonly [name: string, text: string])[],
  place: Place,
): Promise<void> {
  if (files.length === 0) return;
  await importFrom("markdown", place, (root) => {
    const path = join(root, folder);
    mkdirSync(path);
    for (const [name, text] of files) writeFileSync(join(path, `${name}.md`), text + "\n");
    return path;
  });
}

/** Imports the sections of one file, as of a CLAUDE.md. */
async function importSections(
  name: string,
  sections: readonly string[],
  place: Place,
): Promise<void> {
  if (sections.length === 0) return;
  await importFrom("claude-md", place, (root) => {
    const path = join(root, `${name}.md`);
    writeFileSync(path, sections.join("\n"));
    return path;
  });
}

/** Imports the JSON of mem0's `get_all`. */
async function importMem0(texts: readonly string[], place: Place): Promise<void> {
  if (texts.length === 0) return;
  await importFrom("mem0", place, (root) => {
    const path = join(root, "mem0.json");
    const results = texts.map((memory, i) => ({
      ...{ id: `m${i}`, memory, user_id: "ines", metadata: null },
      created_at: new Date(FIRST_TYPED + i * BETWEEN_MS).toISOString(),
    }));
    writeFileSync(path, JSON.stringify({ results }));
    return path;
  });
}

/** Imports what a tool has exported into a temporary folder. */
async function importFrom(
  source: string,
  place: Place,
  exported: (root: string) => string,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "memo-export-"));
  try {
    const path = exported(root);
    const reading = await sourceNamed(source).read(path, { ...place, env: {} });
    const plan = await planImport(reading, {
      ...{ source, known: memoryFolders(place), patterns: [], now: IMPORTED },
      folderFor: ({ type, text }) =>
        folderForNew({ type, text, scope: "project" }, { place, setting: SETTING }),
    });
    if (plan.skipped.length > 0) throw new Error(JSON.stringify(plan.skipped));
    // As after `memo trust`.
    const steps = plan.steps.map((step) => {
      const tags = [...step.memory.tags, "confirmed"];
      return { ...step, memory: { ...step.memory, tags } };
    });
    const { written, failed } = await applyImport(steps, surroundings);
    if (failed.length > 0) throw new Error(JSON.stringify(failed));
    for (const { path } of written) utimesSync(path, IMPORTED, IMPORTED);
  } finally {
    rmSync(root, { recursive: true });
  }
}
