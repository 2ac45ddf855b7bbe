import { resolve } from "node:path";
import { messageOf } from "../../errors.ts";
import { sessionOf } from "./find.ts";
import { entriesOf } from "./entries.ts";
import type { ModelReply, Prompt, ReplyBlock, Summary, ToolResult } from "./entry.ts";
import { messageText } from "./message_text.ts";
import type { Paused } from "./pause.ts";
import { databaseOf, type Fields } from "./lines.ts";
import { SUBAGENT_TOOLS, type SubagentReport } from "./subagent_report.ts";
import { inputLine, resultLine } from "./tool_line.ts";

export interface ReadOptions {
  /** The `end` of a turn, to read the turns after it. */
  readonly from?: number;
  /** The model's last message from the `Stop` hook, because the file may lack it. */
  readonly lastMessage?: string | undefined;
  /** The prompts and folders whose turns are left out. */
  readonly paused?: Paused;
  /** Also yield turns that were taken back with /rewind, and summaries, each as a turn without a prompt where it came in. */
  readonly isWhole?: boolean;
}

/**
 * The turns of a transcript, oldest first, streamed. A half-written last line is left for the next time. The last turn
 * is `open` unless the transcript says that it is over; if an open turn is taken anyway (at the `Stop` hook or the
 * session's end), a reading from its `end` skips its remaining lines. A file is read twice, because only a later prompt
 * shows that turns before it were taken back; in a database they are deleted. Turns before `from` are never taken back,
 * because the caller already has them. Throws the system's error if the file does not exist.
 */
export async function* readTurns(path: string, options: ReadOptions = {}): AsyncGenerator<Turn> {
  const { from = 0, lastMessage, paused, isWhole = false } = options;
  const gone = isWhole || databaseOf(path) !== undefined ? [] : await takenBack(path, from);
  const session = sessionOf(path);
  const prompts = new Set<string>();
  let draft: TurnDraft | undefined;
  /** Why a line could not be read; before a turn it may have been its prompt. */
  let unread: string | undefined;
  const summaries: Turn[] = [];
  /** Whether replies without a prompt are a turn of their own rather than the rest of a known one. */
  let isOver = from === 0;
  for await (const entry of entriesOf(path, from)) {
    if (entry.kind !== "unread" && paused?.isOff(entry.cwd)) {
      if (entry.kind === "prompt" && draft?.counts(gone)) yield draft.turn;
      draft = undefined; // a turn that moves to where memo is off is not read at all
      isOver = false;
    } else if (entry.kind === "prompt") {
      if (draft?.counts(gone)) yield draft.turn;
      yield* summaries.splice(0);
      // A prompt that occurs twice in the file was copied together with its replies.
      isOver = !prompts.has(entry.uuid) && !paused?.has(entry);
      draft = isOver ? new TurnDraft(entry, session) : undefined;
      prompts.add(entry.uuid);
    } else if (entry.kind === "over") {
      if (draft?.counts(gone)) yield draft.turn;
      draft = undefined;
      isOver = true;
    } else if (entry.kind === "reply") {
      if (draft === undefined && isOver) draft = new TurnDraft(entry, session);
      draft?.reply(entry);
    } else if (entry.kind === "results") {
      for (const result of entry.results) draft?.result(result, entry.end);
    } else if (entry.kind === "report") {
      draft?.report(entry.report, entry.end);
    } else if (entry.kind === "unread") {
      unread = entry.because;
    } else if (entry.kind === "summary" && isWhole) {
      summaries.push(summaryTurn(entry, session));
    }
    if (draft !== undefined && unread !== undefined) {
      draft.leaveOut(unread);
      unread = undefined;
    }
  }
  if (lastMessage !== undefined) draft?.endWith(messageText(lastMessage));
  if (draft?.counts(gone)) yield { ...draft.turn, open: true };
  yield* summaries;
}

/** The summaries of compactions in a transcript, from a byte on; no other line is decoded. */
export async function* readSummaries(
  path: string,
  { from = 0, paused }: Pick<ReadOptions, "from" | "paused"> = {},
): AsyncGenerator<Turn> {
  const session = sessionOf(path);
  for await (const entry of entriesOf(path, from, "summaries")) {
    const isWanted = entry.kind === "summary" && !paused?.has(entry) && !paused?.isOff(entry.cwd);
    if (isWanted) yield summaryTurn(entry, session);
  }
}

function summaryTurn(entry: Summary, session: string): Turn {
  const { uuid, promptId, text, at, cwd = "/", end } = entry;
  return {
    id: promptId === undefined ? uuid : `compaction-${promptId}`,
    session: entry.session ?? session,
    ...{ at, cwd, prompt: "", steps: [{ kind: "text", text }], wrote: [], end, isSummary: true },
  };
}

type OpenCall = { readonly step: number; readonly name: string; readonly input: Fields };

/** Tools that write a file, with the field that names it. */
const WRITING: ReadonlyMap<string, string> = new Map([
  ...["Write", "Edit", "MultiEdit"].map((name) => [name, "file_path"] as const),
  ["NotebookEdit", "notebook_path"],
]);

class TurnDraft {
  readonly #first: Prompt | ModelReply;
  readonly turn: Mutable<Turn> & { steps: Step[]; wrote: string[] };
  readonly #calls = new Map<string, OpenCall>();
  readonly #lines = new Set<string>();
  #message: string | undefined;

