import type { Answer } from "./answer.ts";
import { type Judged, meanMeasures, type MeasureName } from "./metrics.ts";
import type { Suite, SuiteQuery } from "./suite.ts";

/** How well the memories that prompts got fit them. */
export interface Fit {
  /** Of the memories that prompts got, the share that was relevant. */
  readonly precision: number;
  /** Of the prompts that a memory answers, the share that got one, now or earlier in the conversation. */
  readonly served: number;
  /** Of the prompts that no memory answers, the share that got a block all the same. */
  readonly falseBlocks: number;
}

/** The figures that users notice, at the effective thresholds, with whatever form a memory was given in. */
export interface Felt extends Fit {
  /** The same, counting only memories given in full; results from before there were two forms lack it. */
  readonly whole?: Fit;
  /** Mean size of a block, with 0 for prompts without one. */
  readonly bytesPerPrompt: number;
}

/** Whether prompts got the older or the later of two memories, as shares of the prompts that have both. */
export interface Current {
  readonly asked: number;
  /** The later one first or only that one, … */
  readonly first: number;
  /** … the replaced one first or only that one, … */
  readonly overtaken: number;
  /** … neither. */
  readonly neither: number;
}

/** Quality over some queries. */
export interface Summary {
  /** Queries that a memory answers; the measures are means over these. */
  readonly answerable: number;
  readonly noAnswer: number;
  readonly measures: Readonly<Record<MeasureName, number>>;
  readonly felt: Felt;
  /** Only if the suite has replaced memories. */
  readonly current?: Current;
  /** Of the prompts that several memories answer, the share that got all; only where the suite has such. */
  readonly complete?: number;
}

/** A suite's judgements, asked about answers. */
export class Judge {
  readonly #suite: Suite;
  readonly #types: ReadonlyMap<string, string | undefined>;

  constructor(suite: Suite) {
    this.#suite = suite;
    this.#types = new Map(suite.documents.map(({ id, type }) => [id, type]));
  }

  /** The kind of query: some have neither a relevant document nor the mark that none exists. */
  kindOf(query: SuiteQuery): "answerable" | "no answer" | "unjudged" {
    if (query.no_answer) return "no answer";
    return this.relevantTo(query).length > 0 ? "answerable" : "unjudged";
  }

  /** Ids of the documents that answer a query. */
  relevantTo(query: SuiteQuery): string[] {
    return [...this.#grades(query)].filter(([, grade]) => grade > 0).map(([id]) => id);
  }

  /** Type of the memory that answers a query best; undefined where none does, or the suite has no types. */
  typeFor(query: SuiteQuery): string | undefined {
    const best = [...this.#grades(query)].filter(([, grade]) => grade > 0)
      .sort(([, a], [, b]) => b - a)[0];
    return best && this.#types.get(best[0]);
  }

  judged({ query, ranking }: Answer): Judged {
    return { ranking: ranking.map(({ id }) => id), grades: this.#grades(query) };
  }

  summary(answers: readonly Answer[]): Summary {
    const of = (kind: string) => answers.filter(({ query }) => this.kindOf(query) === kind);
    const answerable = of("answerable"), noAnswer = of("no answer");
    const asked = [...answerable, ...noAnswer];
    const relevant = ({ query }: Answer, given: readonly string[]) =>
      given.filter((id) => (this.#grades(query).get(id) ?? 0) > 0).length;
    const fit = (form: "injected" | "whole"): Fit => ({
      precision: total(asked, (answer) => relevant(answer, answer[form])) /
        total(asked, (answer) => answer[form].length),
      served: share(
        answerable,
        (answer) => relevant(answer, [...answer[form], ...answer.before[form]]) > 0,
      ),
      falseBlocks: share(noAnswer, (answer) => answer[form].length > 0),
    });
    const rivals = answerable.filter(({ query }) =>
      [...this.#grades(query).values()].some(isUnder)
    );
    const several = answerable.filter(({ query }) => this.relevantTo(query).length > 1);
    const foremost = ({ query, injected }: Answer) =>
      injected.map((id) => this.#grades(query).get(id) ?? 0).find((grade) => grade !== 0) ?? 0;
    return {
      answerable: answerable.length,
      ...rivals.length > 0 && {
        current: {
          asked: rivals.length,
          first: share(rivals, (answer) => foremost(answer) > 0),
          overtaken: share(rivals, (answer) => foremost(answer) < 0),
          neither: share(rivals, (answer) => foremost(answer) === 0),
        },
      },
      ...several.length > 0 && {
        complete: share(
          several,
          (answer) => relevant(answer, answer.injected) === this.relevantTo(answer.query).length,
        ),
      },
      noAnswer: noAnswer.length,
      measures: meanMeasures(answerable.map((answer) => this.judged(answer))),
      felt: {
        ...fit("injected"),
        whole: fit("whole"),
        bytesPerPrompt: total(asked, (answer) => answer.bytes) / asked.length,
      },
    };
  }

  #grades(query: SuiteQuery): ReadonlyMap<string, number> {
    return this.#suite.qrels.get(query.id) ?? NOTHING;
  }
}

const NOTHING: ReadonlyMap<string, number> = new Map();

/** The grade of a memory that another one replaces. */
function isUnder(grade: number): boolean {
  return grade < 0;
}

/** Ways to group queries, in the order in which they are shown. */
export const GROUPINGS = [
  { name: "category", of: (query: SuiteQuery) => query.category },
  { name: "type", of: (query: SuiteQuery, judge: Judge) => judge.typeFor(query) },
  { name: "language", of: (query: SuiteQuery) => query.lang },
] as const;

/** Answers by the value that their queries have in a grouping; undefined where it tells nothing apart. */
export function group(
  answers: readonly Answer[],
  of: (query: SuiteQuery) => string | undefined,
): Map<string, Answer[]> | undefined {
  const groups = Map.groupBy(answers, ({ query }) => of(query) ?? "–");
  return groups.size > 1 ? groups : undefined;
}

function total<T>(list: readonly T[], of: (item: T) => number): number {
  return list.reduce((sum, item) => sum + of(item), 0);
}

function share<T>(list: readonly T[], is: (item: T) => boolean): number {
  return list.filter(is).length / list.length;
}
