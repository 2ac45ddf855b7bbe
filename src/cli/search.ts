import { type Command, Option } from "commander";
import { visible } from "../text/neutralise.ts";
import { oneLine } from "../text/one_line.ts";
import { MemoError } from "../errors.ts";
import { search } from "../recall/search.ts";
import { tilde } from "../paths.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import type { CliContext } from "./shared/command.ts";
import { catchUp, withEngine } from "./shared/local.ts";
import { addFilters, type Filters, isFiltered, meantType, passes } from "./shared/filters.ts";
import { wholeNumber } from "./shared/options.ts";
import { out, outJson, paint, say } from "./shared/output.ts";

interface SearchOptions extends Filters {
  readonly k: number;
  readonly strategy?: string;
  readonly json?: boolean;
  readonly like?: string;
  readonly history?: boolean;
  readonly until?: string;
  readonly on?: string;
  readonly project?: string;
}

/** One line of the result, as `--json` prints it. */
interface Found {
  readonly name: string;
  readonly type: string;
  readonly scope: string;
  readonly path: string;
  readonly score: number;
  /** Whether recall would drop it: its score is below the threshold of its type. */
  readonly belowThreshold: boolean;
  readonly strategy: string;
  /** The best matching part of the body. */
  readonly passage: string;
}

/** Maximum length of a passage on screen. */
const PASSAGE_CHARS = 240;

/** `memo search`: lists the best matches for a query, regardless of their scores; with `--history`, what happened. */
export function define(command: Command, context: CliContext): void {
  addFilters(command)
    .argument("[query...]", "Search terms or a question")
    .option("-k <number>", "Maximum number of results", wholeNumber, 10)
    .addOption(new Option("-s, --strategy <name>", "Rank with this strategy")
      .choices(STRATEGIES.map((strategy) => strategy.name)))
    .option("--like <name>", "List the memories most similar to this one instead")
    .option("--history", "Search what happened instead: the journal, and kept conversations")
    .option("--on <period>", "With --history: only a day, month or year (`march`, `last week`)")
    .option("--until <period>", "With --history: only up to a day, month or year")
    .option("--project <name>", "With --history: of another project, by name or path")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: SearchOptions) => {
      const text = words.join(" ");
      if (options.like !== undefined) {
        refuseWithLike(text, options);
        const { searchLike } = await import("./search/like.ts");
        return await searchLike(options.like, options, context);
      }
      if (text.trim() === "") {
        throw new MemoError("usage", "Cannot search without a query", {
          hint: 'Run `memo search "package manager"`, or `memo list`',
        });
      }
      if (options.history) {
        refuse(OF_MEMORIES, options, "--history");
        const { searchPast } = await import("./search/history.ts");
        return await searchPast(text, options, context);
      }
      refuseWithoutHistory(options);
      const found = await find(text, options, context);
      if (options.json) outJson(found);
      else for (const hit of found) out(render(hit, context));
      if (!options.json && found.length > 0 && found.every((hit) => hit.belowThreshold)) {
        say("hint: All of these are below their thresholds, so no prompt would get them");
      }
      if (!options.json) await sayWaiting(context);
      if (found.length === 0) {
        if (!options.json) {
          say(`No memories found; ${meantType(options.type)}run \`memo list\` to see all`);
        }
        process.exitCode = 1;
      }
    });
}

/** Options that are about memories alone. */
const OF_MEMORIES = ["type", "tag", "scope", "strategy"] as const;
/** Options that are about history alone. */
const OF_HISTORY = ["until", "on", "project"] as const;

/** Refuses options that mean nothing beside another one. */
function refuse(
  names: readonly (keyof SearchOptions)[],
  options: SearchOptions,
  beside: "--history" | "--like",
): void {
  const wrong = names.find((name) => options[name] !== undefined);
  if (wrong === undefined) return;
  throw new MemoError("usage", `Cannot use \`--${wrong}\` with \`${beside}\``, {
    hint: beside === "--like"
      ? "Run `memo search --like NAME -k NUMBER`"
      : "Narrow history with `--since`, `--until`, `--on` or `--project`",
  });
}

function refuseWithLike(text: string, options: SearchOptions): void {
  if (text !== "") {
    throw new MemoError("usage", "Cannot search for a text and for what is like a memory at once", {
      hint: 'Run `memo search --like "Use pnpm"`, with the whole name behind `--like`',
    });
  }
  refuse([...OF_MEMORIES, ...OF_HISTORY, "since", "before", "history"], options, "--like");
}

function refuseWithoutHistory(options: SearchOptions): void {
  const wrong = OF_HISTORY.find((name) => options[name] !== undefined);
  if (wrong === undefined) return;
  throw new MemoError("usage", `Cannot use \`--${wrong}\` without \`--history\``, {
    hint: `Run \`memo search --history QUERY --${wrong} ...\``,
  });
}

/** Files of a repository are not searched before they are trusted. */
async function sayWaiting({ place }: CliContext): Promise<void> {
  const { repositoryFiles } = await import("./shared/repository_files.ts");
  const waiting = repositoryFiles(place)?.files
    .filter(({ kind, trusted }) => kind === "memory" && !trusted).length ?? 0;
  if (waiting === 0) return;
  const what = waiting === 1 ? "1 memory" : `${waiting} memories`;
  say(
    `hint: ${what} of this repository are not searched before you trust them; see \`memo trust --show\``,
  );
}

async function find(text: string, options: SearchOptions, context: CliContext): Promise<Found[]> {
  return await withEngine(context, async (engine, folders) => {
    await catchUp(engine);
    const { place } = context;
    const { hits, failures } = await search(text, {
      limit: options.k,
      only: options.strategy,
      keep: isFiltered(options) ? (memory) => passes(memory, options) : undefined,
    }, {
      index: await engine.index(),
      folders,
      config: engine.config(place),
      now: new Date(),
      embed: (text) => engine.embed(text),
      ask: engine.askFor(context.env, place),
    });
    for (const failure of failures) say(`warning: ${failure}`);
    return hits.map(({ memory: { name, type, scope, path }, ...hit }) => {
      const { score, belowThreshold, strategy, passage } = hit;
      return { name, type, scope, path, score, belowThreshold, strategy, passage };
    });
  });
}

function render(hit: Found, { env }: CliContext): string {
  const passage = oneLine(visible(hit.passage)).slice(0, PASSAGE_CHARS).toWellFormed().trim();
  const facts = [
    visible(hit.type),
    hit.scope,
    hit.strategy,
    ...hit.belowThreshold ? ["below threshold"] : [],
  ];
  return [
    `${hit.score.toFixed(3)}  ${paint(hit.belowThreshold ? "dim" : "bold", visible(hit.name))}  ${
      paint("dim", facts.join(", "))
    }`,
    `       ${paint("dim", tilde(hit.path, env))}`,
    passage === "" ? "" : `       ${passage}`,
  ].filter((line) => line !== "").join("\n") + "\n";
}
