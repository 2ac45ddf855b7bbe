import { type Command, Option } from "commander";
import type { Selection } from "../../core/memory/list.ts";
import { oneLine, visible } from "../../core/text/neutralise.ts";
import { MemoError } from "../../errors.ts";
import type { SearchAnswer } from "../mcp/inquiries.ts";
import { cutToWidth } from "../../core/text/terminal.ts";
import { STRATEGIES } from "../../../strategies/mod.ts";
import type { CliContext } from "./shared/command.ts";
import { kindColumns } from "./shared/describe.ts";
import {
  addFilters,
  formatTypeHint,
  selectionIn,
  type Texts,
  wholeNumber,
} from "./shared/options.ts";
import { findOne, idsHere, wholeIds } from "./shared/find.ts";
import { columns, out, outJson, paint, printFound, say } from "./shared/output.ts";
import { inquire } from "./shared/ask_daemon.ts";

interface SearchFlags extends Selection, Texts<"strategy" | "like" | "until" | "on"> {
  readonly k: number;
  readonly all?: boolean;
  readonly history?: boolean;
  readonly json?: boolean;
}

const PASSAGE_CHARS = 240;
const NEIGHBOURS = `
To see what a prompt would get: \`memo recall "PROMPT"\`
To read the journal of a day: \`memo log --journal\``;

/** `memo search`: lists what matches a query, best first; with `--history`, what happened. */
export function define(command: Command, context: CliContext): void {
  addFilters(command)
    .argument("[query...]", "Search terms or a question")
    .option("-k <number>", "Maximum number of results", wholeNumber, 10)
    .option("-a, --all", "Include memories that do not match, nearest first")
    .addOption(new Option("-s, --strategy <name>", "Rank with this strategy")
      .choices(STRATEGIES.map((strategy) => strategy.name)))
    .option("--like <name>", "List the memories most similar to this one instead")
    .option("--history", "Search the journal, commits and kept conversations instead")
    .option(
      "--on <date>",
      "With `--history`: only this day, month or year (`2026-03-04`, `2026-03`)",
    )
    .option("--until <date>", "With `--history`: only up to this day, month or year")
    .addHelpText("after", NEIGHBOURS)
    .action(async (words: string[], options: SearchFlags) => {
      const text = words.join(" ");
      refuseWrongOptions(options);
      if (options.like !== undefined) {
        if (text === "") return await searchLike(options.like, options, context);
        const what = "Cannot combine a query with `--like`";
        throw new MemoError("usage", what, {
          hint: 'Run `memo search --like "Use pnpm"`, with the whole name in quotes',
        });
      }
      if (text.trim() === "") {
        throw new MemoError("usage", "Cannot search without a query", {
          hint: 'Run `memo search "package manager"`, or `memo list`',
        });
      }
      if (options.history) {
        const { searchPast } = await import("./search/history.ts");
        return await searchPast(text, options, context);
      }
      const { hits, failures } = await inquire("search", {
        query: text,
        limit: options.k,
        strategy: options.strategy,
        selection: selectionIn(options),
        all: options.all ?? false,
      }, context);
      for (const failure of failures) say(`warning: ${failure}`);
      const ids = (options.json ? wholeIds : idsHere)(hits, context);
      if (options.json) outJson(hits.map((hit, i) => ({ id: ids[i], ...hit })));
      else for (const [i, hit] of hits.entries()) out(render(hit, ids[i]!));
      const isAny = hits.some(({ belowThreshold }) => options.all || !belowThreshold);
      if (isAny) return;
      process.exitCode = 1;
      if (options.json) return;
      const none = options.all ? "run `memo list` to see all" : "`--all` shows the nearest";
      const near = hits.length === 1 ? "this is the nearest" : "these are the nearest";
      say(`No memory matches; ${formatTypeHint(options.type)}${hits.length > 0 ? near : none}`);
    });
}

/** Options that cannot be combined with `--like`, with `--history`, or with neither, and what to run instead. */
const REFUSED = {
  "with `--like`": {
    names: ["type", "tag", "scope", "strategy", "all", "since", "before", "until", "on", "history"],
    hint: "Run `memo search --like NAME -k NUMBER`",
  },
  "with `--history`": {
    names: ["type", "tag", "scope", "strategy", "all", "before"],
    hint: "Narrow history with `--since`, `--until` or `--on`",
  },
  "without `--history`": {
    names: ["until", "on"],
    hint: "Run `memo search --history QUERY --on 2026-03`",
  },
} as const;

function refuseWrongOptions(options: SearchFlags): void {
  const mode = options.like !== undefined
    ? "with `--like`"
    : options.history
    ? "with `--history`"
    : "without `--history`";
  const { names, hint } = REFUSED[mode];
  const wrong = names.find((name) => options[name] !== undefined);
  if (wrong === undefined) return;
  throw new MemoError("usage", `Cannot use \`--${wrong}\` ${mode}`, { hint });
}

type SearchRow = SearchAnswer["hits"][number];

/** Two lines: score, id and name; type, scope and the passage, as far as they fit. */
function render({ score, belowThreshold, ...hit }: SearchRow, id: string): string {
  const room = process.stdout.isTTY ? process.stdout.columns : Infinity;
  const head = `${score.toFixed(2)}  ${id}  `;
  const indent = " ".repeat(head.length);
  const passage = oneLine(visible(hit.passage)).slice(0, PASSAGE_CHARS).toWellFormed().trim();
  const says = passage.replace(/[.。]$/, "") === visible(hit.name) ? "" : `  ${passage}`;
  const facts = [
    ...kindColumns(hit.type, hit.scope),
    ...belowThreshold ? ["below threshold"] : [],
    ...hit.overtakenBy === undefined ? [] : [`replaced by “${visible(hit.overtakenBy)}”`],
  ];
  const name = cutToWidth(visible(hit.name), room - head.length);
  const below = cutToWidth(facts.join(", ") + says, room - indent.length);
  const title = paint(belowThreshold ? "dim" : "bold", name);
  return `${head}${title}\n${indent}${paint("dim", below)}\n`;
}

async function searchLike(
  name: string,
  { k, json }: SearchFlags,
  context: CliContext,
): Promise<void> {
  const { memory } = await findOne([name], context);
  const memories = await inquire("related", { path: memory.path, limit: k }, context);
  const ids = idsHere(memories, context);
  const rowOf = (
    { name, type, scope, similarity, linked }: typeof memories[number],
    at: number,
  ) => {
    const facts = [...kindColumns(type, scope), ...linked ? ["linked"] : []].join(", ");
    return [similarity?.toFixed(2) ?? "", ids[at]!, `${visible(name)}  ${paint("dim", facts)}`];
  };
  printFound(memories, {
    json,
    text: () => columns(memories.map(rowOf)),
    nothing: () => "No memory is similar; run `memo list` to see all",
  });
}
