import { type Command, Option } from "commander";
import { type Recall, recall } from "../recall/recall.ts";
import { MemoError } from "../errors.ts";
import { loadSession } from "../recall/session.ts";
import { NOTHING_SHOWN, type Shown, shown } from "../recall/shown.ts";
import { findTranscript } from "../transcript/find.ts";
import { LiveBranches } from "../transcript/live_branch.ts";
import { type Config, typeSettings } from "../settings/config.ts";
import { tilde } from "../paths.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import type { CliContext } from "./shared/command.ts";
import { catchUp, withEngine } from "./shared/local.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";

interface RecallOptions {
  readonly session?: string;
  readonly strategy?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** `memo recall`: shows the result of a prompt, without marking anything as shown. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<prompt...>", "The prompt")
    .option("--session <id>", "Exclude memories that this session has already received")
    .addOption(new Option("-s, --strategy <name>", "Rank all types with this strategy")
      .choices(STRATEGIES.map((strategy) => strategy.name)))
    .option("--explain", "Show each step: candidates, scores, and why any were dropped")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: RecallOptions) => {
      const { result, config } = await run(words.join(" "), options, context);
      if (options.json) outJson(toJson(result, options.explain ?? false));
      else if (options.explain) out(explain(result, config, context));
      else if (result.block !== undefined) out(result.block + "\n");
      if (result.block === undefined) {
        if (!options.json && !options.explain) {
          say(`Nothing recalled: ${result.why ?? result.outcome}`);
        }
        process.exitCode = 1;
      }
    });
}

async function run(
  prompt: string,
  options: RecallOptions,
  context: CliContext,
): Promise<{ result: Recall; config: Config }> {
  return await withEngine(context, async (engine, folders) => {
    await catchUp(engine);
    // Loading the model must not count against the prompt's deadline.
    const { place } = context;
    const config = {
      ...engine.config(place),
      "recall.deadline_ms": PATIENCE_MS,
    };
    const { session: id } = options;
    const standing = id === undefined ? NOTHING_SHOWN : await shownIn(id, context);
    const result = await recall({ prompt, folders, shown: standing }, {
      index: await engine.index(),
      config,
      now: new Date(),
      embed: (text) => engine.embed(text),
      ask: engine.askFor(context.env, place),
      patienceMs: PATIENCE_MS,
      only: options.strategy,
    });
    return { result, config };
  });
}

/** The memories in context in a session. */
async function shownIn(session: string, { paths }: CliContext): Promise<Shown> {
  const state = loadSession(paths.sessions, session);
  try {
    const transcript = findTranscript(session, paths.claude);
    return shown(state, await new LiveBranches().of(transcript));
  } catch (error) {
    if (!(error instanceof MemoError)) throw error;
    return shown(state, undefined); // it has no transcript yet
  }
}

/** Deadline for a user at a terminal, who waits longer than a prompt does. */
const PATIENCE_MS = 60_000;

/** A stable format; `--explain` adds the rankings. */
function toJson(result: Recall, explained: boolean): unknown {
  return {
    outcome: result.outcome,
    why: result.why,
    block: result.block ?? null,
    memories: result.entries.map(({ fused, form }) => ({
      name: fused.memory.name,
      path: fused.memory.path,
      type: fused.memory.type,
      score: fused.score,
      strategy: fused.strategy,
      form,
    })),
    dropped: result.dropped.map(({ memory, score, because }) => ({
      path: memory.path,
      score,
      because,
    })),
    timings: result.timings,
    ...(explained ? { rankings: result.rankings } : {}),
  };
}

/** Maximum rows; the tail of a ranking is noise. */
const SHOWN = 12;

function explain(result: Recall, config: Config, { env }: CliContext): string {
  const ms = (step: string) => paint("dim", `${result.timings[step] ?? 0} ms`);
  const lines = [
    `${paint("bold", "gate")}      ${
      result.outcome === "gated" ? `stopped: ${result.why}` : "passed"
    }  ${ms("gate")}`,
  ];
  if (result.outcome !== "gated") {
    lines.push(`${paint("bold", "retrieve")}  ${ms("retrieve")}`);
    for (const { strategy, hits, failures } of result.rankings) {
      lines.push(
        `  ${strategy}: ${hits.length} hits${failures.map((why) => `; ${why}`).join("")}`,
      );
    }
    lines.push(
      `${paint("bold", "fuse")}      ${ms("fuse")}`,
      considered(result, config, (path) => tilde(path, env)).trimEnd(),
    );
    lines.push(
      `${paint("bold", "budget")}    ${result.entries.length} in the block  ${ms("budget")}`,
    );
    lines.push(
      `${paint("bold", "format")}    ${result.block?.length ?? 0} characters  ${ms("format")}`,
    );
    lines.push("", result.block ?? `No block: ${result.outcome}`);
  }
  return lines.join("\n") + "\n";
}

function considered(result: Recall, config: Config, short: (path: string) => string): string {
  const rows = [
    ...result.entries.map(({ fused, form }) => ({
      ...fused,
      fate: `in the block (${form})`,
    })),
    ...result.dropped.map((dropped) => ({ ...dropped, fate: dropped.because as string })),
  ].sort((a, b) => b.score - a.score);
  const shown = rows.slice(0, SHOWN).map((row) => [
    `  ${row.score.toFixed(3)}`,
    comparison(row.score, typeSettings(config, row.memory.type).threshold),
    row.memory.type,
    row.fate,
    Object.entries(row.parts ?? {}).map(([part, value]) => `${part} ${value.toFixed(2)}`).join(" "),
    short(row.memory.path),
  ]);
  const more = rows.length - shown.length;
  return columns(shown) + (more > 0 ? `  … and ${more} more\n` : "");
}

function comparison(score: number, threshold: number): string {
  return `${score >= threshold ? "≥" : "<"} ${threshold}`;
}
