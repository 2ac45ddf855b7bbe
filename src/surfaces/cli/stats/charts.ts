import { UNTRUSTED } from "../shared/describe.ts";
import type { Sum } from "../../../core/llm/mod.ts";
import { sayAge } from "../../../core/memory/age.ts";
import { TYPES } from "../../../core/memory/types.ts";
import { grouped, localTime } from "../../../core/text/counted.ts";
import type { SessionShare, Statistics } from "../../../features/statistics/gather.ts";

/** A part of the statistics as bars, with its title. */
export interface Chart {
  readonly title: string;
  readonly rows: readonly ChartRow[];
  /** A line below the bars. */
  readonly note?: string | undefined;
}

/** A bar with its label. */
export interface ChartRow {
  readonly label: string;
  /** How long the bar is; undefined: none. */
  readonly value: number | undefined;
  /** What stands behind it. */
  readonly shown: string;
}

/** The most rows of lists that could be long. */
const MOST = 10;
/** What a token is about, in characters. */
const TOKEN_CHARS = 4;

/** The charts of some statistics, in order. */
export function chartsOf(statistics: Statistics): Chart[] {
  const { days, memories, ages, projects, used, unused, recall } = statistics;
  const span = days === 1 ? "today" : `last ${days} days`;
  const total = memories.reduce((sum, { count }) => sum + count, 0);
  const here = (title: string) => `Memories ${title}`;
  const plainly = ({ label, count }: { readonly label: string; readonly count: number }) => ({
    ...{ label, value: count, shown: grouped(count) },
  });
  return [
    {
      title: here("by type"),
      rows: byType(memories).map(plainly),
      note: `${grouped(total)} in all`,
    },
    { title: here("by scope"), rows: summed(memories, ({ scope }) => scope).map(plainly) },
    {
      title: here("by age"),
      rows: ages.filter(({ count }) => count > 0)
        .map(({ age, count }) => plainly({ label: age, count })),
    },
    {
      title: here("by project, private ones"),
      ...cut(projects.map(({ project, count }) => plainly({ label: project, count })), "projects"),
    },
    {
      title: "Most used",
      rows: used.slice(0, MOST).map(({ name, used, shown, trusted }) => ({
        label: name,
        value: used,
        shown: marked(`${grouped(used)} × used, ${grouped(shown)} × shown`, trusted),
      })),
    },
    {
      title: "Never used",
      ...cut(
        unused.map(({ name, shown, days, trusted }) => ({
          label: name,
          value: undefined,
          shown: marked((shown === 0 ? "" : `${grouped(shown)} × shown, `) + sayAge(days), trusted),
        })),
        "memories: `memo list --unused`",
      ),
    },
    {
      title: `Prompts, ${span}`,
      rows: recall.map(({ outcome, count }) => plainly({ label: outcome, count })),
    },
    sessions(statistics, span),
    spending(statistics, span),
    perDay(statistics, span),
  ];
}

function marked(text: string, isTrusted: boolean): string {
  return isTrusted ? text : `${text}  ${UNTRUSTED}`;
}

function byType(memories: Statistics["memories"]): { label: string; count: number }[] {
  const order = TYPES.map(({ name }) => name as string);
  const place = (type: string) => (order.indexOf(type) + order.length + 1) % (order.length + 1);
  return summed(memories, ({ type }) => type).sort((a, b) => place(a.label) - place(b.label));
}

function summed<T extends { readonly count: number }>(
  items: readonly T[],
  labelOf: (item: T) => string,
): { label: string; count: number }[] {
  return [...Map.groupBy(items, labelOf)].map(([label, its]) => ({
    ...{ label, count: its.reduce((sum, { count }) => sum + count, 0) },
  }));
}

function cut(rows: readonly ChartRow[], what: string): Pick<Chart, "rows" | "note"> {
  const more = rows.length - MOST;
  return {
    rows: rows.slice(0, MOST),
    note: more > 0 ? `${grouped(more)} more ${what}` : undefined,
  };
}

function sessions({ sessions }: Statistics, span: string): Chart {
  const tokens = sessions.map(tokensOf).sort((a, b) => a - b);
  const median = tokens[Math.floor(tokens.length / 2)];
  return {
    title: `Put before the model, ${span}`,
    rows: sessions.slice(0, MOST).map((session) => {
      const { at, project, prompts, blocks } = session;
      const { day, time } = localTime(new Date(at));
      const value = tokensOf(session);
      return {
        ...{ label: `${day} ${time} ${project}`.trim(), value },
        shown: `${grouped(value)} tokens, ${counted(prompts, "prompt")}, ${
          counted(blocks, "block")
        }`,
      };
    }),
    note: median === undefined
      ? undefined
      : `about ${grouped(median)} tokens at the median of ${counted(tokens.length, "session")}`,
  };
}

/** Tokens of a session's blocks, as far as characters tell. */
function tokensOf({ chars }: SessionShare): number {
  return Math.round(chars / TOKEN_CHARS);
}

function spending({ llm, total }: Statistics, span: string): Chart {
  const purposes = [...Map.groupBy(llm, ({ purpose }) => purpose)];
  return {
    title: `Language model by purpose, ${span}`,
    rows: purposes.map(([purpose, its]) => spent(purpose, added(its))),
    note: purposes.length > 1 ? spent("", total).shown + " in all" : undefined,
  };
}

function perDay({ llm }: Statistics, span: string): Chart {
  const days = [...Map.groupBy(llm, ({ day }) => day)];
  const rows = days.map(([day, its]) => spent(day, added(its)));
  return { title: `Language model by day, ${span}`, rows };
}

function added(sums: readonly Sum[]): Sum {
  const add = (field: keyof Sum) => sums.reduce((sum, each) => sum + each[field], 0);
  return { calls: add("calls"), input: add("input"), output: add("output"), usd: add("usd") };
}

function spent(label: string, { calls, input, output, usd }: Sum): ChartRow {
  const tokens = `${grouped(input)} tokens in, ${grouped(output)} out`;
  return { label, value: usd, shown: `$${usd.toFixed(4)}, ${counted(calls, "call")}, ${tokens}` };
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
