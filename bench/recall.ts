import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../src/core/settings/config.ts";
import type { Embedder } from "../src/core/embed/mod.ts";
import { MemoError } from "../src/errors.ts";
import type { Question } from "../strategies/strategy.ts";
import { type Answer, answer, type AnswerContext, questionsOf } from "./answer.ts";
import type { Contender } from "./contenders.ts";
import type { Respondent } from "./replies.ts";
import { type BuildOptions, buildStore, type Store } from "./store.ts";
import type { Suite } from "./suite.ts";

export interface RecallBenchOptions {
  readonly contenders: readonly Contender[];
  readonly embedder: Embedder;
  readonly config: Config;
  /** Who answers the contenders that ask a language model; without it they are left out. */
  readonly model?: ModelAccess;
  /** Called as memories are embedded, then as queries are answered. */
  readonly onProgress?: (what: "Embedding" | "Asking", done: number, total: number) => void;
}

/** A language model for the bench, or why there is none. */
export type ModelAccess =
  | { readonly because: string }
  | {
    readonly respondent: Respondent;
    /** Told every question that is to be paid for, before the first is asked; returns why they are not asked, if so. */
    readonly refuse: (questions: readonly Question[]) => string | undefined;
  };

/** A contender that was not run. */
export interface LeftOut {
  readonly strategy: string;
  readonly because: string;
}

export interface RecallRun {
  /** Every contender's answers to every query, in the suite's order. */
  readonly answers: ReadonlyMap<string, readonly Answer[]>;
  readonly leftOut: readonly LeftOut[];
}

/** Asks every contender every query of a suite. */
export async function benchRecall(
  suite: Suite,
  { contenders, embedder, config, model, onProgress }: RecallBenchOptions,
): Promise<RecallRun> {
  const respondent = model !== undefined && "respondent" in model ? model.respondent : undefined;
  const building = {
    embedder,
    onProgress: (done: number, total: number) => onProgress?.("Embedding", done, total),
  };
  return await withStore(suite, building, async (store) => {
    const context: AnswerContext = { store, embedder, config };
    const because = await hindrance(suite, { contenders, context, model });
    const taking = contenders.filter(({ asks }) => asks !== "always" || because === undefined);
    if (taking.length === 0) throw nothingToMeasure(because!);
    const asking = because === undefined ? respondent : undefined;
    const answers = new Map<string, Answer[]>(taking.map(({ name }) => [name, []]));
    for (const [i, query] of suite.queries.entries()) {
      const given = await answer(query, taking, { ...context, respondent: asking });
      taking.forEach(({ name }, at) => answers.get(name)!.push(given[at]!));
      onProgress?.("Asking", i + 1, suite.queries.length);
    }
    const leftOut = contenders.filter((contender) => !taking.includes(contender))
      .map(({ name }) => ({ strategy: name, because: because! }));
    return { answers, leftOut };
  });
}

/** Works with a suite's memories in a temporary index. */
async function withStore<T>(
  suite: Suite,
  options: Omit<BuildOptions, "folder">,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "memo-bench-"));
  try {
    const store = await buildStore(suite, { ...options, folder });
    try {
      return await work(store);
    } finally {
      store.index.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nothingToMeasure(because: string): MemoError {
  return new MemoError("llm", `Cannot measure without a language model: ${because}`, {
    hint: "Run `memo bench recall --strategy hybrid,keyword`",
  });
}

/** Why no language model is asked; undefined if it may be, or is not needed. */
async function hindrance(
  suite: Suite,
  { contenders, context, model }: {
    contenders: readonly Contender[];
    context: AnswerContext;
    model: ModelAccess | undefined;
  },
): Promise<string | undefined> {
  const asking = contenders.filter(({ asks }) => asks !== "never");
  if (asking.length === 0) return undefined;
  if (model === undefined) return "it needs a language model";
  if ("because" in model) return model.because;
  const questions: Question[] = [];
  for (const query of suite.queries) questions.push(...await questionsOf(query, asking, context));
  return model.refuse(questions);
}