  constructor(first: Prompt | ModelReply, session: string) {
    const { uuid: id, promptId, at, cwd = "/", end } = first;
    this.#first = first;
    this.turn = {
      ...{ id, session: first.session ?? session, ...promptId !== undefined && { promptId } },
      ...{ at, cwd, prompt: first.kind === "prompt" ? first.text : "", steps: [], wrote: [], end },
    };
    if (first.kind === "prompt" && first.report !== undefined) this.report(first.report, end);
  }

  /** Adds a subagent's report as the result of a call that ended earlier. */
  report({ about, text, failed }: SubagentReport, end: number): void {
    this.turn.end = end;
    this.#take(() => {
      const [name] = SUBAGENT_TOOLS as [string];
      const result = resultLine(messageText(text), name, {});
      const input = inputLine({ description: about });
      this.turn.steps.push({ kind: "tool", name, input, result, failed });
    });
  }

  reply({ uuid, message, blocks, end }: ModelReply): void {
    this.turn.end = end;
    if (this.#lines.has(uuid)) return;
    this.#lines.add(uuid);
    for (const block of blocks) this.#take(() => this.#block(block, message));
  }

  result({ call: id, content, failed }: ToolResult, end: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) return; // from an earlier turn
    const { turn } = this, { step, name, input } = call;
    turn.end = end;
    this.#calls.delete(id);
    const path = input[WRITING.get(name) ?? ""];
    if (!failed && typeof path === "string") {
      turn.wrote = [...new Set([...turn.wrote, resolve(turn.cwd, path)])];
    }
    this.#take(() => {
      const result = resultLine(content, name, input);
      turn.steps[step] = { ...calling(name, input), result, failed };
    });
  }

  leaveOut(because: string): void {
    this.turn.unread ??= because;
  }

  /** Takes in a part; if that fails, the turn stands without it. */
  #take(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.leaveOut(messageOf(error));
    }
  }

  /** Adds the model's last message if it is missing. */
  endWith(text: string): void {
    const { steps } = this.turn;
    const isThere = steps.some((step) => step.kind === "text" && step.text.includes(text));
    if (text !== "" && !isThere) steps.push({ kind: "text", text });
  }

  /** Whether to yield it: it has content and was not taken back. */
  counts(gone: readonly RemovedRange[]): boolean {
    const begins = this.#first.end;
    if (gone.some(({ after, before }) => begins > after && begins < before)) return false;
    return this.turn.steps.length > 0 || (this.#first.kind === "prompt" && this.#first.isHuman);
  }

  #block(block: ReplyBlock, message: string | undefined): void {
    const { steps } = this.turn;
    if (block.kind === "call") {
      const { id, name, input } = block;
      steps.push(calling(name, input));
      this.#calls.set(id, { step: steps.length - 1, name, input });
      return;
    }
    const last = steps.at(-1);
    if (last?.kind === "text" && message !== undefined && message === this.#message) {
      steps[steps.length - 1] = { kind: "text", text: `${last.text}\n\n${block.text}` };
    } else steps.push(block);
    this.#message = message;
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function calling(name: string, input: OpenCall["input"]): Step & { readonly kind: "tool" } {
  return { kind: "tool", name, input: inputLine(input), result: "", failed: false };
}

/** A byte range of a transcript that the conversation no longer includes. */
type RemovedRange = { readonly after: number; readonly before: number };

/**
 * The stretches that the user took back with /rewind. Claude Code deletes nothing: the next prompt follows an earlier
 * line than the one above it, or the same line as an earlier prompt, and the lines between are dead. A compaction
 * begins a new chain of lines, and the part before it stays. A prompt without a parent takes nothing back: when in
 * doubt a turn stays.
 */
async function takenBack(path: string, from: number): Promise<RemovedRange[]> {
  const gone: RemovedRange[] = [];
  const ends = new Map<string, number>();
  /** By parent line: the beginning of its first prompt, whose branch is dead once a second one follows that line. */
  const forks = new Map<string, number>();
  for await (const { kind, uuid, parent, end } of entriesOf(path, from)) {
    if (kind === "summary") continue;
    if (kind === "compacted") {
      ends.clear();
      forks.clear();
    } else if (kind === "prompt" && parent !== undefined && !ends.has(uuid)) {
      const after = ends.get(parent) ?? forks.get(parent);
      if (after !== undefined) gone.push({ after, before: end });
      else forks.set(parent, end - 1);
    }
    ends.set(uuid, end);
  }
  return gone;
}

/** One prompt with its replies as in the transcript, unredacted. */
export interface Turn {
  /** The `uuid` of its first line, the prompt; a fork's copy of the turn has the same. */
  readonly id: string;
  readonly session: string;
  /** What Claude Code's hooks call its prompt. */
  readonly promptId?: string | undefined;
  /** When the turn began, ISO 8601. */
  readonly at: string;
  readonly cwd: string;
  /** The user's text; empty if no person wrote the prompt: a hook asked the model to go on, or a background task has ended. */
  readonly prompt: string;
  /** The model's messages and tool calls, in order. */
  readonly steps: readonly Step[];
  /** Absolute paths of the files that the model wrote with its own tools. */
  readonly wrote: readonly string[];
  /** The end of the turn's last line in the transcript, in bytes. */
  readonly end: number;
  /** Set on a transcript's last turn unless the transcript says that it is over. */
  readonly open?: true;
  /** Why a part of it is missing, if one could not be read. */
  readonly unread?: string;
  /** It is the summary of a compaction, its only step. */
  readonly isSummary?: true;
}

/** A part of a reply. */
export type Step =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "tool";
    readonly name: string;
    /** The tool's input, on one line. */
    readonly input: string;
    /** The tool's result, on one line, cut short; empty until there is one. */
    readonly result: string;
    readonly failed: boolean;
  };
