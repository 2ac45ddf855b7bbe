import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { basisOf } from "../../core/memory/provenance.ts";
import { formatAge } from "../../core/memory/age.ts";
import type { Found } from "../../core/ledger/find.ts";
import { withCommitDates } from "../../core/memory/list.ts";
import { formatDrift, formatStatus, type Standing } from "../../core/relation/standing.ts";
import { visible } from "../../core/text/neutralise.ts";
import type { CliContext } from "./shared/command.ts";
import { describe, kindColumns, standingsHere } from "./shared/describe.ts";
import { findEach, findOne, idHere, lookUpHere, NAMES, settled } from "./shared/find.ts";
import { wholeNumberOrNone } from "./shared/options.ts";
import { out, outJson, say } from "./shared/output.ts";

interface ShowOptions {
  readonly source?: boolean;
  readonly history?: boolean;
  readonly turn?: string;
  readonly context?: number;
  readonly json?: boolean;
}

/** `memo show`: prints memories, archived or not, their versions, and the conversations that they come from. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<names...>", `Memories, each by ${NAMES}; or the id of a turn or session`)
    .option("--source", "Show the conversation that it came from")
    .option("--turn <id>", "With --source and a session: only this turn")
    .option("--context <number>", "With --source: turns before and after it", wholeNumberOrNone)
    .option("--history", "Show its source, its other versions, and its turn in the journal")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: ShowOptions) => {
      const { source, history, turn, context: around, json = false } = options;
      if (source) {
        const { showConversation } = await import("./show/conversation.ts");
        return await showConversation(words.join(" "), { turn, around, json }, context);
      }
      if (turn !== undefined || around !== undefined) {
        throw new MemoError("usage", "Cannot use `--turn` or `--context` without `--source`", {
          hint: "Run `memo show --source SESSION --turn ID`",
        });
      }
      const found = await memoriesOrTurn(words, { history: history ?? false, json }, context);
      if (found === undefined) return;
      if (history) {
        const { showVersions } = await import("./show/versions.ts");
        for (const each of found) showVersions(each, json, context);
        return;
      }
      const shown = await Promise.all(found.map(dated));
      const standings = await standingsHere(context);
      const standingOf = ({ memory: { path } }: Found) => standings.get(path);
      if (json) {
        const all = shown.map((each) => ({ ...toJson(each), ...standingOf(each) }));
        outJson(all.length === 1 ? all[0] : all);
      } else for (const each of shown) print(each, standingOf(each), context);
    });
}

/** The memories of these names; undefined if it is no memory but a turn, which is then shown. */
async function memoriesOrTurn(
  words: readonly string[],
  { history, json }: { readonly history: boolean; readonly json: boolean },
  context: CliContext,
): Promise<readonly Found[] | undefined> {
  const options = { among: "both" } as const;
  if (words.length === 1) {
    const lookup = lookUpHere(words, context, options);
    if (lookup.kind === "missing") {
      const { showTurn } = await import("./show/turn.ts");
      if (await showTurn(words[0]!, json, context)) return undefined;
    }
    return [await settled(lookup)];
  }
  if (history) return [await findOne(words, context, options)];
  return await findEach(words, context, options);
}

async function dated(found: Found): Promise<Found> {
  const [memory = found.memory] = await withCommitDates(found.folder, [found.memory]);
  return { ...found, memory };
}

function toJson({ memory, folder, archived }: Found) {
  const { days, problems, ...described } = describe(memory, folder, new Date());
  const { body, triggers, confidence, supersedes, source } = memory;
  return { ...described, days, archived, body, triggers, confidence, supersedes, source, problems };
}

function print(found: Found, standing: Standing | undefined, context: CliContext): void {
  printFacts(found, context);
  const ofBranch = standing && { ...standing, drift: [] };
  for (const fact of formatStatus({ standing: ofBranch })) say(fact);
  for (const drift of standing?.drift ?? []) say(formatDrift(drift));
  for (const { message } of found.memory.problems) say(`warning: ${message}`);
  const text = readFileSync(found.memory.path, "utf8");
  // A program gets the file unchanged; a terminal gets it without control characters.
  const shown = process.stdout.isTTY ? visible(text) : text;
  out(shown.endsWith("\n") || shown === "" ? shown : shown + "\n");
}

/** Says which memory is shown: its id, what is known of it, and its file. */
export function printFacts({ memory, folder, archived }: Found, context: CliContext): void {
  const { days } = describe(memory, folder, new Date());
  const basis = basisOf(memory);
  const facts = [
    ...[...kindColumns(memory.type, memory.scope), formatAge(days)],
    ...basis === "said" ? [] : [basis],
    ...archived ? ["archived"] : [],
  ];
  say(`${idHere(memory, context)}  ${facts.join(", ")}  ${memory.path}`);
}
