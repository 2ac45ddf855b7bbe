import { type Command, Option } from "commander";
import { Query } from "../index/query.ts";
import { oneLine } from "../text/one_line.ts";
import { MemoError } from "../errors.ts";
import { rankAll } from "../recall/retrieve.ts";
import { placeIn } from "../memory/scopes.ts";
import { tilde } from "../paths.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import type { CliContext } from "./command.ts";
import { catchUp, withEngine } from "./local.ts";
import { ofType } from "./of_type.ts";
import { wholeNumber } from "./options.ts";
import { out, outJson, paint, say } from "./output.ts";

interface SearchOptions {
  readonly k: number;
  readonly strategy?: string;
  readonly type?: string;
  readonly json?: boolean;
}

/** One line of the result, as `--json` prints it. */
interface Found {
  readonly name: string;
  readonly type: string;
  readonly scope: string;
  readonly path: string;
  readonly score: number;
  readonly strategy: string;
  /** The best matching part of the body. */
  readonly passage: string;
}

/** Maximum length of a passage on screen. */
const PASSAGE_CHARS = 240;

/** `memo search`: lists the best matches for a query, whatever their scores. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<query...>", "Search terms or a question")
    .option("-k <number>", "Maximum number of results", wholeNumber, 10)
    .addOption(new Option("-s, --strategy <name>", "Rank with this strategy")
      .choices(STRATEGIES.map((strategy) => strategy.name)))
    .option("-t, --type <type>", "Only memories of this type")
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
      if (found.length === 0) {
        if (!options.json) {
          say(`No memories found; ${ofType(options.type ?? "")}run \`memo list\` to see all`);
        }
        process.exitCode = 1;
      }
    });
}

async function search(text: string, options: SearchOptions, context: CliContext): Promise<Found[]> {
  return await withEngine(context, async (engine, folders) => {
    const only = options.strategy;
    await catchUp(engine);
    const index = await engine.index();
    const query = new Query(text, (text) => engine.embed(text));
    const limit = options.type === undefined ? options.k : 1000;
    const corpus = await index.corpus(folders);
    const rankings = await rankAll(query, {
      corpus,
      config: engine.config(placeIn(context.paths, context.cwd)),
      now: new Date(),
      limit,
      only,
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
      if (memory === undefined || (options.type !== undefined && memory.type !== options.type)) {
        return [];
      }
      const { name, type, scope, path, body } = memory;
      const passage = hit.passage === undefined
        ? body
        : body.slice(hit.passage.start, hit.passage.end);
      return [{ name, type, scope, path, score: hit.score, strategy: hit.strategy, passage }];
    }).slice(0, options.k);
  });
}

function render(hit: Found, { env }: CliContext): string {
  const passage = oneLine(hit.passage).slice(0, PASSAGE_CHARS).toWellFormed().trim();
  return [
    `${hit.score.toFixed(3)}  ${paint("bold", hit.name)}  ${
      paint("dim", `${hit.type}, ${hit.scope}, ${hit.strategy}`)
    }`,
    `       ${paint("dim", tilde(hit.path, env))}`,
    passage === "" ? "" : `       ${passage}`,
  ].filter((line) => line !== "").join("\n") + "\n";
}
