import type { Command } from "commander";
import type { Sum } from "../../core/llm/mod.ts";
import { formatAge } from "../../core/memory/age.ts";
import { grouped, localTime } from "../../core/text/counted.ts";
import { cutToWidth } from "../../core/text/terminal.ts";
import { oneLine, visible } from "../../core/text/neutralise.ts";
import { gather, type Statistics } from "../../features/statistics/gather.ts";
import type { CliContext } from "./shared/command.ts";
import { UNTRUSTED } from "./shared/describe.ts";
import { wholeNumber } from "./shared/options.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";

/** `memo stats`: what there is, what of it is used, and what memo cost and injected. */
export function define(command: Command, context: CliContext): void {
  command
    .option("-d, --days <number>", "Number of days, including today", wholeNumber, 7)
    .action(({ days, json }: { readonly days: number; readonly json?: boolean }) => {
      const statistics = gather(context, days, new Date());
      if (json) return outJson(statistics);
      const sections = sectionsOf(statistics).filter(({ rows }) => rows.length > 0);
      if (sections.length === 0) say("Nothing to count yet: no memories, prompts or calls");
      out(sections.map(formatSection).join("\n"));
    });
}

interface StatsSection {
  readonly title: string;
  readonly rows: readonly (readonly [label: string, shown: string])[];
  readonly note?: string | undefined;
}

/** The most rows of lists that could be long, and columns of a label. */
const MOST = 10, MAX_LABEL = 36;
/** What a token is about, in characters. */
const TOKEN_CHARS = 4;

function formatSection({ title, rows, note }: StatsSection): string {
  const lines = rows.slice(0, MOST)
    .map(([label, shown]) => ["", cutToWidth(visible(oneLine(label)), MAX_LABEL), shown]);
  const more = note === undefined ? "" : columns([["", paint("dim", note)]]);
  return paint("bold", title) + "\n" + columns(lines) + more;
}

function sectionsOf(statistics: Statistics): StatsSection[] {
  const { days, memories, used, unused, recall, sessions, llm, total } = statistics;
  const span = days === 1 ? "today" : `last ${days} days`;
  const tokens = sessions.map(tokensOf).sort((a, b) => a - b);
  const median = tokens[Math.floor(tokens.length / 2)];
  const purposes = spentBy(llm, ({ purpose }) => purpose);
  return [
    {
      title: "Memories",
      rows: memories.map(({ type, scope, count }) => [`${type}, ${scope}`, grouped(count)]),
      note: `${grouped(memories.reduce((sum, { count }) => sum + count, 0))} in total`,
    },
    {
      title: "Most used",
      rows: used.map((memory) => [memory.name, `used ${grouped(memory.used)}×, ${shown(memory)}`]),
    },
    {
      title: "Never used",
      rows: unused.map((memory) => [memory.name, `${formatAge(memory.days)}, ${shown(memory)}`]),
      note: unused.length > MOST
        ? `${grouped(unused.length - MOST)} more: \`memo list --unused\``
        : undefined,
    },
    {
      title: `Prompts, ${span}`,
      rows: recall.map(({ outcome, count }) => [outcome, grouped(count)]),
    },
    {
      title: `Shown to the model, ${span}`,
      rows: sessions.map((session) => {
        const { at, project, prompts, blocks } = session, { day, time } = localTime(new Date(at));
        const tokens = number(tokensOf(session), "token");
        const shown = [tokens, number(prompts, "prompt"), number(blocks, "block")].join(", ");
        return [`${day} ${time} ${project}`, shown];
      }),
      note: median === undefined
        ? undefined
        : `median of ${number(sessions.length, "session")}: about ${number(median, "token")}`,
    },
    {
      title: `Language model calls by purpose, ${span}`,
      rows: purposes,
      note: purposes.length > 1 ? `${formatSum(total)} in total` : undefined,
    },
    { title: `Language model calls by day, ${span}`, rows: spentBy(llm, ({ day }) => day) },
  ];
}

function shown({ shown, trusted }: Statistics["used"][number]): string {
  return `shown ${grouped(shown)}×${trusted ? "" : `  ${UNTRUSTED}`}`;
}

/** Tokens of a session's blocks, as far as characters tell. */
function tokensOf({ chars }: Statistics["sessions"][number]): number {
  return Math.round(chars / TOKEN_CHARS);
}

function spentBy(
  llm: Statistics["llm"],
  labelOf: (call: Statistics["llm"][number]) => string,
): [string, string][] {
  return [...Map.groupBy(llm, labelOf)].map(([label, its]) => {
    const sum = (field: keyof Sum) => its.reduce((sum, each) => sum + each[field], 0);
    const [calls, input, output, usd] = [sum("calls"), sum("input"), sum("output"), sum("usd")];
    return [label, formatSum({ calls, input, output, usd })];
  });
}

function formatSum({ calls, input, output, usd }: Sum): string {
  const tokens = `${grouped(input)} tokens in, ${grouped(output)} out`;
  return `$${usd.toFixed(4)}, ${number(calls, "call")}, ${tokens}`;
}

function number(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
