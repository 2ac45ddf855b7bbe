import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Answer } from "../../../../bench/answer.ts";
import { AS_SET, contendersFor } from "../../../../bench/contenders.ts";
import { estimate, formatEstimate } from "../../../../bench/estimate.ts";
import { openSuite, suitesIn } from "../../../../bench/loaders/mod.ts";
import { describeMachine } from "../../../../bench/machine.ts";
import { foldOf, HELD_OUT, joined } from "../../../../bench/mine.ts";
import { renderMine, skippedIn } from "../../../../bench/mine_report.ts";
import {
  benchRecall,
  type LeftOut,
  type ModelAccess,
  type RecallBenchOptions,
  type RecallRun,
} from "../../../../bench/recall.ts";
import { RECALL_JSON_DEPTH, type RecallReport, reportOf } from "../../../../bench/recall_report.ts";
import { renderRecall } from "../../../../bench/recall_table.ts";
import { recommend } from "../../../../bench/recommend.ts";
import { asking } from "../../../../bench/replies.ts";
import { qrelsFile, runFile } from "../../../../bench/run_file.ts";
import type { Suite } from "../../../../bench/suite.ts";
import { cached } from "../../../../bench/vector_cache.ts";
import { openEmbedder } from "../../../core/embed/mod.ts";
import { chooseProvider, complete, PROVIDERS, spentToday } from "../../../core/llm/mod.ts";
import { readMemories } from "../../../core/memory/list.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import { suitesFolder } from "../../../core/native/mod.ts";
import { type Config, loadConfig } from "../../../core/settings/config.ts";
import { whyNotSent } from "../../../core/settings/purposes.ts";
import { MemoError } from "../../../errors.ts";
import { type JsonOption, present, writeInto } from "../bench.ts";
import { configHere } from "../shared/config_here.ts";
import type { CliContext } from "../shared/command.ts";
import type { Flags, Texts } from "../shared/options.ts";
import { say } from "../shared/output.ts";
import { withBars } from "../shared/progress.ts";

export interface BenchRecallOptions extends Texts<"suite" | "runDir">, Flags<"yes"> {
  readonly strategy?: readonly string[];
  readonly json?: JsonOption;
}

/** `memo bench recall`: measures strategies on a suite. */
export async function runRecall(options: BenchRecallOptions, context: CliContext): Promise<void> {
  const { name, kind, suite } = openSuite(suitePath(options.suite, context));
  const { paths, env } = context;
  await measure([suite], {
    ...{ suite, options, context, config: loadConfig(paths.config, env), cache: paths.bench },
    conditions: { suite: name, kind },
    render: (report) => ({ report, table: renderRecall(report) }),
  });
}

