// Which memory knows an error. The command and the decisive lines of its output are the query; that something is near
// is not enough: the memory has to have words that this error has and others have not.

import type { IndexedMemory } from "../index/corpus.ts";
import type { Index } from "../index/memory_index.ts";
import { Query } from "../index/query.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { rankAll } from "../recall/retrieve.ts";
import type { Config } from "../settings/config.ts";
import { analyze } from "../text/analyze.ts";
import { isStopword } from "../text/language/stopwords.ts";
import { decisivePart } from "../transcript/decisive_part.ts";

/** A failing call of a tool. */
export interface Failure {
  /** The command line, or the tool's name and input. */
  readonly command: string;
  readonly output: string;
}

/** A memory that knows an error. */
export interface Knowing {
  readonly memory: IndexedMemory;
  readonly score: number;
  /** The words that it shares with the output. */
  readonly shared: readonly string[];
}

/** Maximum characters of the command and of the output in the query. */
const COMMAND_CHARS = 200, OUTPUT_CHARS = 1000;
/** Control sequences of a terminal. */
// deno-lint-ignore no-control-regex
const STYLE = /\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07/g;
const EXIT_CODE = /^(?:Exit code \d+|Error: Exit code \d+)\n?/;

/** The parts of a failure that are searched for, without secrets; undefined if it says nothing. */
export function decisiveOf({ command, output }: Failure): Failure | undefined {
  const said = output.replace(STYLE, "").replace(EXIT_CODE, "").trim();
  if (said === "") return undefined;
  return {
    command: decisivePart(command, COMMAND_CHARS),
    output: decisivePart(said, OUTPUT_CHARS),
  };
}

/** The types whose memories no error is about. */
export const NEVER_AT_ERRORS = { types: ["user", "progress", "context"], except: true } as const;
/** Hits to look at. */
const LOOKED_AT = 8;
/** The score and the evidence that a memory needs. */
const LOWEST = { score: 0.4, evidence: 3 };

/** Words that errors of all kinds have. */
const USUAL = new Set(
  analyze(
    "error errors err failed fail failure failing fatal exception warning warn cannot can't could not found missing " +
      "unexpected expected received actual invalid unable undefined null true false line column file files path " +
      "directory folder module package command exit code status process run running test tests passed skipped " +
      "build script node npm npx yarn pnpm home user usr local lib src dist bin tmp var js ts mjs cjs json log logs " +
      "internal at from import require object function type value string number stack trace see more info help use " +
      "using try again please check make sure version latest complete completed debug report following first last " +
      "total time ms seconds start started done output input message details cause caused reason stderr stdout root",
  ),
);

/** The memory that knows a failure best; undefined if none does. */
export async function knowing(
  failure: Failure,
  { index, folders, config, now, embed, isFit }: {
    readonly index: Index;
    readonly folders: readonly MemoryFolder[];
    readonly config: Config;
    readonly now: Date;
    readonly embed: ((text: string) => Promise<Float32Array>) | undefined;
    readonly isFit: (memory: IndexedMemory) => boolean;
  },
): Promise<Knowing | undefined> {
  const corpus = (await index.corpus(folders)).of(NEVER_AT_ERRORS);
  const query = new Query(`${failure.command}\n${failure.output}`, embed);
  const rankings = await rankAll(query, { corpus, config, now, limit: LOOKED_AT });
  const best = new Map<number, number>();
  for (const { memory, score } of rankings.flatMap(({ hits }) => hits)) {
    best.set(memory, Math.max(score, best.get(memory) ?? 0));
  }
  const output = termsOf(failure.output), command = termsOf(failure.command);
  const { documents, containing } = await corpus.statistics([...output.keys()]);
  const rarity = new Map(
    [...output.keys()].map((term, i) => [term, rarityOf(containing[i]!, documents)] as const),
  );
  const found = (await corpus.memories([...best.keys()])).filter(isFit).map((memory) => {
    const own = new Set(analyze(textOf(memory)));
    const shared = [...output].filter(([term]) => own.has(term));
    const evidence = shared.reduce((sum, [term, weight]) => sum + weight * rarity.get(term)!, 0);
    const isCommand = [...command.keys()].some((term) => own.has(term));
    return {
      memory,
      score: best.get(memory.id)!,
      evidence: evidence + Number(isCommand) * 0.5,
      shared: shared.map(([term]) => term),
    };
  }).filter(({ score, evidence }) => score >= LOWEST.score && evidence >= LOWEST.evidence);
  return found.sort((a, b) => b.score * b.evidence - a.score * a.evidence)[0];
}

function textOf({ name, description, body, triggers }: IndexedMemory): string {
  return [name, description, body, ...triggers].join("\n");
}

/** The telling words of a text: codes and names count twice. */
function termsOf(text: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}_.-]+/gu)) {
    const isCode = /\d/.test(word) && /\d{3}|[A-Za-z]/.test(word) ||
      /^[A-Z][A-Z_]{3,}$/.test(word) ||
      /[a-z][A-Z]|_/.test(word);
    for (const term of analyze(word)) {
      if (isStopword(term) || USUAL.has(term) || term.length < 3) continue;
      weights.set(term, Math.max(weights.get(term) ?? 0, isCode ? 2 : 1));
    }
  }
  return weights;
}

/** In a smaller store, that a word stands in one memory alone says nothing. */
const FEW = 20;

/** 1 for a word that one memory in twenty has or fewer, towards 0 for one that half of them have. */
function rarityOf(containing: number, documents: number): number {
  const share = containing / Math.max(FEW, documents);
  return Math.min(1, Math.max(0, 1.1 - 2 * share));
}
