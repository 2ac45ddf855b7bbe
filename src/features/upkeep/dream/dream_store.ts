import { join } from "node:path";
import { calibrationOf } from "../../../core/embed/mod.ts";
import { namesIn, statsOf } from "../../../core/files/there.ts";
import { readChanges } from "../../../core/ledger/change_log.ts";
import type { MemoryFolder } from "../../../core/memory/memory.ts";
import { autoFolder, localFolders, type Place } from "../../../core/memory/scopes.ts";
import { listMemoryFiles } from "../../../core/memory/folder.ts";
import type { Env } from "../../../paths.ts";
import { ownPatterns } from "../../../core/redact/mod.ts";
import { nearestTo } from "../../../core/recall/search.ts";
import { type Dream, dream, type DreamOptions, heal, lastDreamOf, planDream } from "./dream.ts";
import type { Engine } from "../../../core/engine/engine.ts";
import { surroundingsOf } from "../../../core/engine/surroundings.ts";
import { contradictionsIn } from "../../../core/recall/overtaken.ts";
import type { JobContext } from "../../../core/engine/jobs.ts";

/** The folders whose memories are memo's to change: not a repository's, and not Claude Code's own. */
export function ownFolders(place: Place): MemoryFolder[] {
  return localFolders(place).filter(({ scope }) => scope === "user" || scope === "project");
}

/** When each folder was last looked at, by path. */
const looked = new Map<string, number>();

/** Dreams about each folder of a place whose time has come. */
export async function dreamStore(
  { engine, place, env, log, now, signal }: JobContext,
): Promise<void> {
  if (env === undefined) return;
  for (const folder of ownFolders(place)) {
    await heal(folder, { paths: engine.paths, ...surroundingsOf(engine, { log, now }) });
    const because = whyDue(folder, { engine, place, now });
    if (because === undefined) continue;
    const result = await dreamNow(engine, { folder, place }, { env, log, now, signal });
    if (result === undefined) continue;
    const { id, before, after, steps, refused, unasked } = result;
    const counts = { before, after, changes: steps.length, refused: refused.length };
    log("dream", { id, because, ...counts, unasked });
  }
}

/** Dreams about one folder now; undefined if another process does. A dry run only plans. */
export async function dreamNow(
  engine: Engine,
  { folder, place }: { readonly folder: MemoryFolder; readonly place: Place },
  { env, log, isDry, ...rest }:
    & Pick<JobContext, "log">
    & Pick<DreamOptions, "now" | "signal" | "force" | "id" | "onProgress">
    & {
      /** The environment of the session on whose behalf the language model is asked. */
      readonly env: Env;
      readonly isDry?: boolean;
    },
): Promise<Dream | undefined> {
  const options = {
    ...{ ...rest, paths: engine.paths, ask: engine.askFor(env, place, "dream") },
    near: (path: string) => nearIn(engine, folder, path),
    contradictions: () =>
      engine.withIndex(async (index) =>
        (await contradictionsIn(index, [folder])).map(({ older, later }) =>
          [older.path, later.path] as const
        )
      ),
    pause: () => engine.yieldToPrompts(),
    patterns: ownPatterns(engine.config(place, env)["redact.patterns"]),
  };
  if (isDry) return await planDream(folder, options);
  return await dream(folder, { ...options, ...surroundingsOf(engine, { log, now: rest.now }) });
}

/** Memories of a folder that are nearly as near as two statements of one fact. */
async function nearIn(engine: Engine, folder: MemoryFolder, path: string): Promise<string[]> {
  return await engine.withIndex(async (index) => {
    const model = await (await index.corpus([folder])).model();
    const least = model === undefined ? Infinity : NEAR * calibrationOf(model).retold;
    const found = await nearestTo(path, { index, folders: [folder], limit: NEAREST });
    return found.filter(({ cosine }) => cosine >= least).map(({ memory }) => memory.path);
  });
}

const NEAREST = 3;
const NEAR = 0.9;

const HOUR_MS = 3_600_000;
/** Time between two looks whether a dream is due. */
const LOOK_MS = 10 * 60_000;
const SESSIONS = 5;
const EXTRACTIONS = 10;
/** A folder with more memories than this is looked through when it grows by so many. */
const ACTIVE = 80;
const GROWN = 10;

/**
 * Why a dream about a folder is due, counting what is cheapest first; undefined if it is not. It is once an hour where
 * much has been written, and else once a day.
 */
function whyDue(
  folder: MemoryFolder,
  { engine, place, now }: Pick<JobContext, "engine" | "place" | "now">,
): string | undefined {
  if (since(looked.get(folder.path) ?? 0, now) < LOOK_MS) return undefined;
  looked.set(folder.path, now.getTime());
  const { at: last, after } = lastDreamOf(folder, engine.paths);
  if (since(last, now) < HOUR_MS) return undefined;
  const extractions = extractionsSince(folder, last);
  if (extractions >= EXTRACTIONS) return `${extractions} extractions since the last dream`;
  const active = listMemoryFiles(folder).length;
  if (active > ACTIVE && active >= after + GROWN) return `${active} memories`;
  if (since(last, now) < 24 * HOUR_MS) return undefined;
  const sessions = sessionsSince(folder, place, last);
  return sessions >= SESSIONS ? `${sessions} sessions since the last dream` : undefined;
}

/** The time since a moment; a moment in the future is one before the clock was set back. */
function since(moment: number, now: Date): number {
  const passed = now.getTime() - moment;
  return passed < 0 ? Infinity : passed;
}

/** The turns that memories were captured from since then. */
function extractionsSince(folder: MemoryFolder, last: number): number {
  const since = new Date(last).toISOString();
  const captured = readChanges([folder]).filter(({ at, what, turn }) =>
    at > since && turn !== undefined && ["add", "supersede", "confirm"].includes(what)
  );
  return new Set(captured.map(({ turn }) => turn)).size;
}

/** The conversations changed since then: those of the project, or of all for the user's folder. */
function sessionsSince({ scope }: MemoryFolder, place: Place, last: number): number {
  const all = join(place.claude, "projects");
  const folders = scope === "user"
    ? namesIn(all).map((name) => join(all, name))
    : [join(autoFolder(place), "..")];
  const names = folders.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  return names.filter((path) => path.endsWith(".jsonl") && (statsOf(path)?.mtimeMs ?? 0) > last)
    .length;
}
