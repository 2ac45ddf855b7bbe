import { homedir, isAbsolute, join, namesIn, resolve } from "./link/plain_path.ts";

/** The environment as a plain object, so that tests and the daemon can pass another one. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Every path that memo touches outside the projects. Computed, never created here. */
export interface Paths {
  /** The user's home folder. */
  readonly home: string;
  /** Claude Code's configuration folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  readonly claude: string;
  /** User memories. */
  readonly userMemory: string;
  /** memo's state: everything in it can be deleted and made again. */
  readonly state: string;
  readonly db: string;
  readonly models: string;
  /** Native parts and the built-in model, unpacked from the executable, one folder per build. */
  readonly runtime: string;
  readonly logs: string;
  /** One line a prompt. */
  readonly receipts: string;
  /** What memo has done that nobody has been told of. */
  readonly notices: string;
  /** The day on which the person was last told of each trouble. */
  readonly troublesTold: string;
  /** One line a question to a language model. */
  readonly spending: string;
  /** What `memo init` has changed in which settings file. */
  readonly installs: string;
  /** The purposes that the person has been told of as waiting for a yes. */
  readonly consentAsked: string;
  /** What `memo init` has changed in memo's settings. */
  readonly initRecord: string;
  /** Where `install.sh` put the executable, and the folders that it made. */
  readonly placed: string;
  /** Vectors of the bench's suites. */
  readonly bench: string;
  readonly sessions: string;
  /** The executable that the last upgrade replaced. */
  readonly previous: string;
  /** What is to be captured, and how far each transcript has been. */
  readonly capture: string;
  /** Where a hook leaves what is to be captured when it cannot write there; the daemon takes it over. */
  readonly spareCapture: string;
  /** Folder of socket, lock and pid; mode 0700. */
  readonly run: string;
  /** Unix socket, or a named pipe on Windows. */
  readonly socket: string;
  readonly lock: string;
  readonly pid: string;
  /** How many daemons died in a row; its time is when the next one may be started. */
  readonly crashes: string;
  /** Its time is when a build of the same version last replaced a daemon. */
  readonly takeover: string;
  /** Folder of the files by which the daemon knows that it has been told of every change. */
  readonly watched: string;
  /** Leads a browser to the page of `memo ui`, until that has come. */
  readonly page: string;
  /** Which projects have something for a moment (`src/link/moments.ts`). */
  readonly moments: string;
  /** Turns of conversations without secrets, if `history.transcripts` is on: a folder per project, a file per day. */
  readonly history: string;
  /** Triggers that a language model has suggested for memories. */
  readonly triggers: string;
  /** Locks, plans and reports of dreams. */
  readonly dreams: string;
  /** The store of `memo prove`, while it runs. */
  readonly prove: string;
  /** Copies of memories that are open in an editor. */
  readonly edits: string;
  /** How often each memory was shown and used. */
  readonly usage: string;
  /** What became of the rules that the model was given. */
  readonly obedience: string;
  /** How far broken rules have escalated. */
  readonly escalations: string;
  /** The guards that the user has switched on, and those that are offered. */
  readonly guards: string;
  /** Which files of repositories may be read, by content. */
  readonly trust: string;
  /** The repository of `memo sync`, and which project is which in it. */
  readonly sync: string;
  /** The teams that the user has joined: a folder each, with copies of their approved notes. */
  readonly teams: string;
  /** Where `claude` was found on a search path. */
  readonly claudeFound: string;
  /** `config.yaml`. */
  readonly config: string;
  /** The user's own text of what is asked about conversations, if there is one. */
  readonly extractPrompt: string;
}

/** The name of `triggers`, beside the index that takes them in. */
export const TRIGGERS_FILE = "triggers.jsonl";

const SOCKET = "memo.sock";

/** The longest path a Unix socket may have: `sun_path` is 104 bytes on macOS, 108 on Linux. */
const MAX_SOCKET_PATH = 103;

/** Where memo's files are for this environment; pure but for the home folder. */
export function pathsFor(env: Env = process.env, platform: string = process.platform): Paths {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const claude = env["CLAUDE_CONFIG_DIR"]
    ? resolve(env["CLAUDE_CONFIG_DIR"])
    : join(home, ".claude");
  const state = stateFolder(env, platform, home);
  const run = runFolder(state, env, platform);
  const settings = configFolder(env, platform, home);
  const inClaude = namesIn(claude), inState = namesIn(state);
  const inRun = namesIn(run), inSettings = namesIn(settings);
  return {
    home,
    claude,
    userMemory: inClaude("memory"),
    state,
    db: inState("index.db"),
    models: inState("models"),
    runtime: inState("runtime"),
    logs: inState("logs"),
    receipts: inState("receipts.jsonl"),
    notices: inState("notices.json"),
    troublesTold: inState("troubles.json"),
    spending: inState("spending.jsonl"),
    installs: inState("install.json"),
    consentAsked: inState("consent-asked"),
    initRecord: inState("init.json"),
    placed: inState("placed"),
    bench: inState("bench"),
    sessions: inState("sessions"),
    previous: inState("previous"),
    capture: inState("capture"),
    spareCapture: inClaude("memo-queue"),
    history: inState("history"),
    triggers: inState(TRIGGERS_FILE),
    run,
    socket: platform === "win32" ? `\\\\.\\pipe\\memo-${shortHash(state)}` : inRun(SOCKET),
    lock: inRun("start.lock"),
    pid: inRun("memo.pid"),
    crashes: inRun("crashes"),
    takeover: inRun("takeover"),
    watched: inRun("watched"),
    page: inRun("page.html"),
    moments: inState("moments"),
    dreams: inState("dreams"),
    prove: inState("prove"),
    edits: inState("edits"),
    usage: inState("usage.jsonl"),
    obedience: inState("obedience.jsonl"),
    escalations: inState("rungs.jsonl"),
    guards: inState("guards.json"),
    trust: inState("trust.json"),
    sync: inState("sync"),
    teams: inState("team"),
    claudeFound: inState("claude"),
    config: inSettings("config.yaml"),
    extractPrompt: inSettings("extract_prompt.md"),
  };
}

