// The model's current context, read from the tree of a transcript: every line names its parent, and Claude Code deletes
// nothing. After Esc before an answer, or /rewind, the next line follows an earlier one, and the lines between are on
// no branch that the model sees. A compaction begins a new chain.

import { statsOf } from "../files/there.ts";
import { blockName, OPEN } from "../text/block.ts";
import { putLast } from "../text/remembered.ts";
import {
  blocksOf,
  databaseOf,
  type Fields,
  fieldsOf,
  hookTextsIn,
  isSynthetic,
  linesOf,
  parse,
  textOf,
  transcriptStats,
  writesHookTexts,
} from "./lines.ts";
import { formatOf } from "./formats/mod.ts";
import {
  type MemoBlock,
  PROMPT_CHARS,
  type StandingPrompt,
  type TreeLine,
  treeLinesOf,
  type TreePart,
} from "./tree_lines.ts";

/** One of memo's blocks in the model's context. */
export interface StandingBlock extends MemoBlock {
  /** The prompt that it came with or after; undefined if it came before the first. */
  readonly prompt: StandingPrompt | undefined;
}

/** The current conversation, from its last compaction on and without rewound parts. */
export interface LiveBranch {
  /** These two are the oldest first. */
  readonly blocks: readonly StandingBlock[];
  readonly prompts: readonly StandingPrompt[];
  /** The ids of its turns, those of slash commands and of machine-made prompts included. */
  readonly turns: ReadonlySet<string>;
  /** The same with the turns before compactions. */
  readonly allTurns: ReadonlySet<string>;
  /** The ids of all prompts in the file, rewound ones included. */
  readonly promptIds: ReadonlySet<string>;
  /** Whether a hook has blocked the last prompt: its line has no id, and is older than slower hooks' answers. */
  readonly isBlocked?: boolean;
  /** Whether Claude Code would have written down a block that it has taken; not known of another agent's. */
  readonly hasHookTexts?: boolean;
  /** The time of the last line, in milliseconds since 1970; everything before it is in the file. */
  readonly until: number;
}

interface Node extends TreePart {
  readonly parent: Node | undefined;
  /** The line before a compaction. */
  readonly before: Node | undefined;
  readonly isCut: boolean;
}

