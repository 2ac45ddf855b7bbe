// What a handler knows of its event's place and session, and the record and receipt of what it gives.

import { strongestOf } from "../../../strategies/need.ts";
import { messageOf } from "../../errors.ts";
import { within } from "../link/within.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import {
  type Delivered,
  FRESH_SESSION,
  loadSession,
  saveSession,
  type SessionState,
} from "../recall/session.ts";
import { NOTHING_SHOWN, type Shown, shown, versionOf } from "../recall/shown.ts";
import { blockName } from "../text/block.ts";
import type { LiveBranch } from "../transcript/live_branch.ts";
import { answerSpoken, type EventContext, type HookEvent, SILENT, spokenIn } from "./event.ts";
import type { Recall } from "../recall/recall.ts";
import { type Receipt, type ReceiptMemory, writeReceipt } from "../recall/receipts.ts";
import { noteUses } from "../ledger/usage.ts";
import { type Config, typeSettings } from "../settings/config.ts";
import { ownPatterns } from "../redact/mod.ts";
import { knownCursor } from "../capture/cursor.ts";
import { autoMemory, hasTools } from "../memory/claude_settings.ts";
import { needsModel } from "../recall/retrieve.ts";
import type { Ask } from "../../../strategies/strategy.ts";
import { memoryFolders, type Place, placeIn } from "../memory/scopes.ts";
import type { HookOutput } from "../../../hooks/wire.ts";
import { isPaused, notePause, togglePause } from "../transcript/pause.ts";

/** Maximum wait of a prompt for the first read of a long transcript; after it, the saved state is used. */
const READ_MS = 150;

/** An event's session, as far as it affects what memo may show now. */
export interface Conversation {
  readonly state: SessionState;
  readonly shown: Shown;
  /** undefined without a transcript. */
  readonly live?: LiveBranch | undefined;
}

/** The state of an event's session, and the memories of it that are in context. */
export async function conversationOf(
  event: HookEvent,
  context: EventContext,
): Promise<Conversation> {
  const { session, promptId } = event;
  if (session === undefined) return { state: FRESH_SESSION, shown: NOTHING_SHOWN };
  const state = loadSession(context.paths.sessions, session);
  const live = await liveBranch(event.transcript, state, context);
  const prompt = event.name === "UserPromptSubmit" ? event.prompt : undefined;
  return { state, live, shown: shown(state, live, { session, promptId, prompt }) };
}

/** The live branch of a session's transcript; for a fork that has none yet, its parent's. */
export async function liveBranch(
  transcript: string | undefined,
  { parent }: Pick<SessionState, "parent">,
  { branches }: Pick<EventContext, "branches">,
  patienceMs = READ_MS,
): Promise<LiveBranch | undefined> {
  const own = transcript && await within(patienceMs, branches.of(transcript));
  if (own || parent === undefined) return own || undefined;
  const before = await within(patienceMs, branches.of(parent));
  // The parent's later turns are not part of the fork.
  return before && { ...before, until: 0, promptIds: new Set() };
}

/** A block, and the memories in it. */
export interface Given {
  readonly block: string;
  readonly memories: readonly IndexedMemory[];
  /** Memories that it names without their text. */
  readonly listed?: readonly IndexedMemory[];
}

/** The record of a block that goes out with the answer to an event. */
export function deliveredWith(
  { name, promptId }: HookEvent,
  { block, memories, listed = [] }: Given,
  at: Date,
): Delivered {
  return {
    block: blockName(block),
    event: name,
    prompt: promptId,
    at: at.getTime(),
    bytes: Buffer.byteLength(block),
    memories: versions(memories),
    ...(listed.length === 0 ? {} : { listed: versions(listed) }),
  };
}

/** Saves a session's state; a folder that cannot be written does not cost the answer. */
export function keepSession(
  { session }: HookEvent,
  state: SessionState,
  { paths, log }: EventContext,
): void {
  if (session === undefined) return;
  try {
    saveSession(paths.sessions, session, state);
  } catch (error) {
    log("session", { failed: messageOf(error) });
  }
}

function versions(memories: readonly IndexedMemory[]): Record<string, string> {
  return Object.fromEntries(memories.map((memory) => [memory.path, versionOf(memory)]));
}

const MISSES = 3;
/** Maximum length of a prompt to keep, and of the part that is checked for secrets, in UTF-16 units. */
const PROMPT_CHARS = 80;
const REDACTED_CHARS = 400;

type ReceiptData =
  & Pick<Recall, "outcome" | "why" | "block" | "timings" | "before">
  & Pick<Receipt, "file" | "titles" | "listed" | "memories">
  & { readonly dropped?: Recall["dropped"] };

/** The result for an event that received no memory. */
export const NOTHING_GIVEN = { block: undefined, memories: [], timings: {} } as const;

/** Writes the receipt of an event to the state folder. */
export function leaveRecallReceipt(
  event: HookEvent,
  context: EventContext,
  { entries, ...result }: Pick<
    Recall,
    "outcome" | "why" | "entries" | "block" | "timings" | "dropped" | "before"
  >,
): void {
  const { config } = context;
  leaveReceipt(event, context, {
    ...result,
    memories: entries.map(({ fused, form }) => ({
      ...named(fused, config),
      ...(form === "line" || form === "title" ? { form } : {}),
    })),
  });
}

