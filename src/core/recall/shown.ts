import type { IndexedMemory } from "../index/corpus.ts";
import type { Memory } from "../memory/memory.ts";
import { blockName } from "../text/block.ts";
import type { LiveBranch } from "../transcript/live_branch.ts";
import type { Delivered, SessionState } from "./session.ts";

/** The memories in context in one session. */
export interface Shown {
  /** Memories by path, with the version that was shown, if known. */
  readonly seen: ReadonlyMap<string, string | undefined>;
  /** The same for memories named without their text. */
  readonly listed: ReadonlyMap<string, string | undefined>;
  /** Those of them that a prompt's block has named: there is no need to point to them again. */
  readonly pointed: ReadonlyMap<string, string | undefined>;
  /** The turns in context, slash commands included: the model itself has read what was captured from them. */
  readonly turns: ReadonlySet<string>;
  /** All turns of the conversation, and its session: what was saved in them is no news from outside. */
  readonly own: ReadonlySet<string>;
  /** Bytes of memo's blocks. */
  readonly bytes: number;
  /** The delivered blocks that are worth remembering. */
  readonly delivered: readonly Delivered[];
}

/** An empty context. */
export const NOTHING_SHOWN: Shown = {
  seen: new Map(),
  listed: new Map(),
  pointed: new Map(),
  turns: new Set(),
  own: new Set(),
  bytes: 0,
  delivered: [],
};

const NONE: ReadonlySet<string> = new Set();

/**
 * The memories in context: the blocks on the transcript's live branch, and those on their way there.
 * Without a transcript, for example at a session's first prompt, the delivered blocks count.
 */
export function shown(
  state: SessionState,
  live: LiveBranch | undefined,
  { session, promptId, prompt }: {
    readonly session?: string | undefined;
    /** The prompt that is being answered. */
    readonly promptId?: string | undefined;
    /** Its text: if nearly the same as the last prompt's, it has probably replaced that one (/rewind). */
    readonly prompt?: string | undefined;
  } = {},
): Shown {
  const rewound = live && prompt !== undefined ? probablyRewound(prompt, state, live) : NONE;
  const blocks = live?.blocks ?? [];
  const isWritten = new Set(blocks.map(({ name }) => name));
  const given = blocks.filter(({ prompt }) => prompt === undefined || !rewound.has(prompt.uuid));
  const standing = new Set(given.map(({ name }) => name));
  const delivered = state.delivered.filter((each) =>
    isWritten.has(each.block) || isOnItsWay(each, live, promptId)
  );
  const onTheirWay = delivered.filter(({ block }) => !isWritten.has(block));
  const known = new Set(delivered.map(({ block }) => block));
  const seen = new Map<string, string | undefined>();
  const listed = new Map(seen), pointed = new Map(seen);
  for (const { name, text, isUnmarked } of given) {
    if (known.has(name) || isUnmarked) continue;
    for (const { path, isLine } of headingsIn(text)) (isLine ? pointed : seen).set(path, undefined);
  }
  for (const { block, event, memories, listed: named = {} } of delivered) {
    if (isWritten.has(block) && !standing.has(block)) continue;
    for (const [path, version] of Object.entries(memories)) seen.set(path, version);
    for (const [path, version] of Object.entries(named)) {
      listed.set(path, version);
      if (event !== "SessionStart") pointed.set(path, version);
    }
  }
  const sizes = [
    ...given.map(({ text }) => Buffer.byteLength(text)),
    ...onTheirWay.map(({ bytes }) => bytes),
  ];
  return {
    ...{ seen, listed, pointed, delivered },
    turns: live?.turns ?? NONE,
    own: new Set([...live?.allTurns ?? NONE, ...session === undefined ? [] : [session]]),
    bytes: sizes.reduce((total, each) => total + each, 0),
  };
}

/** Whether the transcript does not show yet what happened to a block that is not on its live branch. */
function isOnItsWay(
  { event, prompt, at }: Delivered,
  live: LiveBranch | undefined,
  promptId: string | undefined,
): boolean {
  if (live === undefined) return true;
  if (prompt !== undefined && prompt === promptId) return true;
  // The prompt's line is written with all output of its hooks; its timestamp is older than the hooks' answers.
  const isSettled = event === "UserPromptSubmit" && prompt !== undefined &&
    (live.promptIds.has(prompt) || live.isBlocked === true);
  return !isSettled && at > live.until;
}

/** The last prompt, edited and sent again, shares at least this much of its beginning and end … */
const EDITED = 0.6;
/** … and an earlier one this much, unless it is a stock phrase ("commit this"). */
const REPEATED = 0.85;
const STOCK_CHARS = 25;

/**
 * The prompts that this one has probably replaced: a prompt with nearly the same text, and all after it.
 * A /rewind leaves no trace until the next prompt has been answered, and after it users usually send the same
 * prompt again. Showing a memory twice does less harm than withholding it.
 */
function probablyRewound(
  prompt: string,
  { begun }: SessionState,
  { prompts }: LiveBranch,
): ReadonlySet<string> {
  const from = prompts.findLastIndex(({ text, isTyped, at }, place) => {
    if (!isTyped || at < begun) return false;
    const isLast = place === prompts.length - 1;
    return (isLast || text.length >= STOCK_CHARS) &&
      sharedEnds(text, prompt.trim()) >= (isLast ? EDITED : REPEATED);
  });
  return new Set(from < 0 ? [] : prompts.slice(from).map(({ uuid }) => uuid));
}

/** The share of the longer text that the common beginning and end of two texts make up. */
function sharedEnds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0, end = 0;
  while (start < shorter && a[start] === b[start]) start++;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return (start + end) / Math.max(a.length, b.length, 1);
}

/** Hashes a memory's content: the version changes with the content, and not just when its file is written. */
export function versionOf(
  { name, type, description, body }: Pick<Memory, "name" | "type" | "description" | "body">,
): string {
  return blockName([name, type, description, body].join("\n"));
}

/** Whether a memory was shown with its present content. */
export function isAsBefore(
  memory: IndexedMemory,
  shown: ReadonlyMap<string, string | undefined>,
): boolean {
  if (!shown.has(memory.path)) return false;
  const before = shown.get(memory.path);
  return before === undefined || before === versionOf(memory);
}

/** Whether a memory was written from the conversation itself. */
export function isOwn({ turn }: IndexedMemory, { own }: Pick<Shown, "own">): boolean {
  return turn !== undefined && own.has(turn);
}

/** The headings of a block, `## name [type, age] path`; one that stands for its memory says so, and where in older blocks. */
function headingsIn(block: string): { path: string; isLine: boolean }[] {
  const found = block.matchAll(
    /^## .*? \[[^\]\n]*\] (.+?)( \((?:[^()\n]*; )?not shown here(?:; see the file)?\))?$/gm,
  );
  return [...found].map(([, path, line]) => ({ path: path!, isLine: line !== undefined }));
}
