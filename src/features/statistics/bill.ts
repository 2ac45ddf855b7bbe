// What memo has cost a session, from its transcript: Claude Code writes down what each request had and the tokens that
// it took, and a text is paid for with every request that carries it. Tokens are counted by characters, at the rate of
// the session's first request, all of whose text is known. The format is internal to Claude Code: what a version does
// not write down is not counted, and `isMeasured` says so.

import { statSync } from "node:fs";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { readState } from "../../core/files/state.ts";
import { parsed } from "../../core/files/there.ts";
import { costOf } from "../../core/llm/prices.ts";
import { OPEN } from "../../core/text/block.ts";
import { hookTextsIn } from "../../core/transcript/hook_texts.ts";
import { linesOf } from "../../core/transcript/lines.ts";
import { isMemoTool } from "../../core/transcript/memo_tools.ts";
import { subagentTranscripts } from "../../core/transcript/subagents.ts";
import { BUILD } from "../../version.ts";

/** The parts of memo's text: titles at a session's start, blocks of prompts, tools, what they gave, instructions. */
export const BILL_PARTS = ["titles", "blocks", "tools", "results", "instructions"] as const;
export type BillPart = typeof BILL_PARTS[number];

/** What memo has cost a session. */
export interface Bill {
  /** Requests to the model, subagents' included. */
  readonly requests: number;
  /** Input tokens of them all, by the provider's count. */
  readonly input: number;
  /** memo's share of them, each text counted with every request that had it. */
  readonly tokens: Readonly<Record<BillPart, number>>;
  /** Tokens of memo's that the last request had. */
  readonly standing: number;
  /** Those of `tokens` that were read from the provider's cache, at a tenth of the price. */
  readonly cached: number;
  /** US dollars for `tokens`, if the model's price is known. */
  readonly usd: number | undefined;
  /** Whether the transcript had all that it takes; else tokens are characters / 4, without tools. */
  readonly isMeasured: boolean;
}

type Chars = Readonly<Record<BillPart, number>>;

/** A request to the model. */
interface Request {
  readonly id: string;
  /** Place of its line in the file. */
  readonly at: number;
  readonly chars: Chars;
  readonly model: string;
  readonly usage: { readonly fresh: number; readonly written: number; readonly read: number };
}

const NONE: Chars = { titles: 0, blocks: 0, tools: 0, results: 0, instructions: 0 };
/** Characters of a token where nothing is known. */
const TOKEN_CHARS = 4;
/** The price of reading from the provider's cache, and of writing to it, as a share of that of input. */
const CACHE_READ = 0.1, CACHE_WRITE = 1.25;

/**
 * What memo has cost the session of a transcript; undefined if there is none, or no request in it. With a file that
 * keeps what has been read, only what is new is read.
 */
export async function billOf(transcript: string, keptIn?: string): Promise<Bill | undefined> {
  const kept = (keptIn === undefined ? {} : readState(keptIn) ?? {}) as Record<string, State>;
  const bills: Bill[] = [], read: Record<string, State> = {};
  let isNew = false;
  for (const path of [transcript, ...subagentTranscripts(transcript)]) {
    try {
      const last = kept[path], from = last?.offset; // reading on moves it
      const reading = await readOn(path, last);
      isNew ||= reading.state !== last || reading.state.offset !== from;
      const bill = reading.bill();
      if (bill.requests > 0) bills.push(bill);
      read[path] = reading.state;
    } catch {
      // deleted, or not a transcript
    }
  }
  try {
    if (keptIn !== undefined && isNew) {
      writeFileAtomic(keptIn, JSON.stringify(read), { durable: false });
    }
  } catch {
    // no folder, or a full disk: it is read again the next time
  }
  return bills.length === 0 ? undefined : bills.reduce(together);
}

/** All that memo's texts have cost. */
export function billed({ tokens }: Pick<Bill, "tokens">): number {
  return sumOf(tokens);
}

/** Several sessions as one; what stands is that of the first. */
export function together(a: Bill, b: Bill): Bill {
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    tokens: add(a.tokens, b.tokens),
    standing: a.standing,
    cached: a.cached + b.cached,
    usd: a.usd === undefined || b.usd === undefined ? undefined : a.usd + b.usd,
    isMeasured: a.isMeasured && b.isMeasured,
  };
}