/**
 * Writes the receipt of an event once the answer is out: if the hook timed out, the answer did not reach the model,
 * and the receipt says so.
 */
export function leaveReceipt(
  event: HookEvent,
  context: EventContext,
  { outcome, why, file, memories, titles, listed, block, timings, before, dropped = [] }:
    ReceiptData,
): void {
  const { session, promptId, cwd, transcript } = event;
  const receipt: Receipt = {
    at: context.now().toISOString(),
    event: event.name,
    ...{ session, prompt_id: promptId, cwd, transcript },
    ...{ outcome, why, file, memories, titles, listed },
    chars: block?.length ?? 0,
    ms: timings,
  };
  const misses = nearest(dropped, context.config);
  context.defer(async (isTaken) => {
    if (isTaken && block !== undefined) noteShown(receipt, context);
    const prompt = event.name === "UserPromptSubmit" ? event.prompt : undefined;
    writeReceipt(context.paths.receipts, {
      ...receipt,
      prompt: await firstWords(prompt, context),
      before: await firstWords(before, context),
      ...isTaken ? block !== undefined && { block: blockName(block) } : { outcome: "late" },
      ...misses.length > 0 && { misses },
    });
  });
}

function noteShown({ memories, at }: Receipt, { paths, log }: EventContext): void {
  try {
    noteUses(paths.usage, memories.map(({ path }) => ({ path, at, shown: 1 })));
  } catch (error) {
    log("usage", { failed: messageOf(error) });
  }
}

function named(
  { memory, score, strategy, sum }: Pick<
    Recall["dropped"][number],
    "memory" | "score" | "strategy" | "sum"
  >,
  config: Config,
): ReceiptMemory {
  return {
    path: memory.path,
    score: Math.round(score * 1000) / 1000,
    threshold: typeSettings(config, memory.type).threshold,
    strategy,
    ...sum && { reasons: strongestOf(sum) },
  };
}

function nearest(dropped: Recall["dropped"], config: Config) {
  return dropped.toSorted((a, b) => b.score - a.score).slice(0, MISSES)
    .map((each) => ({ ...named(each, config), because: each.because }));
}

async function firstWords(
  prompt: string | undefined,
  { config, log, redact }: EventContext,
): Promise<string | undefined> {
  if (prompt === undefined) return undefined;
  const patterns = ownPatterns(config["redact.patterns"]);
  try {
    // A secret that the cut would split is found whole.
    const text = await redact(prompt.slice(0, REDACTED_CHARS), patterns);
    const line = text.replace(/\s+/g, " ").trim();
    return line.length <= PROMPT_CHARS
      ? line
      : line.slice(0, PROMPT_CHARS - 1).toWellFormed() + "…";
  } catch (error) {
    log("receipt", { failed: messageOf(error) });
    return undefined;
  }
}

/** What a context has of its event. */
type OwnFields =
  | "hasTools"
  | "place"
  | "folders"
  | "config"
  | "embed"
  | "ask"
  | "pid"
  | "projectDir";

/** Services that the answering process gives handlers: the daemon, or the hook itself without one. */
export interface EventHost extends Omit<EventContext, OwnFields> {
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
export interface HookCaller {
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
  host: EventHost,
  { claude, pid, projectDir: from }: HookCaller,
): EventContext {
  const paths = { ...host.paths, claude };
  // An agent that names no project has its sessions' starts noted.
  const noted = from ??
    (event.transcript && knownCursor(paths.capture, event.transcript)?.projectDir);
  const projectDir = noted ?? event.cwd;
  const place = placeIn(paths, event.cwd, projectDir);
  const asked = host.configFor(place);
  const config = host.isAttended ? asked : { ...asked, notify: "off" };
  const { embed } = host;
  return {
    ...{ ...host, paths, place, projectDir, config, pid },
    folders: memoryFolders(place),
    hasTools: hasTools(paths),
    embed: embed && ((text) => embed(text, config["recall.deadline_ms"] * EMBED_SHARE)),
    // Looking for one takes some dozens of looks at the disk: most settings ask none.
    ask: needsModel({ config }) ? host.askFor(place) : undefined,
  };
}

/** The answer while memo is paused, or to the command that pauses it and goes on; undefined: events are heard. */
export function whilePaused(event: HookEvent, context: EventContext): HookOutput | undefined {
  const { session, promptId: prompt } = event;
  const { paths, place } = context;
  if (session === undefined) return undefined;
  if (event.name === "SessionStart" && event.source !== "compact" && autoMemory(place).isOff) {
    notePause(paths, { session, beganOff: true });
  }
  const isCommand = spokenIn(event)?.command === "pause";
  if (isCommand) togglePause(paths, { session, prompt });
  const isOn = isPaused(paths, session, place);
  if (isCommand) {
    return answerSpoken(
      isOn
        ? "is paused in this session: nothing is recalled or saved until the next `memo pause`"
        : "is no longer paused in this session",
    );
  }
  if (!isOn) return undefined;
  if (event.name === "UserPromptSubmit") {
    notePause(paths, { session, prompt });
    leaveReceipt(event, context, { ...NOTHING_GIVEN, outcome: "gated", why: "paused" });
  }
  return SILENT;
}
