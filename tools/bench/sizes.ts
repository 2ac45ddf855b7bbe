import type { Embedder } from "../../src/embed/embedder.ts";
import type { Config } from "../../src/settings/config.ts";
import type { Answer } from "../../bench/answer.ts";
import type { Contender } from "../../bench/contenders.ts";
import type { Machine } from "../../bench/machine.ts";
import { sample, seededRandom } from "../../bench/random.ts";
import { benchRecall } from "../../bench/recall.ts";
import type { Suite } from "../../bench/suite.ts";
import { type Felt, Judge } from "../../bench/summary.ts";

export interface SizesOptions {
  /** Numbers of memories; those that the suite does not have are left out. */
  readonly memories: readonly number[];
  /** Random parts of the suite for each number that is smaller than the whole. */
  readonly parts: number;
  readonly contenders: readonly Contender[];
  readonly embedder: Embedder;
  readonly config: Config;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** What one strategy gives in stores of one size, over all parts. */
export interface SizeRow {
  readonly memories: number;
  readonly parts: number;
  readonly strategy: string;
  readonly felt: Felt;
  /** Prompts that got a memory all the same, and how many there are. */
  readonly blocks: {
    readonly offTopic: Blocks;
    /** The suite has no answer, though it is about the same matters. */
    readonly nearTopic: Blocks;
    /** The answer is in another part of the suite. */
    readonly elsewhere: Blocks;
  };
}

/** Prompts with a block, with one that has the text of a memory, and all of them. */
export interface Blocks {
  readonly any: number;
  readonly whole: number;
  readonly of: number;
}

/** What `deno task lab sizes` finds out; `--json` writes it as it is. */
export interface SizesReport {
  readonly machine: Machine;
  readonly suite: string;
  readonly model: string;
  readonly rows: readonly SizeRow[];
}

/** Which parts of the JSON are spread over lines. */
export const SIZES_JSON_DEPTH = { machine: 0, rows: 1 };

/** Measures a suite cut down to smaller stores: the user begins with a few memories, and what is irrelevant changes. */
export async function benchSizes(suite: Suite, options: SizesOptions): Promise<SizeRow[]> {
  const { parts, contenders, config, onProgress } = options;
  const whole = suite.documents.length;
  const sizes = [...new Set(options.memories.map((size) => Math.min(size, whole)))];
  const embedder = remembering(options.embedder);
  const rows: SizeRow[] = [];
  for (const size of sizes) {
    const count = size === whole ? 1 : parts;
    const answers = new Map<string, { readonly judge: Judge; readonly given: Answer[] }[]>();
    for (let part = 0; part < count; part++) {
      onProgress?.(`${size} memories`, part, count);
      const smaller = partOf(suite, { size, seed: 1000 * size + part });
      const run = await benchRecall(smaller, { contenders, embedder, config });
      const judge = new Judge(smaller);
      for (const [strategy, given] of run.answers) {
        answers.set(strategy, [...answers.get(strategy) ?? [], { judge, given: [...given] }]);
      }
    }
    for (const [strategy, runs] of answers) {
      rows.push({ memories: size, parts: count, strategy, ...rowOf(runs) });
    }
  }
  return rows;
}

/** A suite with a random part of its documents, and with the judgements of these alone. */
export function partOf(suite: Suite, { size, seed }: { size: number; seed: number }): Suite {
  const documents = size < suite.documents.length
    ? sample(seededRandom(seed), suite.documents, size)
    : suite.documents;
  const ids = new Set(documents.map(({ id }) => id));
  const qrels = [...suite.qrels].map(([qid, grades]) =>
    [qid, new Map([...grades].filter(([id]) => ids.has(id)))] as const
  );
  return { ...suite, documents, qrels: new Map(qrels) };
}

function rowOf(
  runs: readonly { readonly judge: Judge; readonly given: readonly Answer[] }[],
): Pick<SizeRow, "felt" | "blocks"> {
  const felts = runs.map(({ judge, given }) => judge.summary(given).felt);
  const blocksOf = (isMeant: (answer: Answer, judge: Judge) => boolean): Blocks => {
    const meant = runs.flatMap(({ judge, given }) => given.filter((each) => isMeant(each, judge)));
    return {
      any: meant.filter(({ injected }) => injected.length > 0).length,
      whole: meant.filter(({ whole }) => whole.length > 0).length,
      of: meant.length,
    };
  };
  const isOff = ({ query }: Answer) => /off-?topic/.test(query.category ?? "");
  return {
    felt: meanOf(felts),
    blocks: {
      offTopic: blocksOf((answer) => answer.query.no_answer === true && isOff(answer)),
      nearTopic: blocksOf((answer) => answer.query.no_answer === true && !isOff(answer)),
      elsewhere: blocksOf(({ query }, judge) => judge.kindOf(query) === "unjudged"),
    },
  };
}

function meanOf(felts: readonly Felt[]): Felt {
  const mean = (of: (felt: Felt) => number) =>
    felts.reduce((sum, felt) => sum + (Number.isNaN(of(felt)) ? 0 : of(felt)), 0) / felts.length;
  return {
    precision: mean((felt) => felt.precision),
    served: mean((felt) => felt.served),
    falseBlocks: mean((felt) => felt.falseBlocks),
    whole: {
      precision: mean(({ whole }) => whole!.precision),
      served: mean(({ whole }) => whole!.served),
      falseBlocks: mean(({ whole }) => whole!.falseBlocks),
    },
    bytesPerPrompt: mean((felt) => felt.bytesPerPrompt),
  };
}

/** Embeds each prompt once for all parts. */
function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Promise<Float32Array>>();
  return {
    ...embedder,
    embed(text, role) {
      if (role === "passage") return embedder.embed(text, role);
      const vector = known.get(text) ?? embedder.embed(text, role);
      known.set(text, vector);
      return vector;
    },
  };
}