/** What a file that grows becomes when it is full, in place of the one before. */
export function rotated(file: string): string {
  return `${file}.1`;
}

/** What a damaged database becomes, so that it can be looked at. */
export function damaged(db: string): string {
  return `${db}.damaged`;
}

/** The database of a memo whose schema is older than that of the database at the usual place. */
export function ofSchema(db: string, version: number): string {
  return `${db}.v${version}`;
}

/** The lock of a file that several processes change. */
export function lockOf(file: string): string {
  return `${file}.lock`;
}

/** Schemas that a memo may have had that was used after a newer one. */
const OLDER_SCHEMAS = Array.from({ length: 30 }, (_, version) => version + 1);

/** What lies beside a SQLite database. */
export const DB_SIDES = ["-wal", "-shm", "-journal"] as const;

/** Every file and folder of the state folder, the rotated ones and locks too: `memo uninstall --purge` deletes these. */
export function stateEntries(paths: Paths): string[] {
  const { db, receipts, spending, trust } = paths;
  return [
    ...[db, ...DB_SIDES.map((side) => db + side), damaged(db)],
    ...OLDER_SCHEMAS.flatMap((version) => {
      const older = ofSchema(db, version);
      return [older, ...DB_SIDES.map((side) => older + side), damaged(older)];
    }),
    ...[receipts, rotated(receipts), spending, rotated(spending), trust, lockOf(trust)],
    ...[
      paths.dreams,
      paths.prove,
      lockOf(paths.prove),
      paths.edits,
      paths.usage,
      lockOf(paths.usage),
    ],
    ...[paths.obedience, rotated(paths.obedience), paths.escalations],
    ...[paths.guards, lockOf(paths.guards)],
    ...[paths.installs, paths.initRecord, paths.placed, paths.claudeFound],
    ...[paths.consentAsked, paths.troublesTold],
    ...[paths.models, paths.runtime, paths.previous, paths.logs, paths.sessions, paths.capture],
    ...[
      paths.history,
      paths.triggers,
      paths.notices,
      paths.bench,
      paths.sync,
      paths.moments,
      paths.teams,
      paths.run,
      paths.spareCapture,
    ],
  ];
}

function stateFolder(env: Env, platform: string, home: string): string {
  if (env["MEMO_HOME"]) return resolve(env["MEMO_HOME"]);
  if (platform === "darwin") return join(home, "Library", "Application Support", "memo");
  if (platform === "win32") {
    return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "memo");
  }
  return join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "memo");
}

function configFolder(env: Env, platform: string, home: string): string {
  if (env["MEMO_HOME"]) return resolve(env["MEMO_HOME"]);
  if (platform === "darwin") return join(home, "Library", "Application Support", "memo");
  if (platform === "win32") return join(env["APPDATA"] || join(home, "AppData", "Roaming"), "memo");
  return join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "memo");
}

/**
 * `run/` in the state folder; where that path is too long for a socket, a short folder in a place of this user's alone,
 * and never in a temporary folder that all users share. Where none is short enough the daemon cannot listen, and recall
 * goes by words.
 */
function runFolder(state: string, env: Env, platform: string): string {
  const run = join(state, "run");
  if (platform === "win32" || fits(run)) return run;
  const name = `memo-${shortHash(state)}`;
  const own = [env["XDG_RUNTIME_DIR"], platform === "darwin" ? env["TMPDIR"] : undefined]
    .filter((folder) => folder !== undefined && isAbsolute(folder)) as string[];
  const home = env["HOME"] || homedir();
  const places = [...own.map((folder) => join(folder, name)), join(home, `.${name}`)];
  return places.find(fits) ?? run;
}

/** Whether a folder's path leaves room for the socket's. */
function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= MAX_SOCKET_PATH;
}

/** FNV-1a, 32 bits, in hex: names a folder or a pipe without loading a crypto library on the hot path. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

/** A path as people write it: the home folder as `~`, and nothing in it that steers their terminal. */
export function tilde(path: string, env: Env = process.env): string {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const short = path === home || path.startsWith(home + "/") ? "~" + path.slice(home.length) : path;
  return short.replace(/\p{Cc}/gu, "\ufffd");
}
