// Which memory knows an error. The command and the decisive lines of its output are the query; that something is near
// is not enough: the memory has to have words that this error has and others have not.

import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { IndexedMemory } from "../../core/index/corpus.ts";
import type { Index } from "../../core/index/mod.ts";
import { Query } from "../../core/index/query.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { typesThat } from "../../core/memory/types.ts";
import { rankAll } from "../../core/recall/retrieve.ts";
import type { Config } from "../../core/settings/config.ts";
import { analyze } from "../../core/text/analyze.ts";
import { isStopword } from "../../core/text/language/stopwords.ts";
import { errorExcerpt, errorLines } from "../../core/transcript/tool_line.ts";

/** A failing call of a tool. */
export interface ToolFailure {
  /** The command line, or the tool's name and input. */
  readonly command: string;
  readonly output: string;
}

/** Maximum characters of the command and of the output in the query. */
const COMMAND_CHARS = 200, OUTPUT_CHARS = 1000;
const EXIT_CODE = /^(?:Exit code \d+|Error: Exit code \d+)\n?/;

/** The parts of a failure that are searched for, without secrets; undefined if it says nothing. */
export function extractError({ command, output }: ToolFailure): ToolFailure | undefined {
  const said = stripVTControlCharacters(output).replace(EXIT_CODE, "").trim();
  if (said === "") return undefined;
  return {
    command: errorExcerpt(command, COMMAND_CHARS),
    output: errorLines(said, OUTPUT_CHARS).join("\n"),
  };
}

/** The types whose memories no error is about. */
export const NEVER_AT_ERRORS = { types: typesThat("aside"), except: true } as const;
/** Memories that share words with a failure, and the nearest ones, to look at. */
const SHARING = 50, LOOKED_AT = 8;
/**
 * The least score and evidence that are enough together: what is nearer needs fewer words. Chosen on the development
 * repositories of the suite `moments`.
 */
const ENOUGH = [
  { score: 0.36, evidence: 3 },
  { score: 0.42, evidence: 2 },
  { score: 0.5, evidence: 1 },
] as const;
const LEAST = Math.min(...ENOUGH.map(({ evidence }) => evidence));

/** Words that errors of all kinds have. */
const USUAL = new Set(
  analyze(
    "error errors err failed fail failure failing fatal exception warning warn cannot can't could not found missing " +
      "unexpected expected received actual invalid unable undefined null true false line column file files path " +
      "directory folder module package command exit code status process run running test tests passed skipped " +
      "build script node npm npx yarn pnpm home user usr local lib src dist bin tmp var js ts mjs cjs json log logs " +
      "internal at from import require object function type value string number stack trace see more info help use " +
      "using try again please check make sure version latest complete completed debug report following first last " +
      "total time ms seconds start started done output input message details cause caused reason stderr stdout root javascript java",
  ),
);

/** The memory that knows a failure best, how near it is, and the words that it shares; undefined if none does. */
export async function findByError(
  failure: ToolFailure,
  { index, folders, config, now, embed, isFit }: {
    readonly index: Index;
    readonly folders: readonly MemoryFolder[];
    readonly config: Config;
    readonly now: Date;
    readonly embed: ((text: string) => Promise<Float32Array>) | undefined;
    /** Whether a memory may come. */
    readonly isFit: (memory: IndexedMemory) => boolean;
  },
) {
  const corpus = (await index.corpus(folders)).of(NEVER_AT_ERRORS);
  const said = linesSaid(failure.output);
  const words = wordsOf(said);
  const { documents, containing } = await corpus.statistics([...words.keys()]);
  const weights = [...words].map(([term, weight], i) =>
    [term, weight * rarityOf(containing[i]!, documents)] as const
  );
  const sharing = await corpus.words([...words.keys()], SHARING);
  const memories = await corpus.memories(sharing.map(({ memory }) => memory));
  const text = said.map((line) => line.text).join("\n");
  const query = new Query(`${failure.command}\n${text}`, embed);
  const found: { memory: IndexedMemory; evidence: number; about: string[] }[] = [];
  for (const memory of memories.filter(isFit)) {
    const { name, description, body, triggers } = memory;
    const own = new Set(analyze([name, description, body, ...triggers].join("\n")));
    const shared = weights.filter(([term]) => own.has(term));
    const evidence = shared.reduce((sum, [, weight]) => sum + weight, 0);
    if (evidence < LEAST) continue;
    found.push({ memory, evidence, about: shared.map(([term]) => term) });
    if (found.length > 1) continue;
    query.vector().catch(() => {}); // another thread begins it while the others are looked at; it is asked for again
    await setImmediate();
  }
  if (found.length === 0) return undefined; // most failures: nothing has to be embedded
  const rankings = await rankAll(query, { corpus, config, now, limit: LOOKED_AT });
  const scores = new Map<number, number>();
  for (const { memory, score } of rankings.flatMap(({ hits }) => hits)) {
    scores.set(memory, Math.max(score, scores.get(memory) ?? 0));
  }
  return found.map((each) => ({ ...each, score: scores.get(each.memory.id) ?? 0 }))
    .sort((a, b) => b.score * b.evidence - a.score * a.evidence)
    .find(({ score, evidence }) =>
      ENOUGH.some((least) => score >= least.score && evidence >= least.evidence)
    );
}

