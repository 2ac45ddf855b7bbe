import type { Config } from "../settings/config.ts";
import { projectDirOf } from "../capture/cursor.ts";
import { hasTools } from "../memory/claude_plugin.ts";
import { needsModel } from "../recall/retrieve.ts";
import type { Ask } from "../../../strategies/strategy.ts";
import { memoryFolders, type Place, placeIn } from "../memory/scopes.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** What a context has of its event. */
type Own = "hasTools" | "place" | "folders" | "config" | "embed" | "ask" | "pid" | "projectDir";

/** Services that the answering process gives handlers: the daemon, or the hook itself without one. */
export interface Host extends Omit<EventContext, Own> {
  /** The settings that apply in a place. */
  configFor(place: Place): Config;
  /** Whether a person sees the lines for the user: elsewhere they wait. */
  readonly isAttended: boolean;
  /** Asks a language model in a place; undefined if none may be asked. */
  askFor(place: Place): Ask | undefined;
  /** Embeds a text in at most `ms`; undefined if there is no time to load a model. */
  readonly embed: ((text: string, ms: number) => Promise<Float32Array>) | undefined;
}

/** The place where a hook was started. */
export interface Caller {
  /** Claude Code's configuration folder. */
  readonly claude: string;
  /** The folder that Claude Code runs in; default: the event's working directory. */
  readonly projectDir?: string | undefined;
  /** Claude Code's own process, if the hook could find it. */
  readonly pid?: number | undefined;
}

/** Ranking by keyword, without a vector in time, takes little of the time that is left. */
const EMBED_SHARE = 0.75;

/** The context of an event's handler: the folders and settings of the event's place, and the host's services. */
export function contextFor(
  event: HookEvent,
  host: Host,
  { claude, pid, projectDir: from }: Caller,
): EventContext {
  const paths = { ...host.paths, claude };
  // An agent that names no project has its sessions' starts noted.
  const noted = from ?? (event.transcript && projectDirOf(paths.capture, event.transcript));
  const projectDir = noted ?? event.cwd;
  const place = placeIn(paths, event.cwd, projectDir);
  const asked = host.configFor(place);
  const config = host.isAttended ? asked : { ...asked, notify: "off" };
  const { embed } = host;
  return {
    ...host,
    paths,
    place,
    projectDir,
    folders: memoryFolders(place),
    config,
    hasTools: hasTools(paths),
    embed: embed && ((text) => embed(text, config["recall.deadline_ms"] * EMBED_SHARE)),
    // Looking for one takes some dozens of looks at the disk: most settings ask none.
    ask: needsModel(config) ? host.askFor(place) : undefined,
    pid,
  };
}
