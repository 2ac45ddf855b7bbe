import { type Command, Option } from "commander";
import { Query } from "../index/query.ts";
import { oneLine } from "../text/one_line.ts";
import { MemoError } from "../errors.ts";
import { typeSettings } from "../settings/config.ts";
import { rankAll } from "../recall/retrieve.ts";
import { placeIn } from "../memory/scopes.ts";
import { tilde } from "../paths.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import type { CliContext } from "./command.ts";
import { catchUp, withEngine } from "./local.ts";
import { addFilters, type Filters, isFiltered, meantType, passes } from "./filters.ts";
import { wholeNumber } from "./options.ts";
import { out, outJson, paint, say } from "./output.ts";

interface SearchOptions extends Filters {
  readonly k: number;
  readonly strategy?: string;
  readonly json?: boolean;
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

/** Hits to rank if filters remove some. */
const FILTERED_FROM = 1000;
/** Maximum length of a passage on screen. */
const PASSAGE_CHARS = 240;

/** `memo search`: lists the best matches for a query, regardless of their scores. */
export function define(command: Command, context: CliContext): void {
  addFilters(command)
    .argument("<query...>", "Search terms or a question")
    .option("-k <number>", "Maximum number of results", wholeNumber, 10)
    .addOption(new Option("-s, --strategy <name>", "Rank with this strategy")
      .choices(STRATEGIES.map((strategy) => strategy.name)))
    .option("--json", "Print JSON")
    .action(async (words: string[], options: SearchOptions) => {
      const text = words.join(" ");
      if (text.trim() === "") {
        throw new MemoError("usage", "Cannot search without a query", {
          hint: 'Run `memo search "package manager"`, or `memo list`',
        });
      }
      const found = await search(text, options, context);
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

/** Files of a repository are not searched before they are trusted. */
async function sayWaiting({ paths, cwd }: CliContext): Promise<void> {
  const { luggageOf } = await import("./luggage.ts");
  const waiting = luggageOf(placeIn(paths, cwd))?.files
    .filter(({ kind, trusted }) => kind === "memory" && !trusted).length ?? 0;
  if (waiting === 0) return;
  const what = waiting === 1 ? "1 memory" : `${waiting} memories`;
  say(
    `hint: ${what} of this repository are not searched before you trust them; see \`memo trust --show\``,
  );
}

async function search(text: string, options: SearchOptions, context: CliContext): Promise<Found[]> {
  return await withEngine(context, async (engine, folders) => {
    const only = options.strategy;
    await catchUp(engine);
    const index = await engine.index();
    const query = new Query(text, (text) => engine.embed(text));
    const limit = isFiltered(options) ? FILTERED_FROM : options.k;
    const place = placeIn(context.paths, context.cwd);
    const config = engine.config(place);
    const corpus = await index.corpus(folders);
    const rankings = await rankAll(query, {
      corpus,
      config,
      now: new Date(),
      limit,
      only,
      ask: engine.askFor(context.env, place),
    });
    for (const failure of rankings.flatMap((ranking) => ranking.failures)) {
      say(`warning: ${failure}`);
    }
    const hits = rankings.flatMap(({ strategy, hits }) => hits.map((hit) => ({ ...hit, strategy })))
      .filter((hit) => hit.score > 0)
      .sort((a, b) => b.score - a.score);
    const memories = new Map(
      (await corpus.memories(hits.map((hit) => hit.memory))).map((memory) => [memory.id, memory]),
    );
    return hits.flatMap((hit): Found[] => {
      const memory = memories.get(hit.memory);
      if (memory === undefined || !passes(memory, options)) return [];
      const { name, type, scope, path, body } = memory;
      const passage = hit.passage === undefined
        ? body
        : body.slice(hit.passage.start, hit.passage.end);
      const belowThreshold = hit.score < typeSettings(config, type).threshold;
      const { score, strategy } = hit;
      return [{ name, type, scope, path, score, belowThreshold, strategy, passage }];
    }).slice(0, options.k);
  });
}

function render(hit: Found, { env }: CliContext): string {
  const passage = oneLine(hit.passage).slice(0, PASSAGE_CHARS).toWellFormed().trim();
  const facts = [
    hit.type,
    hit.scope,
    hit.strategy,
    ...hit.belowThreshold ? ["below threshold"] : [],
  ];
  return [
    `${hit.score.toFixed(3)}  ${paint(hit.belowThreshold ? "dim" : "bold", hit.name)}  ${
      paint("dim", facts.join(", "))
    }`,
    `       ${paint("dim", tilde(hit.path, env))}`,
    passage === "" ? "" : `       ${passage}`,
  ].filter((line) => line !== "").join("\n") + "\n";
}
