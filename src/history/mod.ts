// History: what happened in a project and when, from its journal, its commits and, by setting, from what was said in
// conversations.
// It is asked, and never comes up by itself.

import type { Config } from "../settings/config.ts";
import type { Index } from "../index/memory_index.ts";
import { journalOf } from "../journal/journal.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Place } from "../memory/project.ts";
import type { Paths } from "../paths.ts";
import { ownPatterns } from "../redact/own_patterns.ts";
import { pausedPrompts } from "../transcript/pause.ts";
import { transcriptsOfProject } from "../transcript/of_project.ts";
import { keptFolder } from "./kept.ts";
import { type HistorySynced, syncHistory } from "./sync.ts";

/** The memory folders whose history counts in a place: the project's private one, outside any project the user's. */
export function historyFolders(folders: readonly MemoryFolder[]): MemoryFolder[] {
  const journal = journalOf(folders);
  return journal === undefined ? [] : [journal.folder];
}

export interface CatchUpOptions {
  readonly paths: Paths;
  readonly config: Config;
  readonly place: Place;
  /** The folders that apply there. */
  readonly folders: readonly MemoryFolder[];
  readonly now: Date;
  /** Awaited between steps: prompts go first. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps what was said since, if the settings say so. Returns how many turns. */
export async function keepHistory(options: CatchUpOptions): Promise<number> {
  const { paths, config, place, folders, now, pause, signal } = options;
  const [folder] = historyFolders(folders);
  if (folder === undefined || !config["history.transcripts"]) return 0;
  const { keepTurns } = await import("./keep.ts"); // loads many redaction rules
  return await keepTurns(transcriptsOfProject(place), {
    folder: keptFolder(paths, folder),
    days: config["history.days"],
    paused: pausedPrompts(paths.capture),
    own: ownPatterns(config["redact.patterns"]),
    now,
    pause,
    signal,
  });
}

/** Brings the index in step with the history of some folders. */
export async function indexHistory(
  index: Index,
  folders: readonly MemoryFolder[],
  { paths, config, pause }: Pick<CatchUpOptions, "paths" | "config" | "pause">,
): Promise<HistorySynced> {
  const all = { read: 0, dropped: 0 };
  for (const folder of folders) {
    const commits = config["history.commits"] ? folder.project : undefined;
    const source = { folder, kept: keptFolder(paths, folder), commits };
    const { read, dropped } = await syncHistory(index.history, source, pause ? { pause } : {});
    all.read += read;
    all.dropped += dropped;
  }
  return all;
}
