import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { takeLock } from "../../core/files/lock.ts";
import { readState } from "../../core/files/state.ts";
import { statsOf } from "../../core/files/there.ts";
import { lockOf } from "../../paths.ts";
import { redactAll } from "../../core/redact/redact.ts";
import { localTime } from "../../core/text/counted.ts";
import { wholeWords } from "../../core/text/whole_words.ts";
import { isSynthetic } from "../../core/transcript/lines.ts";
import type { Paused } from "../../core/transcript/pause.ts";
import type { TranscriptFile } from "../../core/transcript/find.ts";
import { readTurns, type Turn } from "../../core/transcript/turns.ts";
import { firstKept, forgottenTurns, keep, type KeptFor, type KeptTurn, sweepKept } from "./kept.ts";

interface KeepOptions extends KeptFor {
  /** The folder that they are kept in. */
  readonly folder: string;
  /** The user's own redaction patterns. */
  readonly own: readonly RegExp[];
  /** Prompts whose turns are left out. */
  readonly paused?: Paused;
  /** Awaited before each turn: prompts go first. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far a transcript has been read. */
interface TranscriptRead {
  readonly end: number;
  /** Its size then. */
  readonly size: number;
  /** Its last turn, which may go on, is left for later. */
  readonly isOpen: boolean;
}

/** A last turn that nothing was added to for so long is over. */
const QUIET_MS = 10 * 60_000;
/** Of a longer text the beginning is kept. */
const PROMPT_CHARS = 4000;
const REPLY_CHARS = 8000;
/** Redacting a turn takes milliseconds; another process holds the lock for a whole round. */
const LOCK_FRESH_MS = 600_000;

/**
 * Keeps the new turns of transcripts, redacted, and deletes those that have been kept for long enough. Returns how many
 * were kept; none if another process is at it.
 */
export async function keepTurns(
  transcripts: readonly TranscriptFile[],
  options: KeepOptions,
): Promise<number> {
  const { folder, now } = options;
  sweepKept(folder, options);
  const file = join(folder, "read.json");
  // None yet, or damaged: what is kept twice counts once.
  const found = Object.entries(readState(file) ?? {}) as [string, TranscriptRead][];
  const reads = new Map(found.filter(([path]) => statsOf(path) !== undefined));
  const due = transcripts.filter(({ path, mtimeMs, size }) => {
    const read = reads.get(path);
    return read?.size !== size || (read.isOpen && isQuiet(mtimeMs, now));
  });
  if (due.length === 0) return 0;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const release = takeLock(lockOf(file), LOCK_FRESH_MS);
  if (release === undefined) return 0;
  try {
    const forgotten = forgottenTurns(dirname(folder));
    let kept = 0;
    for (const transcript of due) {
      if (options.signal?.aborted) break;
      kept += await keepNew(transcript, { ...options, reads, forgotten });
      writeFileAtomic(file, JSON.stringify(Object.fromEntries(reads)), { durable: false });
    }
    return kept;
  } finally {
    release();
  }
}

const isQuiet = (mtimeMs: number, now: Date) => now.getTime() - mtimeMs > QUIET_MS;

/** Keeps what is new in a transcript. */
async function keepNew(
  { path, mtimeMs, size }: TranscriptFile,
  { reads, forgotten, ...options }: KeepOptions & {
    readonly reads: Map<string, TranscriptRead>;
    readonly forgotten: ReadonlySet<string>;
  },
): Promise<number> {
  const { folder, now, signal, paused } = options, first = firstKept(options);
  const before = reads.get(path);
  let end = before === undefined || before.end > size ? 0 : before.end;
  let kept = 0, isOpen = false;
  try {
    for await (const turn of readTurns(path, { from: end, paused })) {
      await options.pause?.();
      if (signal?.aborted) return kept;
      isOpen = turn.open === true && !isQuiet(mtimeMs, now);
      if (isOpen) break;
      const isKept = !forgotten.has(turn.id);
      const own = isKept ? await withoutSecrets(turn, path, options.own) : undefined;
      if (own !== undefined && localTime(new Date(own.at)).day >= first) {
        keep(folder, own);
        kept++;
      }
      end = turn.end;
      reads.set(path, { end, size: before?.size ?? 0, isOpen: true });
    }
  } catch {
    return kept; // deleted meanwhile
  }
  reads.set(path, { end, size, isOpen });
  return kept;
}

/** What a person and the model said in a turn; undefined if that is nothing. */
async function withoutSecrets(
  { id, session, at, prompt, steps }: Turn,
  transcript: string,
  own: readonly RegExp[],
): Promise<KeptTurn | undefined> {
  const said = steps.flatMap((step) => step.kind === "text" ? [step.text.trim()] : []);
  const texts = [isSynthetic(prompt) ? "" : prompt.trim(), said.join("\n\n")];
  if (texts.every((text) => text === "") || Number.isNaN(Date.parse(at))) return undefined;
  const [asked, replied] = await redactAll(texts, own);
  return {
    ...{ session, turn: id, at, transcript },
    prompt: beginning(asked!.text, PROMPT_CHARS),
    reply: beginning(replied!.text, REPLY_CHARS),
  };
}

function beginning(text: string, most: number): string {
  return text.length <= most ? text : `${wholeWords(text, most)}…`;
}