/** Reads a transcript, or what one has more than it had. */
async function readOn(path: string, kept: State | undefined): Promise<Reading> {
  const isUsable = kept?.build === BUILD && kept.offset <= statSync(path).size;
  const reading = new Reading(isUsable ? kept : unread());
  const from = reading.state.offset;
  for await (const { text, end } of linesOf(path, { from, holding: ['"uuid"'] })) {
    reading.add(text);
    reading.state.offset = end;
  }
  return reading;
}

/** What is known of a transcript as far as it has been read. */
interface State {
  /** The memo that has read it. */
  readonly build: string;
  /** The end of the last line read, in bytes. */
  offset: number;
  /** How many lines that is. */
  at: number;
  /** Of the conversation up to each line. */
  readonly chars: Record<string, Chars>;
  readonly requests: Request[];
  readonly snapshots: {
    readonly at: number;
    readonly all: number;
    /** Characters of memo's tools. */
    readonly own: number;
  }[];
  /** Calls of memo's tools. */
  readonly calls: string[];
  /** Characters of all text before the first request, but for system prompt and tools. */
  before: number;
}

function unread(): State {
  const lists = { requests: [], snapshots: [], calls: [] };
  return { build: BUILD, offset: 0, at: 0, chars: {}, before: 0, ...lists };
}

/** The reading of a transcript. */
class Reading {
  readonly state: State;
  /** The ids of the requests and of the calls in it. */
  readonly #messages: Set<string>;
  readonly #calls: Set<string>;

  constructor(state: State) {
    this.state = state;
    this.#messages = new Set(state.requests.map(({ id }) => id));
    this.#calls = new Set(state.calls);
  }

  add(text: string): void {
    const line = parsed(text) as Line | undefined;
    if (typeof line?.uuid !== "string") return;
    this.state.at++;
    const { type, subtype, attachment } = line;
    if (attachment?.type === "prompt_snapshot") this.#snapshot(attachment);
    if (this.state.requests.length === 0 && type !== "assistant") {
      this.state.before += shownChars(line);
    }
    const parent = subtype === "compact_boundary"
      ? NONE
      : this.state.chars[String(line.parentUuid)] ?? NONE;
    if (type === "assistant") this.#answer(line, parent);
    this.state.chars[line.uuid] = add(parent, this.#own(line));
  }

  #snapshot({ systemPrompt, tools }: Attachment): void {
    if (!Array.isArray(tools)) return;
    const sent = tools.map((tool) => ({
      name: String(tool?.name),
      chars: JSON.stringify(tool?.schema ?? tool).length,
    }));
    const sum = (of: typeof sent) => of.reduce((all, { chars }) => all + chars, 0);
    this.state.snapshots.push({
      at: this.state.at,
      all: sum(sent) + lengthOf(systemPrompt),
      own: sum(sent.filter(({ name }) => isMemoTool(name))),
    });
  }

  #answer({ message }: Line, chars: Chars): void {
    const { id, model, usage, content } = message ?? {};
    for (const { type, name, id } of Array.isArray(content) ? content : []) {
      if (type !== "tool_use" || !isMemoTool(String(name))) continue;
      this.state.calls.push(String(id));
      this.#calls.add(String(id));
    }
    const { at, requests } = this.state;
    if (typeof id !== "string" || usage === undefined || model === "<synthetic>") return;
    if (this.#messages.has(id)) return;
    this.#messages.add(id);
    requests.push({
      id,
      at,
      chars,
      model: String(model),
      usage: {
        fresh: Number(usage.input_tokens ?? 0),
        written: Number(usage.cache_creation_input_tokens ?? 0),
        read: Number(usage.cache_read_input_tokens ?? 0),
      },
    });
  }

  /** memo's text in one line. */
  #own(line: Line): Chars {
    const { attachment, message } = line;
    if (attachment?.type === "hook_additional_context") {
      const texts = hookTextsIn(line as Parameters<typeof hookTextsIn>[0])
        .filter(({ text }) => text.startsWith(OPEN));
      if (texts.length === 0) return NONE;
      const part = /Start$/.test(texts[0]!.event ?? "") ? "titles" : "blocks";
      return { ...NONE, [part]: shownChars(line) || lengthOf(texts.map(({ text }) => text)) };
    }
    if (attachment?.type === "deferred_tools_delta") {
      const names = listOf(attachment.addedLines).filter((name) => isMemoTool(name));
      return { ...NONE, tools: names.reduce((sum, name) => sum + name.length + 1, 0) };
    }
    if (attachment?.type === "mcp_instructions_delta") {
      const blocks = listOf(attachment.addedBlocks);
      const own = blocks.filter((block) => /^## (?:plugin:memo:)?memo\n/.test(block));
      // Its heading is there because of memo, where no other server says anything.
      const chars = own.length === blocks.length ? shownChars(line) : 0;
      return { ...NONE, instructions: own.length === 0 ? 0 : chars || lengthOf(own) };
    }
    const results = (Array.isArray(message?.content) ? message.content : []).filter(
      ({ type, tool_use_id }) => type === "tool_result" && this.#calls.has(String(tool_use_id)),
    );
    if (results.length === 0) return NONE;
    return { ...NONE, results: results.reduce((sum, { content }) => sum + lengthOf(content), 0) };
  }