/** Lines that say what went wrong; others of a message say half as much. */
const ERROR =
  /\berr(?:or)?s?\b|\w(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\bfatal|\bfailed to\b|\bcould(?: not|n't)|\bcannot\b|\bcan't\b|\bunable\b|\brefused\b|\bdenied\b|\brejected\b|\bdeclined\b|\bforbidden\b|\baborted\b|\bunexpected|\bnot (?:found|supported|allowed|permitted)\b|\bmust\b|\brequires?d?\b|\bpanic|\b(?:40[13]|429|50\d)\b/i;
/** Lines that only point to code: stack frames, excerpts, what a test compares, diffs, commands that a runner repeats. */
const POINTING =
  /^\s*(?:at |❯ |[>$] |File "|\d+\s*\||\||\d+ +(?:const|let|var|import|export|return|if|await|for|[}{.])|[-+] |[-+]$|\W*AssertionError|assert\b|Expected\b|Received\b|actual\b)|\bexpected\b.{0,80}\b(?:to (?:be|equal|have|throw|match|include|contain)|but got|received)\b|\bexpect\(/i;
/** Lines that name tests or tell of progress: they say something only where they have an error themselves. */
const TELLING =
  /^\s*(?:[✗✕✘×✖❌✓✔●○◯]|\d+\) |FAIL(?:ED)?\b|PASS\b|not ok\b|#\w+$|npm (?:notice|warn|WARN)\b|(?:Runn|Start|Check|Compil|Build|Install|Download|Resolv)ing\b)|\b(?:INFO|DEBUG|info -)\b|\bFAILED\)?$| › | > .* > |: (?:SUCCESS|FAILURE)$/;
const OWN_ERROR =
  /\bE[A-Z]{4,}\d*\b|\w(?:Error|Exception)\b:|\bfailed:|\brefused\b|\balready in use\b/;
/** Paths and places in files; a package's name is none. */
const PATHS =
  /(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\w.@~$-]*\/)+[\w.@~$[\]-]+\.\w+(?::\d+)*|(?<![\w@-])(?:file:\/\/)?[~.]{0,2}\/[\w.@~$/-]+|\b[\w-]+\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|json|md):\d[\d:]*/g;
const PLACE = /:\d/;
/** What a program calls one error of its own, such as `TS7006`; names and numbers of any kind. */
const ERROR_CODE = /^(?!E[45]\d\d$)[A-Z]{1,6}-?\d{3,6}$/;
const NAMED = /\d{3}|\d.*[A-Za-z]|[A-Za-z].*\d|^[A-Z][A-Z_]{3,}$|[a-z][A-Z]|_/;

/** The lines of a failure that say something, without paths. */
function linesSaid(output: string) {
  return output.split("\n").flatMap((line) => {
    if (POINTING.test(line) || TELLING.test(line) && !OWN_ERROR.test(line)) return [];
    const isError = ERROR.test(line);
    // What an error names may be what is missing; the folders above it are not.
    const text = line.replace(PATHS, (path) => isError && !PLACE.test(path) ? basename(path) : " ");
    return [{ text, isError }];
  });
}

/**
 * The telling words of what a failure says, and how much each tells: names and numbers twice as much as words, the code
 * of an error three times. Of a compound its whole counts, and its parts as one word.
 */
function wordsOf(said: ReturnType<typeof linesSaid>): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (term: string, weight: number) => {
    if (isStopword(term) || USUAL.has(term) || term.length < 3) return;
    weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  for (const { text, isError } of said) {
    const share = isError ? 1 : 0.5;
    for (const [word] of text.matchAll(/[\p{L}\p{N}_.-]+/gu)) {
      const [whole, ...parts] = analyze(word);
      if (whole === undefined) continue;
      add(whole, share * (ERROR_CODE.test(word) ? 3 : NAMED.test(word) ? 2 : 1));
      for (const part of parts) add(part, share / parts.length);
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
