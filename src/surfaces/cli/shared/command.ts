import { linkTo } from "../../../features/install/executable.ts";
import { type Command as Program, isCompiled, selfCommand } from "../../../core/link/self.ts";
import { type Place, placeIn } from "../../../core/memory/project.ts";
import { type Env, type Paths, pathsFor } from "../../../paths.ts";
import { statsOf } from "../../../core/files/there.ts";
import { call } from "../../../core/link/socket.ts";
import { say } from "./output.ts";

/** The environment of a command, passed as an argument so that tests can replace it. */
export interface CliContext {
  readonly env: Env;
  readonly paths: Paths;
  readonly cwd: string;
  /** The same as a place: what projects and memory folders are found by. */
  readonly place: Place;
  /** Where managed settings are looked for; default: where Claude Code does. */
  readonly managed?: string;
  /** The executable that hooks are to name, if it is another one than this. */
  readonly executable?: string;
}

/** The context of a command at a working directory. */
export function contextIn(env: Env, cwd: string): CliContext {
  const paths = pathsFor(env);
  return { env, paths, cwd, place: placeIn(paths, cwd) };
}

/** The memo that hooks are to name. */
export function programOf({ executable, env, paths, cwd }: CliContext): Program {
  if (executable !== undefined) return { command: executable, args: [] };
  const self = selfCommand();
  const options = { project: cwd, home: paths.home };
  const link = isCompiled ? linkTo(self.command, env["PATH"] ?? "", options) : undefined;
  return link === undefined ? self : { command: link, args: [] };
}

/** The files of so small an index are as soon read: its library takes a while to load. */
const LEAST_BYTES = 2_000_000;
/** A daemon that does not answer within this time has other things to do: a look at the files takes as long. */
const ANSWER_MS = 500;

/** A context whose memory folders are known to the index, so that no command reads all of a large store's files. */
export async function withKnownFiles(context: CliContext): Promise<CliContext> {
  const { paths, place } = context;
  if ((statsOf(paths.db)?.size ?? 0) < LEAST_BYTES) return context;
  const [{ openKnown }, current] = await Promise.all([
    import("../../../core/index/known_memories.ts"),
    currentFolders(context),
  ]);
  const known = await openKnown(paths.db, current);
  if (known === undefined) say("note: Cannot use the index; reading all memory files instead");
  return { ...context, place: { ...place, known } };
}

/** The memory folders whose changes a daemon follows, so that the index has them as they are. */
async function currentFolders({ paths, cwd }: CliContext): Promise<readonly string[]> {
  const { claude, socket } = paths;
  try {
    const params = { claude, cwd, projectDir: cwd };
    const reply = await call("current", params, { socket, timeoutMs: ANSWER_MS });
    return (reply as { readonly folders: readonly string[] }).folders;
  } catch {
    return []; // there is none, or one of an older memo: each file is compared with the index
  }
}