  bill(): Bill {
    const { requests, snapshots } = this.state;
    const [first] = requests, [snapshot] = snapshots;
    const total = ({ usage: { fresh, written, read } }: Request) => fresh + written + read;
    const isMeasured = first !== undefined && snapshot !== undefined && total(first) > 0;
    const chars = this.state.before + (snapshot?.all ?? 0);
    const rate = isMeasured && chars > 0 ? total(first) / chars : 1 / TOKEN_CHARS;
    let tokens = NONE, cached = 0, standing = 0, usd: number | undefined = 0;
    let before: { readonly tokens: number; readonly own: number } | undefined;
    for (const request of this.state.requests) {
      const { usage, model } = request;
      const schemas = this.state.snapshots.findLast(({ at }) => at <= request.at) ?? snapshot;
      const its = add(request.chars, { ...NONE, tools: schemas?.own ?? 0 });
      const own = sumOf(its) * rate;
      const known = before === undefined || before.tokens === 0
        ? 0
        : Math.min(own, before.own) * Math.min(1, usage.read / before.tokens);
      const fresh = (own - known) * (usage.written > 0 ? CACHE_WRITE : 1);
      const cost = costOf(model, { input: fresh + known * CACHE_READ, output: 0 });
      usd = usd === undefined || cost === undefined ? undefined : usd + cost;
      tokens = add(tokens, its);
      cached += known;
      standing = own;
      before = { tokens: total(request), own };
    }
    return {
      requests: this.state.requests.length,
      input: this.state.requests.reduce((sum, request) => sum + total(request), 0),
      tokens: rounded(tokens, rate),
      standing: Math.round(standing),
      cached: Math.round(cached),
      usd,
      isMeasured,
    };
  }
}

function add(a: Chars, b: Chars): Chars {
  if (b === NONE) return a;
  return Object.fromEntries(BILL_PARTS.map((part) => [part, a[part] + b[part]])) as Chars;
}

function rounded(chars: Chars, rate: number): Bill["tokens"] {
  return Object.fromEntries(
    BILL_PARTS.map((part) => [part, Math.round(chars[part] * rate)]),
  ) as Chars;
}

function sumOf(chars: Chars): number {
  return BILL_PARTS.reduce((sum, part) => sum + chars[part], 0);
}

/** The characters of a line that the model sees: as Claude Code has put it, else what the person wrote. */
function shownChars({ rendered, message, isMeta }: Line): number {
  if (Array.isArray(rendered)) {
    return rendered.reduce((sum: number, { content }) => sum + lengthOf(content), 0);
  }
  return isMeta === true ? 0 : lengthOf(message?.content);
}

/** The characters of a text, of a list of texts, or of blocks. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (!Array.isArray(value)) return 0;
  return value.reduce(
    (sum, each) =>
      sum + (typeof each === "string" ? each.length : lengthOf(each?.text ?? each?.content)),
    0,
  );
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** The fields that are read from a line. */
interface Line {
  readonly type?: unknown;
  readonly subtype?: unknown;
  readonly uuid?: unknown;
  readonly parentUuid?: unknown;
  readonly isMeta?: unknown;
  readonly attachment?: Attachment;
  readonly rendered?: unknown;
  readonly message?: {
    readonly id?: unknown;
    readonly model?: unknown;
    readonly content?: string | readonly Block[];
    readonly usage?: Readonly<Record<string, unknown>>;
  };
}

interface Attachment {
  readonly type?: unknown;
  readonly systemPrompt?: unknown;
  readonly tools?: readonly { readonly name?: unknown; readonly schema?: unknown }[];
  readonly addedLines?: unknown;
  readonly addedBlocks?: unknown;
}

interface Block {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly id?: unknown;
  readonly tool_use_id?: unknown;
  readonly content?: unknown;
}
