import { MemoError } from "../../../errors.ts";
import { historyFolders, type PastHit, searchHistory } from "../../../features/history/mod.ts";
import type { Days } from "../../../core/index/mod.ts";
import {
  expandCommand,
  kindWord,
  transcriptCommand,
  withoutBullets,
} from "../../../core/memory/memory.ts";
import { localTime } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { wholeWords } from "../../../core/text/whole_words.ts";
import type { CliContext } from "../shared/command.ts";
import { daysIn } from "../shared/moment.ts";
import { catchUpHistory, withEngine } from "../shared/local.ts";
import { out, outJson, paint, say } from "../shared/output.ts";

/** What selects history. */
export interface HistoryOptions {
  readonly k: number;
  readonly since?: Date;
  readonly until?: string;
  readonly on?: string;
  readonly json?: boolean;
}

/** Maximum length of a passage on screen. */
const PASSAGE_CHARS = 240;

/** `memo search --history`: lists what happened, with the command that leads on to each turn. */
export async function searchPast(
  text: string,
  options: HistoryOptions,
  context: CliContext,
): Promise<void> {
  const days = daysOf(options);
  const hits = await withEngine(context, async (engine, here) => {
    const folders = historyFolders(here);
    await catchUpHistory(engine, folders, context);
    return await engine.withIndex(async (index) =>
      await searchHistory({ text, days, limit: options.k }, {
        ...{ index, folders, now: new Date() },
        embed: (text) => engine.model.embed(text).vector,
      })
    );
  });
  if (options.json) outJson(hits.map(toJson));
  else for (const hit of hits) out(render(hit));
  if (hits.length > 0) return;
  process.exitCode = 1;
  if (options.json) return;
  const when = days === undefined ? "" : ` from ${formatDays(days)}`;
  say(`Nothing found${when}; run \`memo log --journal --list\` to see the days that have entries`);
}

/** The days that options name; undefined for all. */
function daysOf({ since, until, on }: HistoryOptions): Days | undefined {
  if (on !== undefined) {
    if (since === undefined && until === undefined) return daysNamed("--on", on);
    throw new MemoError("usage", "Cannot combine `--on` with `--since` or `--until`", {
      hint: "Run `memo search --history QUERY --on 2026-03`",
    });
  }
  if (since === undefined && until === undefined) return undefined;
  const from = since === undefined ? "0000-01-01" : localTime(since).day;
  const to = until === undefined ? "9999-12-31" : daysNamed("--until", until).to;
  if (from <= to) return { from, to };
  throw new MemoError("usage", `Cannot search from ${from} to ${to}: the end is before the start`, {
    hint: "Run `memo search --history QUERY --since 2026-03 --until 2026-04`",
  });
}

function daysNamed(option: string, value: string): Days {
  const days = daysIn(value);
  if (days !== undefined) return days;
  throw new MemoError("usage", `Cannot read \`${option} ${value}\` as a day, month or year`, {
    hint: "Write it as `2026-03-04`, `2026-03` or `2026`, or as a time ago such as `7d`",
  });
}

function formatDays({ from, to }: Days): string {
  if (from === to) return from;
  if (to.startsWith("9999")) return `${from} on`;
  return from.startsWith("0000") ? `up to ${to}` : `${from} to ${to}`;
}

function toJson({ entry, score, passage }: PastHit) {
  const { kind, day, time, title, session, turn, transcript, path } = entry;
  return {
    ...{ kind, day, time, score, title, passage, text: entry.text, path },
    ...{ session, turn, transcript },
    expand: expandCommand(entry),
    transcriptCommand: transcriptCommand(entry),
  };
}

function render({ entry, score, passage }: PastHit): string {
  const { kind, day, time, title } = entry;
  const text = visible(wholeWords(withoutBullets(passage), PASSAGE_CHARS));
  const when = time === "" ? day : `${day} ${time}`;
  const facts = [kindWord(kind), ...score > 0 ? [score.toFixed(2)] : []];
  return [
    `${paint("bold", when)}  ${paint("dim", facts.join(", "))}`,
    kind === "turn" && title !== "" && !text.startsWith(title.slice(0, 40))
      ? `  ${visible(title)}`
      : "",
    text === "" ? "" : `  ${text}`,
    `  ${paint("dim", expandCommand(entry))}`,
  ].filter((line) => line !== "").join("\n") + "\n";
}
