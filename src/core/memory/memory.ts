import { oneLine } from "../text/neutralise.ts";

/**
 * Where a memory applies: everywhere (`user`); in one project, kept for the user alone (`project`) or in its repository
 * (`shared`); Claude Code's own auto memory of it (`auto`); or what a team has approved (`team`).
 */
export type Scope = "user" | "project" | "shared" | "auto" | "team";

/** The scopes that new memories can be given. */
export type OwnScope = Exclude<Scope, "auto" | "team">;

/** Whether memo changes memories of a scope: neither Claude Code's own nor copies of a team's. */
export function mayChange(scope: Scope): scope is OwnScope {
  return scope !== "auto" && scope !== "team";
}

/** Whether memories of a scope may be other people's: they never describe the user, nor push out the user's own. */
export function isOthers(scope: Scope): boolean {
  return scope === "shared" || scope === "team";
}

/** A folder of memories that applies to some working directory. */
export interface MemoryFolder {
  readonly scope: Scope;
  /** Absolute path; it may not exist yet. */
  readonly path: string;
  /** Root of the project that it belongs to; undefined for the user's and Claude Code's own. */
  readonly project?: string;
  /** The work tree that it was reached from, if that is not the root: a linked one. */
  readonly top?: string;
  /** Its project is around the submodule at hand, whose sessions read it. */
  readonly isAround?: boolean;
  /** Its archive folder (default: `.archive` in it). */
  readonly archive?: string;
  /** The file that lists which memories of a shared folder may be read; without one, none. */
  readonly trust?: string;
  /** Knows what its files say, so that they need not be read. */
  readonly known?: KnownMemories;
}

/** What the index has of memory files: the same as reading them gives, as long as their times and sizes are the same. */
export interface KnownMemories {
  /** Whether it has all of a folder's files as they are now. */
  isCurrent(folder: MemoryFolder): boolean;
  /** The files of a folder that it has read, by path. */
  files(
    folder: MemoryFolder,
  ): ReadonlyMap<string, { readonly mtimeMs: number; readonly size: number }>;
  /** Of the ids of memories in a folder those that come right before and after each of some. */
  idsNear(ids: readonly string[], folder: MemoryFolder): readonly string[];
  /** The paths of those whose content it has otherwise than they do. */
  others(folder: MemoryFolder): readonly string[];
  /** What they say, one after the other: those that were changed last first; or all with one of some words, or a name. */
  memories(
    folder: MemoryFolder,
    options: {
      readonly isNewestFirst: boolean;
      readonly words?: ReadonlySet<string> | undefined;
      readonly named?: NameMatch | undefined;
    },
  ): Iterable<MemoryFile>;
}

/** Which memories a name can stand for: the one at a path, and those whose id begins with it or whose name or path has all its words. */
export interface NameMatch {
  readonly path: string;
  readonly id: string | undefined;
  readonly words: readonly string[];
}

/** The source of a memory, as far as it is known. */
export interface MemorySource {
  readonly session?: string;
  readonly turn?: string;
  readonly transcript?: string;
  /** Sessions of the memories that it replaced, oldest first. */
  readonly earlier?: readonly string[];
  /** The tool that it was imported from, the record's id there, and a digest of the record. */
  readonly import?: string;
  readonly id?: string;
  readonly digest?: string;
}

/** The content of a memory file. */
export interface Memory {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** Markdown below the front matter, without leading and trailing blank lines. */
  readonly body: string;
  /** Short example prompts that should recall this memory. */
  readonly triggers: readonly string[];
  /** Prompts that should not recall it, nor others like them; undefined: none. */
  readonly never?: readonly string[] | undefined;
  readonly tags: readonly string[];
  /** Always among the titles at session start, regardless of the room that others need. */
  readonly pinned: boolean;
  /** 0–1; default: 1. */
  readonly confidence: number;
  /** ISO 8601 dates; undefined if the file has none. */
  readonly created: string | undefined;
  readonly updated: string | undefined;
  /** File names of the memories this one replaces. */
  readonly supersedes: readonly string[];
  readonly source: MemorySource | undefined;
}

/** A problem of a file that `memo doctor` should name; the memory is indexed nevertheless. */
export interface Problem {
  readonly kind: "front-matter" | "unquoted" | "encoding" | "too-large" | "empty";
  readonly message: string;
}

