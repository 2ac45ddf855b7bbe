// Verdicts: which notes of a list a language model chose for a request, kept so that they outlive a change of ranking.
// A question of `verify` or `sidequery` that lists some of the same notes, in whatever order, has its answer from them.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { costOf } from "../../src/core/llm/mod.ts";
import { PICKS } from "../../strategies/manifest.ts";
import { ANSWER_TOKENS, tokensOf } from "../../bench/estimate.ts";
import { readJsonLines } from "../../bench/suite.ts";

/** The notes of a question, by the hashes of their file names; several verdicts may refer to the same list. */
interface NoteList {
  readonly list: string;
  readonly notes: readonly string[];
}

/** A language model's choice: one line of a recording. */
interface Verdict {
  /** Hash of the question without its notes. */
  readonly key: string;
  /** The list of notes that the model saw. */
  readonly shown: string;
  /** File names, the most needed first. */
  readonly picked: readonly string[];
  /** What answered. */
  readonly model: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The texts of a question that a model sees. */
export interface Texts {
  readonly system: string;
  readonly prompt: string;
}

/** The answer that verdicts give to a question, with the cost that the question would have. */
export interface Judged {
  readonly answer: unknown;
  readonly model: string;
  /** ISO 8601. */
  readonly at: string;
  readonly ms: number;
  readonly input: number;
  readonly output: number;
  readonly usd?: number | undefined;
}

/** The model whose price the cost of a verdict is reckoned with. */
const PRICED = "claude-haiku-5-5";

/** Takes a question apart that lists notes; undefined for any other. */
function listingOf({ system, prompt }: Texts) {
  const found = /^Notes:\n((?:- .*\n)+)\n([^]*)$/.exec(prompt);
  if (found === null) return undefined;
  const names = found[1]!.trimEnd().split("\n")
    .map((line) => /^- (.+?) \(/.exec(line)?.[1] ?? line);
  return { key: hash(JSON.stringify([system, found[2]]), 32), names };
}

/** The verdicts in a recording. */
export class Verdicts {
  readonly #lists = new Map<string, ReadonlySet<string>>();
  readonly #byKey = new Map<string, Verdict[]>();

  constructor(lines: readonly (NoteList | Verdict)[]) {
    for (const line of lines) {
      if ("list" in line) this.#lists.set(line.list, new Set(line.notes));
      else this.#byKey.set(line.key, [...this.#byKey.get(line.key) ?? [], line]);
    }
  }

  /** The answer to a question, if a verdict is known on each of its notes. */
  answerTo(question: Texts): Judged | undefined {
    const listing = listingOf(question);
    const verdicts = listing && this.#byKey.get(listing.key);
    if (listing === undefined || verdicts === undefined) return undefined;
    const knows = (name: string) => {
      const note = hash(name, 8);
      return verdicts.some(({ shown }) => this.#lists.get(shown)?.has(note));
    };
    if (!listing.names.every(knows)) return undefined;
    const offered = new Set(listing.names);
    const picked = verdicts.flatMap(({ picked }) => picked).filter((name) => offered.has(name));
    const input = tokensOf(question.system + question.prompt);
    return {
      answer: { selected_memories: [...new Set(picked)].slice(0, PICKS) },
      model: verdicts[0]!.model,
      at: verdicts[0]!.at,
      ms: 0,
      input,
      output: ANSWER_TOKENS,
      usd: costOf(PRICED, { input, output: ANSWER_TOKENS }),
    };
  }
}

/** The verdicts in a file; none if it does not exist. */
export function readVerdicts(path: string): Verdicts {
  const lines = existsSync(path) ? readJsonLines<object>(path) : [];
  return new Verdicts(
    lines.filter((line): line is NoteList | Verdict => "list" in line || "shown" in line),
  );
}

function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
