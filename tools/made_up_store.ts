// A made-up store, for the demo and the pictures: what a developer with two projects would have saved, and asks.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeProjectFolder, projectOf } from "../src/core/memory/project.ts";
import type { Home } from "../test/support/home.ts";
import store from "./made_up_store.json" with { type: "json" };

/** A memory of the store; one without a project is the user's own. */
interface Note {
  readonly project?: string;
  /** Whether it is in the repository, where somebody else may have put it. */
  readonly isShared?: boolean;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly body: string;
  /** Age in days. */
  readonly days: number;
  readonly tags?: readonly string[];
  readonly isPinned?: boolean;
}

/** Two sessions of today, the newer one last. */
export const SESSIONS: readonly {
  readonly id: string;
  readonly project: string;
  readonly prompts: readonly string[];
}[] = store.sessions;

/** All of them; a memory's description is its first sentence unless it has one. */
const MEMORIES: readonly Note[] = store.memories.map((note) => ({
  ...note,
  description: note.description ?? /^[^.;\n]*/.exec(note.body)![0],
}));

/** A moment so many days ago, in ISO 8601. */
export function ago(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

/** Writes the memories of some projects, and the user's own, into a home. */
export function writeStore(home: Home, projects: readonly string[]): void {
  for (const project of projects) {
    const path = join(home.root, project);
    mkdirSync(path);
    execFileSync("git", ["init", "--quiet", path], { env: home.env });
    const { folder, root } = projectOf(path, home.claude);
    makeProjectFolder(folder, root);
  }
  for (const note of MEMORIES) {
    if (note.project !== undefined && !projects.includes(note.project)) continue;
    const path = pathOf(note, home);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textOf(note));
  }
}

/** Where a memory of the store lies in a home. */
export function pathOf(
  { project, isShared = false, type, name, days }: Note,
  { root, claude }: Home,
): string {
  const folder = project === undefined
    ? join(claude, "memory")
    : isShared
    ? join(root, project, ".claude", "memory")
    : projectOf(join(root, project), claude).folder;
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return join(folder, `${type}_${words}_${days}.md`);
}

function textOf({ name, description, type, body, days, tags = [], isPinned = false }: Note) {
  const day = ago(days).slice(0, 10);
  const fields = { name, description, type, tags, created: day, updated: day };
  const head = Object.entries({ ...fields, ...isPinned ? { pin: true } : {} })
    .map(([field, value]) => `${field}: ${JSON.stringify(value)}`).join("\n");
  return `---\n${head}\n---\n${body}\n`;
}