/** `memo bench`: measures strategies on the user's own memories, without writing to them. */
export async function runMine(options: BenchRecallOptions, context: CliContext): Promise<void> {
  const memories = memoryFolders(context.place).flatMap((folder) => readMemories(folder).memories);
  if (memories.length === 0) {
    throw new MemoError("not-found", "Cannot measure: there are no memories here", {
      hint: 'Run `memo add "Use pnpm, never npm"` first',
    });
  }
  const config = configHere(context);
  const folds = HELD_OUT.map((heldOut) => foldOf(memories, heldOut))
    .filter(({ suite }) => suite.queries.length > 0);
  const suite = joined(folds), cache = mkdtempSync(join(tmpdir(), "memo-bench-"));
  try {
    await measure(folds.map((fold) => fold.suite), {
      ...{ suite, options, context, config, cache },
      conditions: { suite: "your memories", kind: "mine" },
      render(measured, { answers }) {
        const strategies = [...answers.keys()].filter((name) => name !== AS_SET);
        const recommendations = recommend(suite, answers, { config, strategies });
        const more = { memories: memories.length, skipped: skippedIn(folds), recommendations };
        const report = { ...measured, ...more };
        return { report, table: renderMine(report) };
      },
    });
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

interface Measuring {
  /** All suites as one, by which the answers are judged. */
  readonly suite: Suite;
  readonly options: BenchRecallOptions;
  readonly context: CliContext;
  readonly config: Config;
  /** The folder of the cache of passage vectors. */
  readonly cache: string;
  readonly conditions: Pick<RecallReport, "suite" | "kind">;
  readonly render: (
    report: RecallReport,
    run: RecallRun,
  ) => { readonly report: RecallReport; readonly table: string };
}

/** Measures strategies on suites, and writes a report in each requested format. */
async function measure(
  suites: readonly Suite[],
  { suite, options, context: { paths, env, cwd }, config, cache, conditions, render }: Measuring,
): Promise<void> {
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const contenders = contendersFor(options.strategy, config);
  const keyFile = config["embed.key_file"], refusal = () => whyNotSent("embedding", config);
  const embedder = cached(await openEmbedder(config.model, paths, { keyFile, refusal }), cache);
  try {
    const model = modelAccess({ paths, env, cwd, config }, options.yes ?? false);
    const run = await withBars((onProgress) =>
      benchSuites(suites, { contenders, embedder, config, model, onProgress })
    );
    const facts = { machine: describeMachine(), ...conditions, model: embedder.id };
    const { report, table } = render(reportOf(suite, run, facts), run);
    await present(report, { json: options.json, depth: RECALL_JSON_DEPTH, table });
    if (options.runDir === undefined) return;
    writeInto(join(options.runDir, "qrels"), qrelsFile(suite.qrels));
    for (const [strategy, given] of run.answers) {
      writeInto(join(options.runDir, `${strategy}.run`), runFile(strategy, given));
    }
  } finally {
    await embedder.close();
  }
}

/** Runs suites one after the other and joins them into one run of the strategies that took part in all. */
async function benchSuites(
  suites: readonly Suite[],
  options: RecallBenchOptions,
): Promise<RecallRun> {
  const answers = new Map<string, Answer[]>();
  const leftOut = new Map<string, LeftOut>();
  for (const suite of suites) {
    const run = await benchRecall(suite, options);
    for (const [name, given] of run.answers) {
      answers.set(name, [...answers.get(name) ?? [], ...given]);
    }
    for (const each of run.leftOut) leftOut.set(each.strategy, each);
  }
  for (const name of leftOut.keys()) answers.delete(name);
  return { answers, leftOut: [...leftOut.values()] };
}

/** The path of a suite: a path as given, or a built-in suite by name. */
function suitePath(named = "coding-agent", { cwd, paths }: CliContext): string {
  if (existsSync(resolve(cwd, named))) return resolve(cwd, named);
  const folder = suitesFolder(paths), known = suitesIn(folder);
  if (known.includes(named)) return join(folder, named);
  throw new MemoError("not-found", `Cannot find the suite \`${named}\``, {
    hint: `Run \`memo bench recall --suite ./FOLDER\`, or name a built-in suite: ${
      known.join(", ")
    }`,
  });
}

/**
 * The respondent for strategies that ask a language model: the provider of the settings, once the user has seen the cost
 * and said `--yes`. Without it, the reason.
 */
function modelAccess(
  surroundings: Parameters<typeof chooseProvider>[0],
  yes: boolean,
): ModelAccess {
  const { paths, config } = surroundings;
  const provider = chooseProvider(surroundings);
  if (provider.available(surroundings) !== undefined) {
    const tried = config["llm.provider"] === "auto" ? PROVIDERS : [provider];
    const reasons = tried.filter(({ name }) => name !== "none" || tried.length === 1)
      .map((each) => each.available(surroundings));
    return { because: `no language model is available (${reasons.join("; ")})` };
  }
  const name = config["llm.model"];
  return {
    respondent: asking((question, signal) => complete(question, { ...surroundings, signal })),
    refuse(questions) {
      if (questions.length === 0) return undefined;
      const cost = estimate(questions, name);
      const said = formatEstimate(cost, name);
      const spent = spentToday(paths.spending, new Date());
      for (
        const [key, needed, left] of [
          ["llm.daily_calls", questions.length, config["llm.daily_calls"] - spent.calls],
          ["llm.daily_usd", cost.usd ?? 0, config["llm.daily_usd"] - spent.usd],
        ] as const
      ) {
        if (needed <= left) continue;
        const enough = Math.ceil(config[key] + needed - left);
        return `${said}: exceeds today's \`${key}\`; allow it: \`memo config set ${key}=${enough}\``;
      }
      if (!yes) return `${said}; pass \`--yes\` to allow it`;
      say(`Asking ${said}`);
      return undefined;
    },
  };
}