/** A memory with its file. */
export interface MemoryFile extends Memory {
  /** Absolute path. */
  readonly path: string;
  readonly scope: Scope;
  readonly size: number;
  readonly mtimeMs: number;
  readonly problems: readonly Problem[];
  /** SHA-256 of the bytes that were read, in hex: consent applies to these. */
  readonly digest?: string;
  /** Whether memo wrote it here for the user, though its folder is shared. */
  readonly isOwn?: boolean;
}

// How large a memory may be. What a person or an import writes is kept whole, up to the size of a file, or refused; the
// other limits are for what a model writes: its tools refuse what is longer, and its replies are cut to them.
/** Bytes of a memory file: a larger one is a dump, of which only this much is used. */
export const LONGEST_FILE = 256 * 1024;

/** Maximum characters (UTF-16 units) and counts of what a model writes into a memory. */
export const LIMITS = {
  name: 200,
  description: 400,
  body: 20_000,
  triggers: 8,
  trigger: 200,
  tags: 10,
  tag: 60,
  /** Predecessors that a memory names; the newest are kept. */
  supersedes: 10,
} as const;

/** The predecessors of a memory that replaces others: the newest ones, each once. */
export function predecessors(...names: readonly string[]): string[] {
  return [...new Set(names)].slice(-LIMITS.supersedes);
}

// The conversations that a memory comes from. What replaces a memory is said in another conversation, and still is a part
// of what was decided in the first one: it keeps that one's session, so that the other parts are found with it.
/** The sessions that a memory and what it replaced come from, its own last. */
export function sourceSessions({ source }: Pick<Memory, "source">): string[] {
  const { earlier = [], session } = source ?? {};
  return [...new Set([...earlier, ...session === undefined ? [] : [session]])];
}

/** A memory from a conversation with the sessions of those that it replaces; what a person has typed has none. */
export function inheriting<M extends Pick<Memory, "source">>(
  memory: M,
  replaced: readonly Pick<Memory, "source">[],
): M {
  const { source } = memory;
  if (source?.session === undefined) return memory;
  const sessions = [...replaced, memory].flatMap(sourceSessions);
  const earlier = [...new Set(sessions)].filter((session) => session !== source.session)
    .slice(-LIMITS.supersedes);
  return earlier.length === 0 ? memory : { ...memory, source: { ...source, earlier } };
}

/** Whether two memories were taken from turns of one conversation: they stand beside each other. */
export function areOfOneSession(
  { source: a }: Pick<Memory, "source">,
  { source: b }: Pick<Memory, "source">,
): boolean {
  return a?.turn !== undefined && b?.turn !== undefined && a.session === b.session;
}

/** A safe id: it comes from a file that anyone may write, and goes into a command that the user may run. */
const SAFE_ID = /^\w[\w-]*$/;

/** A chat with ChatGPT or Claude.ai, which is no file on this machine. */
const CHAT = /^https:\/\/(?:chatgpt\.com\/c|claude\.ai\/chat)\/\w[\w-]*$/;

/** Whether a transcript is the link to a chat. */
export function isChat(transcript: string): boolean {
  return CHAT.test(transcript);
}

/** The command that shows the source conversation, or the link to a chat; undefined if the session is unknown. */
export function transcriptCommand(
  { session, turn, transcript = "" }: {
    readonly [key in "session" | "turn" | "transcript"]?: string | undefined;
  },
): string | undefined {
  if (isChat(transcript)) return transcript;
  if (session === undefined || !SAFE_ID.test(session)) return undefined;
  const only = turn === undefined || !SAFE_ID.test(turn) ? "" : ` --turn ${turn} --context 1`;
  return `memo show --source ${session}${only}`;
}

/** Ids that Claude Code makes; the beginning of one is enough. */
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** What an entry of history is, in a word. */
export function kindWord(kind: "journal" | "turn" | "commit"): string {
  return kind === "turn" ? "conversation" : kind;
}

/** The command that shows an entry of history whole; the day's journal if it is about no turn or commit. */
export function expandCommand(
  { turn, day, kind }: {
    readonly turn?: string | undefined;
    readonly day: string;
    readonly kind?: string;
  },
): string {
  if (kind === "commit" && COMMIT.test(turn ?? "")) return `git show ${turn!.slice(0, 10)}`;
  if (turn === undefined || !SAFE_ID.test(turn)) return `memo log --journal ${day}`;
  return `memo show ${UUID.test(turn) ? turn.slice(0, 8) : turn}`;
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/** A journal entry on one line. */
export function withoutBullets(text: string): string {
  return oneLine(text.replace(/^\s*[-*] +/, "").replace(/\n\s*[-*] +/g, " · "));
}
