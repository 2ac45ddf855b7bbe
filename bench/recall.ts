import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assign } from "../src/recall/assign.ts";
import type { Config } from "../src/config.ts";
import type { Embedder } from "../src/embed/embedder.ts";
import { MemoError } from "../src/errors.ts";
import type { Strategy } from "../strategies/strategy.ts";
import { STRATEGIES, strategyNamed } from "../strategies/mod.ts";
import { type Answer, answer, type Contender } from "./answer.ts";
import { buildStore } from "./store.ts";
import type { Suite } from "./suite.ts";

export interface RecallBenchOptions {
  readonly contenders: readonly Contender[];
  readonly embedder: Embedder;
  readonly config: Config;
  /** Called as memories are embedded, then as queries are answered. */
  readonly onProgress?: (what: "Embedding" | "Asking", done: number, total: number) => void;
}

/** Every contender's answers to every query of a suite, in the suite's order. */
export async function benchRecall(
  suite: Suite,
  { contenders, embedder, config, onProgress }: RecallBenchOptions,
): Promise<Map<string, Answer[]>> {
  const folder = mkdtempSync(join(tmpdir(), "memo-bench-"));
  try {
    const store = await buildStore(suite, {
      folder,
      embedder,
      onProgress: (done, total) => onProgress?.("Embedding", done, total),
    });
    try {
      const answers = new Map<string, Answer[]>(contenders.map(({ name }) => [name, []]));
      for (const [i, query] of suite.queries.entries()) {
        const given = await answer(query, contenders, { store, embedder, config });
        contenders.forEach(({ name }, at) => answers.get(name)!.push(given[at]!));
        onProgress?.("Asking", i + 1, suite.queries.length);
      }
      return answers;
    } finally {
      store.index.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is compared unless strategies are named: those that cost nothing, and the settings' mixture of them. */
export function contendersFor(names: readonly string[] | undefined, config: Config): Contender[] {
  const strategies: readonly Strategy[] = STRATEGIES;
  const chosen = names?.map(known) ?? strategies.filter(({ cost }) => cost === "local");
  const alone = chosen.map(({ name }) => ({ name, only: name }));
  const isMixture = assign(config).length > 1;
  return names === undefined && isMixture ? [...alone, AS_SET] : alone;
}

/** Each type by its own strategy, as in a real prompt. */
const AS_SET: Contender = { name: "as-set", only: undefined };

/** Strategies that are left out because they ask a language model, which costs money. */
export function leftOut(names: readonly string[] | undefined): string[] {
  const strategies: readonly Strategy[] = STRATEGIES;
  return names === undefined
    ? strategies.filter(({ cost }) => cost === "api").map(({ name }) => name)
    : [];
}

function known(name: string): Strategy {
  const strategy = strategyNamed(name);
  if (strategy !== undefined) return strategy;
  throw new MemoError("usage", `There is no strategy \`${name}\``, {
    hint: `Strategies: ${STRATEGIES.map((row) => row.name).join(", ")}`,
  });
}
