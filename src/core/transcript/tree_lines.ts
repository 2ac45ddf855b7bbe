// A line of a conversation as a node of its tree (`live_branch.ts`), and what other clients' transcripts add to that. Only
// Qwen Code's lines name their parents; in the others a line follows the one above it, until Gemini CLI writes all that is
// left anew. What hooks gave stands in many places there, so memo's blocks are looked for in all texts of a line.

import { blockName, CLOSE, OPEN } from "../text/block.ts";
import { linesIn } from "./entries.ts";
import { type Entry, readable } from "./entry.ts";
import { blocksOf, type Fields, fieldsOf, type HookText, textOf } from "./lines.ts";
import type { LineReader, TranscriptFormat } from "./formats/format.ts";
import { escaped } from "./message_text.ts";

/** What every text with a block has. */
const TAG = OPEN.slice(1, -1);
const BLOCK = new RegExp(
  [[OPEN, CLOSE], [escaped(OPEN), escaped(CLOSE)]].map((tags) => tags.join("[^]*?")).join("|"),
  "g",
);

/** The others are "other". */
const KINDS: Readonly<Partial<Record<Entry["kind"], TreeLine["kind"]>>> = {
  ...{ reply: "answer", results: "result", report: "result" },
  ...{ compacted: "boundary", summary: "boundary" },
};

const ANSWER = { kind: "answer", parent: undefined, at: 0 } as const;

/** Reads another client's transcript from a position on, each time from where the last time ended. */
export function treeLinesOf(
  path: string,
  format: TranscriptFormat,
): (from: number) => AsyncIterable<TreeLine> {
  const holding = [...format.holding, '"parentUuid"', TAG];
  let head: Fields | undefined, read: LineReader | undefined;
  const known = new Set<string>();
  return async function* (from) {
    for await (const { line, end } of linesIn(path, { from, holding })) {
      if (line === undefined || head !== undefined && end <= from) continue;
      if (head === undefined) {
        head = line;
        for await (const each of linesBefore(head, path, format)) {
          known.add(each.uuid);
          yield { ...each, end: 0 };
        }
      }
      const anew = fieldsOf(line["$set"])?.["messages"];
      if (read === undefined || anew !== undefined) read = format.reader(head, path);
      if (read === undefined) return; // a subagent's
      // A list without a message of the conversation comes at a resume, before the whole one.
      let isCut = anew !== undefined;
      for (const message of anew === undefined ? [line] : blocksOf(anew)) {
        const entries = readable(end, () => read!(message, end));
        for (const each of linesFor(message, entries, end)) {
          // A line of a kind that is not read may have been between.
          const parent = known.has(each.parent ?? "") ? each.parent : undefined;
          known.add(each.uuid);
          yield { ...each, parent, isAnew: each.isAnew || isCut };
          isCut = false;
        }
      }
      // Answers come in another form there, and are known from before.
      if (anew !== undefined && !isCut) yield { ...ANSWER, blocks: [], uuid: `line ${end}`, end };
    }
  };
}

/** What a fork continues, for a client that does not copy it. */
async function* linesBefore(head: Fields, path: string, format: TranscriptFormat) {
  const base = format.base?.(head, path);
  if (base === undefined) return;
  for await (const line of treeLinesOf(base.path, format)(0)) {
    if (line.end > base.end) return;
    yield line;
  }
}

function linesFor(message: Fields, entries: readonly Entry[], end: number): TreeLine[] {
  const blocks = blocksIn(message);
  const uuid = textOf(message["uuid"]), parent = textOf(message["parentUuid"]);
  if (entries.length === 0 && (blocks.length > 0 || uuid !== undefined)) {
    const at = Date.parse(String(message["timestamp"])) || 0;
    return [{ kind: "other", uuid: uuid ?? `line ${end}`, parent, blocks, at, end }];
  }
  return entries.map((entry, i) => {
    const { uuid, parent, kind } = entry;
    return {
      ...{ ...partOf(entry), uuid, parent, before: parent, end },
      isAnew: parent === undefined && kind === "compacted",
      promptId: kind === "prompt" ? entry.promptId : undefined,
      blocks: i === 0 ? blocks : [],
      at: kind === "unread" ? 0 : Date.parse(entry.at),
    };
  });
}

function partOf(entry: Entry): Pick<TreeLine, "kind" | "prompt" | "turn"> {
  if (entry.kind !== "prompt") return { kind: KINDS[entry.kind] ?? "other" };
  const { uuid, text, isHuman, at } = entry;
  if (!isHuman) return { kind: "other", turn: uuid };
  const prompt = { uuid, text: text.slice(0, PROMPT_CHARS), isTyped: false, at: Date.parse(at) };
  return { kind: "prompt", turn: uuid, prompt };
}

/** memo's blocks in all texts of a line, each once. */
function blocksIn(message: Fields): MemoBlock[] {
  // As memo gave it, before Gemini CLI or Qwen Code escaped it.
  const texts = textsIn(message).flatMap((text) => [...text.matchAll(BLOCK)]).map(([text]) =>
    text.startsWith(OPEN) ? text : text.replaceAll("&lt;", "<").replaceAll("&gt;", ">")
  );
  const about = { event: undefined, isUnmarked: true } as const;
  return [...new Set(texts)].map((text) => ({ ...about, text, name: blockName(text) }));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.includes(TAG) ? [value] : [];
  return Object.values(fieldsOf(value) ?? {}).flatMap(textsIn);
}

/** Maximum characters kept of a prompt. */
export const PROMPT_CHARS = 1000;

/** One of memo's blocks. */
export interface MemoBlock extends HookText {
  readonly name: string;
  /** Other text could have it too, so that memo's own record has to prove it. */
  readonly isUnmarked?: true;
}

/** A prompt of the conversation. */
export interface StandingPrompt {
  /** The `uuid` of its line; a fork's copy has the same. */
  readonly uuid: string;
  /** Its beginning, enough to recognize the prompt. */
  readonly text: string;
  /** Whether a person typed it in the terminal, where a conversation can be rewound. */
  readonly isTyped: boolean;
  /** Milliseconds since 1970; 0 if the line has no time. */
  readonly at: number;
}

/** A line's role in the conversation. */
export interface TreePart {
  /** The id of the turn that begins with it; undefined if none does. */
  readonly turn?: string;
  readonly kind: "prompt" | "answer" | "result" | "boundary" | "other";
  /** Blocks of the line itself, and of the tools that it calls. */
  readonly blocks: MemoBlock[];
  readonly prompt?: StandingPrompt;
}

/** A line with its place in the tree. */
export interface TreeLine extends TreePart {
  readonly uuid: string;
  /** The preceding line in the conversation; null if there is none, undefined for the line above. */
  readonly parent: string | null | undefined;
  /** For the first of a chain the last line of the one before; default: none. */
  readonly before?: string | undefined;
  /** It begins a chain of lines that come again, after all that were read. */
  readonly isAnew?: boolean;
  readonly promptId?: string | undefined;
  /** Whether it says that a hook has blocked a prompt, which is then not written down. */
  readonly isBlock?: boolean;
  /** The version of Claude Code that wrote it. */
  readonly client?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Its end in the file, in bytes. */
  readonly end: number;
}
