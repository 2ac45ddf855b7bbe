// The model's current context, read from the tree of a transcript: every line names its parent, and Claude Code deletes
// nothing. After Esc before an answer, or /rewind, the next line follows an earlier one, and the lines between are on
// no branch that the model sees. A compaction begins a new chain.

import { statsOf } from "../files/stats.ts";
import { blockName, OPEN } from "../text/block.ts";
import { formatOf } from "./formats/mod.ts";
import { linesOf } from "./lines.ts";
import { type HookText, hookTextsIn } from "./hook_texts.ts";
import { isSynthetic } from "./synthetic.ts";

/** One of memo's blocks. */
interface Block extends HookText {
  readonly name: string;
}

/** One of memo's blocks in the model's context. */
export interface StandingBlock extends Block {
  /** The prompt that it came with or after; undefined if it came before the first. */
  readonly prompt: StandingPrompt | undefined;
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

/** The current conversation, from its last compaction on and without rewound parts. */
export interface LiveBranch {
  /** Oldest first. */
  readonly blocks: readonly StandingBlock[];
  /** Oldest first. */
  readonly prompts: readonly StandingPrompt[];
  /** The ids of its turns, those of slash commands and of machine-made prompts included. */
  readonly turns: ReadonlySet<string>;
  /** The same with the turns before compactions. */
  readonly allTurns: ReadonlySet<string>;
  /** The ids of all prompts in the file, rewound ones included. */
  readonly promptIds: ReadonlySet<string>;
  /** Whether a hook has blocked the last prompt: its line has no id, and is older than slower hooks' answers. */
  readonly isBlocked?: boolean;
  /** The time of the last line, in milliseconds since 1970; everything before it is in the file. */
  readonly until: number;
}

/** A transcript line as a node of its tree. */
interface Node {
  /** The id of the turn that begins with it; undefined if none does. */
  readonly turn?: string;
  readonly parent: Node | undefined;
  /** The line before a compaction. */
  readonly before: Node | undefined;
  /** Whether its parent is missing. */
  readonly isCut: boolean;
  readonly kind: "prompt" | "answer" | "result" | "boundary" | "other";
  /** Blocks of the line itself, and of the tools that it calls. */
  readonly blocks: Block[];
  readonly prompt?: StandingPrompt;
}

/** Maximum transcripts kept in memory; a machine rarely has more sessions at once. */
const KEPT = 6;
/** Maximum characters kept of a prompt. */
const PROMPT_CHARS = 1000;
/** Every node has it near its beginning; a line without it is not decoded. */
const HOLDING = ['"parentUuid"'];
const INTERRUPTED = /^\[Request interrupted by user/;

/** Reads live branches; of a known transcript, only the appended lines. */
export class LiveBranches {
  readonly #trees = new Map<string, Tree>();

  /** The live branch of a transcript; undefined if the file does not exist, or is another client's. */
  async of(path: string): Promise<LiveBranch | undefined> {
    return (await this.#read(path))?.liveBranch();
  }

  /** The names of blocks taken back with Esc before an answer, or with /rewind. */
  async takenBack(path: string): Promise<ReadonlySet<string>> {
    return (await this.#read(path))?.takenBack() ?? new Set();
  }

  async #read(path: string): Promise<Tree | undefined> {
    const stats = statsOf(path);
    if (stats === undefined || formatOf(path) !== undefined) return undefined; // no tree to read
    let tree = this.#trees.get(path);
    if (tree === undefined || tree.inode !== stats.ino || tree.offset > stats.size) {
      tree = new Tree(stats.ino);
    }
    this.#trees.delete(path);
    this.#trees.set(path, tree); // moves it to the end: the least recently used goes first
    for (const oldest of this.#trees.keys()) {
      if (this.#trees.size <= KEPT) break;
      this.#trees.delete(oldest);
    }
    await tree.follow(path, stats.size);
    return tree;
  }
}

/** The tree of a transcript, as far as it has been read. */
class Tree {
  readonly inode: number;
  /** The end of the last line read, in bytes. */
  offset = 0;
  #size = 0;
  #until = 0;
  readonly #nodes = new Map<string, Node>();
  readonly #promptIds = new Set<string>();
  #leaf: Node | undefined;
  #isBlocked = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(inode: number) {
    this.inode = inode;
  }

  /** Reads the appended lines once, even for two prompts at the same time. */
  async follow(path: string, size: number): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read(path, size)).catch(() => {}); // deleted since
    await this.#reading;
  }

  async #read(path: string, size: number): Promise<void> {
    if (size === this.#size) return;
    for await (const { text, end } of linesOf(path, { from: this.offset, holding: HOLDING })) {
      this.#add(text);
      this.offset = end;
    }
    this.#size = size;
  }

  #add(text: string): void {
    const line = parse(text);
    if (typeof line?.uuid !== "string" || line.isSidechain === true) return;
    const at = Date.parse(String(line.timestamp)) || 0;
    this.#until = Math.max(this.#until, at);
    const node: Node = {
      parent: this.#nodes.get(String(line["parentUuid"])),
      before: this.#nodes.get(String(line["logicalParentUuid"])),
      isCut: typeof line["parentUuid"] === "string" && !this.#nodes.has(line["parentUuid"]),
      ...read(line, at),
    };
    const calling = answerAbove(node);
    if (calling !== undefined) calling.blocks.push(...node.blocks.splice(0));
    this.#nodes.set(line.uuid, node);
    if (isBlock(line)) this.#isBlocked = true;
    if (typeof line["promptId"] === "string") {
      this.#promptIds.add(line["promptId"]);
      this.#isBlocked = false;
    }
    this.#leaf = node;
  }

