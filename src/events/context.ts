import type { Config } from "../settings/config.ts";
import { projectDirOf } from "../capture/cursor.ts";
import { memoryFolders, type Place, placeIn } from "../memory/scopes.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** What the process that answers lends to handlers: the daemon, or the hook itself when there is none. */
export interface Host
  extends Omit<EventContext, "folders" | "config" | "embed" | "pid" | "projectDir"> {
  /** The settings that count in a place. */
  configFor(place: Place): Config;
  /** Makes a text's vector in at most `ms`; undefined where there is no time to load a model. */
  readonly embed: ((text: string, ms: number) => Promise<Float32Array>) | undefined;
}

/** What a hook knows about where it was started. */
export interface Caller {
  /** Claude Code's configuration folder. */
  readonly claude: string;
  /** The folder that Claude Code runs in; default: the event's working directory. */
  readonly projectDir?: string | undefined;
  /** Claude Code's own process, where the hook could tell. */
  readonly pid?: number | undefined;
}

/** What an event's handler works with: the folders and settings of the event's place, and the host's means. */
export function contextFor(
  event: HookEvent,
  host: Host,
  { claude, pid, projectDir: from }: Caller,
): EventContext {
  const paths = { ...host.paths, claude };
  // Over http no environment comes along; the session's start, which is always a command, has told.
  const noted = from ?? (event.transcript && projectDirOf(paths.capture, event.transcript));
  const projectDir = noted ?? event.cwd;
  const place = placeIn(paths, event.cwd, projectDir);
  const config = host.configFor(place);
  const { embed } = host;
  return {
    ...host,
    paths,
    projectDir,
    folders: memoryFolders(place),
    config,
    // Half the time is left for ranking by words.
    embed: embed && ((text) => embed(text, config["recall.deadline_ms"] / 2)),
    pid,
  };
}
