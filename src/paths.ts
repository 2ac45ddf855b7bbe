import { homedir, isAbsolute, join, namesIn, resolve } from "./core/link/plain_path.ts";

/** The environment as a plain object, so that tests and the daemon can pass another one. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The name of `triggers`, beside the index that takes them in. */
export const TRIGGERS_FILE = "triggers.jsonl";

const SOCKET = "memo.sock";

/** The longest path a Unix socket may have: `sun_path` is 104 bytes on macOS, 108 on Linux. */
const MAX_SOCKET_PATH = 103;

/** Every path that memo touches outside the projects. Computed, never created here. */
export type Paths = Readonly<ReturnType<typeof pathsFor>>;

/** Where memo's files are for this environment; pure but for the home folder. */
export function pathsFor(env: Env = process.env, platform: string = process.platform) {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const claude = env["CLAUDE_CONFIG_DIR"]
    ? resolve(env["CLAUDE_CONFIG_DIR"])
    : join(home, ".claude");
  const state = ownFolder("state", env, platform, home);
  const run = runFolder(state, env, platform);
  const settings = ownFolder("settings", env, platform, home);
  const inClaude = namesIn(claude), inRun = namesIn(run), inSettings = namesIn(settings);
  return {
    /** The user's home folder. */
    home,
    /** Claude Code's configuration folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`. */
    claude,
    /** User memories. */
    userMemory: inClaude("memory"),
    /** memo's state: everything in it can be deleted and made again. */
    state,
    ...stateFiles(state),
    /** Where a hook leaves what is to be captured when it cannot write there; the daemon takes it over. */
    spareCapture: inClaude("memo-queue"),
    /** Folder of socket, lock and pid; mode 0700. */
    run,
    /** Unix socket, or a named pipe on Windows. */
    socket: platform === "win32" ? `\\\\.\\pipe\\memo-${shortHash(state)}` : inRun(SOCKET),
    lock: inRun("start.lock"),
    pid: inRun("memo.pid"),
    /** How many daemons died in a row; its time is when the next one may be started. */
    crashes: inRun("crashes"),
    /** Its time is when a build of the same version last replaced a daemon. */
    takeover: inRun("takeover"),
    /** Folder of the files by which the daemon knows that it has been told of every change. */
    watched: inRun("watched"),
    /** Leads a browser to the page of `memo ui`, until that has come. */
    page: inRun("page.html"),
    /** `config.yaml`. */
    config: inSettings("config.yaml"),
    /** The user's own text of what is asked about conversations, if there is one. */
    extractPrompt: inSettings("extract_prompt.md"),
  };
}

/**
 * What `memo forget --hard` does with what memo has noted of a memory: blanks the lines that name it, takes the items that
 * are it out of JSON, deletes the turns that it came from, or nothing but that the index follows; and what these are.
 */
type Erasure = "never" | "follows" | readonly ["lines" | "items" | "turns", what: string];

/** memo's state, without what runs: the name of each file or folder, and what becomes of a memory in it that is erased. */
export const STATE = {
  db: ["index.db", "follows"],
  /** What earlier versions downloaded. */
  models: ["models", "never"],
  /** Native parts and the built-in model, unpacked from the executable, one folder per build. */
  runtime: ["runtime", "never"],
  logs: ["logs", ["lines", "lines of memo's own log"]],
  /** One line a prompt. */
  receipts: ["receipts.jsonl", ["items", "receipts"]],
  /** What memo has done that nobody has been told of. */
  notices: ["notices.json", ["items", "notices"]],
  /** The day on which the person was last told of each trouble. */
  troublesTold: ["troubles.json", "never"],
  /** One line a question to a language model. */
  spending: ["spending.jsonl", "never"],
  /** What `memo init` has changed in which file. */
  installs: ["install.json", "never"],
  /** The purposes that the person has been told of as waiting for a yes. */
  consentAsked: ["consent-asked", "never"],
  /** Where `install.sh` put the executable, and the folders that it made. */
  placed: ["placed", "never"],
  /** Vectors of the bench's suites. */
  bench: ["bench", "never"],
  sessions: ["sessions", ["items", "sessions"]],
  /** The executable that an upgrade of memo 0.1 kept; nothing writes it any more. */
  previous: ["previous", "never"],
  /** What is to be captured, and how far each transcript has been. */
  capture: ["capture", "never"],
  /** Turns of conversations without secrets, if `history.transcripts` is on: a folder per project, a file per day. */
  history: ["history", ["turns", "turns of kept conversations"]],
  /** Triggers that a language model has suggested for memories. */
  triggers: [TRIGGERS_FILE, ["lines", "suggested triggers"]],
  /** Which projects have something for a moment (`src/core/link/moments.ts`). */
  moments: ["moments", "never"],
  /** Locks, plans and reports of dreams. */
  dreams: ["dreams", ["items", "reports"]],
  /** Copies of memories that are open in an editor. */
  edits: ["edits", "never"],
  /** How often each memory was shown and used. */
  usage: ["usage.jsonl", ["lines", "uses"]],
  /** The guards that the user has switched on, and those that are offered. */
  guards: ["guards.json", ["items", "guards"]],
  /** Which files of repositories may be read, by content. */
  trust: ["trust.json", "never"],
  /** The key that exports are signed with, and what the person has called theirs of an import. */
  own: ["own.json", "never"],
  /** The repository of `memo sync`, and which project is which in it: `memo sync squash` begins its history anew. */
  sync: ["sync", "never"],
  /** The teams that the user has joined: a folder each, with copies of their approved notes. */
  teams: ["team", "never"],
  /** Where `claude` was found on a search path. */
  claudeFound: ["claude", "never"],
} as const satisfies Readonly<Record<string, readonly [name: string, Erasure]>>;

function stateFiles(state: string): { [key in keyof typeof STATE]: string } {
  const inState = namesIn(state);
  const files = Object.entries(STATE).map(([key, [name]]) => [key, inState(name)]);
  return Object.fromEntries(files);
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
export function stateEntries({ state, db, run, spareCapture }: Paths): string[] {
  const databases = [db, ...OLDER_SCHEMAS.map((version) => ofSchema(db, version))];
  return [
    ...new Set([
      ...Object.values(stateFiles(state)).flatMap((path) => [path, rotated(path), lockOf(path)]),
      ...databases.flatMap((path) => [path, ...DB_SIDES.map((side) => path + side), damaged(path)]),
      ...[run, spareCapture],
    ]),
  ];
}

/** Where state and settings are by default: a variable, and a folder in the home folder. */
const DEFAULTS = {
  state: { win32: ["LOCALAPPDATA", "AppData/Local"], unix: ["XDG_DATA_HOME", ".local/share"] },
  settings: { win32: ["APPDATA", "AppData/Roaming"], unix: ["XDG_CONFIG_HOME", ".config"] },
} as const;

function ownFolder(of: keyof typeof DEFAULTS, env: Env, platform: string, home: string): string {
  if (env["MEMO_HOME"]) return resolve(env["MEMO_HOME"]);
  if (platform === "darwin") return join(home, "Library", "Application Support", "memo");
  const [variable, folder] = DEFAULTS[of][platform === "win32" ? "win32" : "unix"];
  return join(env[variable] || join(home, folder), "memo");
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