/** Maximum transcripts kept in memory; a machine rarely has more sessions at once. */
const KEPT = 6;
/** Every node has it near its beginning; a line without it is not decoded. */
const HOLDING = ['"parentUuid"'];
const INTERRUPTED = /^\[Request interrupted by user/;

/** Reads live branches; of a known transcript, only the appended lines. */
export class LiveBranches {
  readonly #trees = new Map<string, TranscriptTree>();

  /** The live branch of a transcript; undefined if the file does not exist. */
  async of(path: string): Promise<LiveBranch | undefined> {
    return (await this.#read(path))?.liveBranch();
  }

  /** The names of blocks taken back with Esc before an answer, or with /rewind. */
  async takenBack(path: string): Promise<ReadonlySet<string>> {
    return (await this.#read(path))?.takenBack() ?? new Set();
  }

  async #read(path: string): Promise<TranscriptTree | undefined> {
    const database = databaseOf(path), inode = statsOf(database ?? path)?.ino;
    const { size } = transcriptStats(path) ?? {};
    if (size === undefined || inode === undefined) return undefined;
    let tree = this.#trees.get(path);
    const isOther = tree?.inode !== inode || tree.offset > size;
    // The messages of a database grow where they are.
    if (tree === undefined || isOther || database !== undefined && tree.size !== size) {
      const format = formatOf(path);
      tree = new TranscriptTree(
        inode,
        format === undefined ? claudeLines(path) : treeLinesOf(path, format),
      );
    }
    putLast(this.#trees, path, tree, KEPT);
    await tree.follow(size);
    return tree;
  }
}

class TranscriptTree {
  readonly inode: number;
  /** The end of the last line read, in bytes. */
  offset = 0;
  size = 0;
  readonly #linesFrom: (from: number) => AsyncIterable<TreeLine>;
  #until = 0;
  readonly #nodes = new Map<string, Node>();
  readonly #promptIds = new Set<string>();
  #leaf: Node | undefined;
  #isBlocked = false;
  #client: string | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(inode: number, linesFrom: (from: number) => AsyncIterable<TreeLine>) {
    this.inode = inode;
    this.#linesFrom = linesFrom;
  }

  /** Reads the appended lines once, even for two prompts at the same time. */
  async follow(size: number): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      if (size === this.size) return;
      for await (const line of this.#linesFrom(this.offset)) {
        this.#add(line);
        this.offset = line.end;
      }
      this.size = size;
    }).catch(() => {}); // deleted since
    await this.#reading;
  }

  #add(line: TreeLine): void {
    const { uuid, parent, before, isAnew, promptId, isBlock, client, at, ...part } = line;
    this.#client = client ?? this.#client;
    this.#until = Math.max(this.#until, at);
    const node: Node = {
      ...part,
      parent: parent === undefined
        ? isAnew ? undefined : this.#leaf
        : this.#nodes.get(String(parent)),
      before: isAnew ? this.#leaf : this.#nodes.get(String(before)),
      isCut: typeof parent === "string" && !this.#nodes.has(parent),
    };
    const calling = answerAbove(node);
    if (calling !== undefined) calling.blocks.push(...node.blocks.splice(0));
    this.#nodes.set(uuid, node);
    if (isBlock) this.#isBlocked = true;
    if (promptId !== undefined) {
      this.#promptIds.add(promptId);
      this.#isBlocked = false;
    }
    this.#leaf = node;
  }

  takenBack(): ReadonlySet<string> {
    const blocks = [...this.#nodes.values()].flatMap(({ blocks }) => blocks);
    const names = new Set(blocks.map(({ name }) => name));
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
    const names = blocks.map(({ name }) => name);
    return {
      // a client may write one down in several places
      blocks: blocks.filter(({ name, isUnmarked }, i) => !isUnmarked || names.indexOf(name) === i),
      prompts,
      turns,
      allTurns,
      promptIds: this.#promptIds,
      isBlocked: this.#isBlocked,
      hasHookTexts: writesHookTexts(this.#client),
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
    let open: MemoBlock[] = [];
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
const OF_TOOLS: readonly unknown[] = ["PreToolUse", "PostToolUse", "PostToolUseFailure"];

function claudeLines(path: string): (from: number) => AsyncIterable<TreeLine> {
  return async function* (from) {
    for await (const { text, end } of linesOf(path, { from, holding: HOLDING })) {
      const line = parse(text), at = Date.parse(String(line?.["timestamp"])) || 0;
      const uuid = textOf(line?.["uuid"]);
      if (line === undefined || uuid === undefined || line["isSidechain"] === true) continue;
      yield {
        ...read(line, at),
        uuid,
        parent: textOf(line["parentUuid"]) ?? null,
        before: textOf(line["logicalParentUuid"]),
        promptId: textOf(line["promptId"]),
        isBlock: /^UserPromptSubmit operation blocked by hook/.test(String(line["content"])),
        client: textOf(line["version"]),
        at,
        end,
      };
    }
  };
}

function read(line: Fields, at: number): TreePart {
  if (line["type"] === "assistant") return { kind: "answer", blocks: [] };
  if (line["type"] === "user") return readUser(line, at);
  if (line["subtype"] === "compact_boundary") return { kind: "boundary", blocks: [] };
  const blocks = hookTextsIn(line).filter(({ text }) => text.startsWith(OPEN))
    .map(({ event, text }) => ({ event, text, name: blockName(text) }));
  return { kind: "other", blocks };
}

function readUser(line: Fields, at: number): TreePart {
  const content = fieldsOf(line["message"])?.["content"];
  const blocks = Array.isArray(content) ? blocksOf(content) : [{ type: "text", text: content }];
  const text = blocks.map(({ type, text }) => type === "text" ? String(text ?? "") : "")
    .join("\n").trim();
  const isResult = blocks.some(({ type }) => type === "tool_result");
  // The turn of an interrupted prompt stays in the conversation.
  if (isResult || INTERRUPTED.test(text)) return { kind: "result", blocks: [] };
  const turn = String(line["uuid"]);
  if (line["isMeta"] === true || line["isCompactSummary"] === true || isSynthetic(text)) {
    return { kind: "other", blocks: [], turn };
  }
  const isTyped = line["promptSource"] === "typed" || line["entrypoint"] === "cli";
  const prompt = { uuid: turn, text: text.slice(0, PROMPT_CHARS), isTyped, at };
  return { kind: "prompt", blocks: [], prompt, turn };
}