  takenBack(): ReadonlySet<string> {
    const names = new Set([...this.#nodes.values()].flatMap(({ blocks }) => blocks.map(nameOf)));
    for (let leaf = this.#leaf; leaf !== undefined;) {
      const { blocks, first } = this.#walk(leaf);
      if (first.isCut) return new Set(); // the part before is unknown
      for (const { name } of blocks) names.delete(name);
      leaf = first.before;
    }
    return names;
  }

  liveBranch(): LiveBranch {
    const turns = new Set<string>();
    const { blocks, prompts, first } = this.#leaf === undefined
      ? { blocks: [], prompts: [], first: undefined }
      : this.#walk(this.#leaf, turns);
    const allTurns = new Set(turns);
    for (let leaf = first?.before; leaf !== undefined;) {
      leaf = this.#walk(leaf, allTurns).first.before;
    }
    return {
      blocks,
      prompts,
      turns,
      allTurns,
      promptIds: this.#promptIds,
      isBlocked: this.#isBlocked,
      until: this.#until,
    };
  }

  /** The branch that ends with a line, back to its beginning or the last compaction; notes its turns. */
  #walk(
    leaf: Node,
    turns: Set<string> = new Set(),
  ): Pick<LiveBranch, "blocks" | "prompts"> & { readonly first: Node } {
    const blocks: StandingBlock[] = [], prompts: StandingPrompt[] = [];
    /** Blocks whose prompt is further up. */
    let open: Block[] = [];
    let isAnswered = false;
    const close = (prompt: StandingPrompt | undefined) => {
      blocks.push(...open.map((block) => ({ ...block, prompt })));
      open = [];
    };
    let first = leaf;
    for (let node: Node | undefined = leaf; node !== undefined; node = node.parent) {
      first = node;
      if (node.turn !== undefined) turns.add(node.turn);
      if (node.kind === "boundary") break;
      isAnswered ||= node.kind === "answer" || node.kind === "result";
      open.push(...node.blocks.toReversed());
      if (node.prompt === undefined) continue;
      // A prompt without an answer was taken back with Esc, or is in progress.
      if (isAnswered) {
        close(node.prompt);
        prompts.push(node.prompt);
      } else open = [];
    }
    close(undefined);
    return { blocks: blocks.toReversed(), prompts: prompts.toReversed(), first };
  }
}

/**
 * The answer that called the tool whose hook has given a text: what hooks said about one of several tools stands on a
 * branch of its own, beside that of the last one's result.
 */
function answerAbove({ blocks, parent }: Node): Node | undefined {
  if (!OF_TOOLS.includes(blocks[0]?.event)) return undefined;
  let node = parent;
  while (node !== undefined && node.kind !== "answer") node = node.parent;
  return node;
}

/** Events of a single tool call. */
const OF_TOOLS: readonly (string | undefined)[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
];

function nameOf({ name }: Block): string {
  return name;
}

/** The fields that are read from a line. */
interface Line extends Readonly<Record<string, unknown>> {
  readonly uuid?: unknown;
  readonly message?: { readonly content?: unknown } | null;
}

function parse(text: string): Line | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the line says that a hook has blocked a prompt, which is then not written down. */
function isBlock(line: Line): boolean {
  return /^UserPromptSubmit operation blocked by hook/.test(String(line["content"]));
}

/** A line's role in the conversation. */
function read(line: Line, at: number): Omit<Node, "parent" | "before" | "isCut"> {
  if (line["type"] === "assistant") return { kind: "answer", blocks: [] };
  if (line["type"] === "user") return readUser(line, at);
  if (line["subtype"] === "compact_boundary") return { kind: "boundary", blocks: [] };
  return { kind: "other", blocks: blocksOf(line) };
}

function readUser(line: Line, at: number): ReturnType<typeof read> {
  const content = line.message?.content;
  const blocks: readonly { type?: unknown; text?: unknown }[] = Array.isArray(content)
    ? content
    : [{ type: "text", text: content }];
  const text = blocks.map((block) => block?.type === "text" ? String(block.text ?? "") : "")
    .join("\n").trim();
  const isResult = blocks.some((block) => block?.type === "tool_result");
  // The turn of an interrupted prompt stays in the conversation.
  if (isResult || INTERRUPTED.test(text)) return { kind: "result", blocks: [] };
  const turn = String(line.uuid);
  if (line["isMeta"] === true || line["isCompactSummary"] === true || isSynthetic(text)) {
    return { kind: "other", blocks: [], turn };
  }
  const isTyped = line["promptSource"] === "typed" || line["entrypoint"] === "cli";
  const prompt = { uuid: turn, text: text.slice(0, PROMPT_CHARS), isTyped, at };
  return { kind: "prompt", blocks: [], prompt, turn };
}

function blocksOf(line: Line): Block[] {
  try {
    return hookTextsIn(line as unknown as Parameters<typeof hookTextsIn>[0])
      .filter(({ text }) => text.startsWith(OPEN))
      .map(({ event, text }) => ({ event, text, name: blockName(text) }));
  } catch {
    return []; // an unknown kind
  }
}
