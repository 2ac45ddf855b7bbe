// The titles at session start: one line per memory, rules first. A title is the rule or fact itself, so the model can act on
// one that no similarity to a prompt would retrieve ("never force-push").

import { isOthers } from "../memory/memory.ts";
import { type Form, lineOf, said, type TitleLine } from "./title_line.ts";
import { type RankedTitle, type RankedTitles, type Tier, TIERS } from "./title_order.ts";
import { countOf, MANY, TOPICS_CHARS, topicsOf } from "./near_titles.ts";

/** Characters of all titles without what explains them; undefined if some are left out or shortened. */
export function plainLength({ memories, total, imports }: RankedTitles): number | undefined {
  if (memories.length < total) return undefined;
  const lines = memories.map((title): TitleLine => ({ ...title, form: "title" }));
  return render(lines, total, imports).length;
}

function isCut(line: TitleLine): boolean {
  return line.form === "none" ||
    (line.form === "short" && lineOf(line) !== lineOf({ ...line, form: "title" }));
}

/**
 * The steps in which lines grow while there is room: no fact makes a rule's title shorter, and no import a fact's. What a
 * prompt finds by itself leaves half of it free: 206 imports beside 60 notes take 1,400 characters less, and nothing lacks.
 */
const STEPS: readonly { tiers: readonly Tier[]; form: Form; isFound?: true }[] = [
  { tiers: ["rule"], form: "short" },
  { tiers: ["general"], form: "short" },
  { tiers: ["fact"], form: "short" },
  { tiers: ["rule"], form: "title" },
  { tiers: ["general"], form: "title" },
  { tiers: ["fact"], form: "title" },
  { tiers: ["imported rule"], form: "short" },
  { tiers: ["imported rule"], form: "title" },
  { tiers: ["imported"], form: "short", isFound: true },
  { tiers: ["imported"], form: "title", isFound: true },
  { tiers: TIERS, form: "full", isFound: true },
];

/**
 * As many titles as fit, the last ones shortened before one is left out; then as many explanations as fit: the lines under
 * their headings, the memories whose whole title is in them, and how many were left out.
 */
export function fitTitles(ranked: RankedTitles, room: number) {
  const { memories, total, imports } = ranked;
  const scopes = new Set(memories.map(sectionOf));
  const headings = [...scopes].reduce((sum, scope) => sum + HEADINGS[scope].length + 4, 0) +
    imports.reduce((sum, line) => sum + line.length + 2, 0);
  const areAll = (lines: readonly TitleLine[]) =>
    lines.length === total && lines.every(({ form }) => form !== "none");
  const dated = memories.map((title) => title.isOld ? { ...title, isDated: true } : title);
  let lines = grown(dated, room - headings, { isAll: true });
  // A day makes no other title shorter.
  if (lines.some(isCut)) lines = grown(memories, room - headings, { isAll: true });
  if (!areAll(lines)) {
    const count = total > MANY ? TOPICS_CHARS : countOf(total).length;
    lines = grown(memories, room - headings - count - 2, { isAll: false });
  }
  const omitted = total - lines.filter(({ form }) => form !== "none").length;
  const listed = lines.filter((line) => !isCut(line)).map(({ memory }) => memory);
  const text = total + imports.length === 0 ? "" : render(lines, total, imports);
  return { text: text.length <= room ? text : "", listed, omitted };
}

/** Each memory's line, as long as the room for all titles, or for some, allows. */
function grown(
  memories: readonly RankedTitle[],
  room: number,
  { isAll }: { readonly isAll: boolean },
): TitleLine[] {
  const lines = memories.map((title): TitleLine => ({ ...title, form: "none" }));
  const hasOwn = memories.some(({ memory }) => !isOthers(memory.scope));
  let left = room;
  let leftOfOthers = hasOwn ? room / 2 : room;
  for (const { tiers, form, isFound } of STEPS) {
    const kept = isFound && (form === "full" || !isAll) ? room / 2 : 0;
    for (const [i, { memory, tier }] of memories.entries()) {
      const before = lines[i]!, grown = { ...before, form };
      if (!tiers.includes(tier) || (form !== "short" && before.form === "none")) continue;
      const length = before.form === "none" ? 0 : lineOf(before).length + 1;
      const more = lineOf(grown).length + 1 - length;
      const isTheirs = isOthers(memory.scope);
      if (isTheirs && more > leftOfOthers) continue;
      if (more <= left - kept) {
        lines[i] = grown;
        left -= more;
        if (isTheirs) leftOfOthers -= more;
      } else if (form === "short") break;
    }
  }
  return lines;
}

const HEADINGS = {
  user: "# In every project",
  project: "# In this project",
  around: "# In the project around this submodule",
  team: "# Approved by your team",
} as const;

function sectionOf(
  { memory: { scope }, isAround }: Pick<RankedTitle, "memory" | "isAround">,
): keyof typeof HEADINGS {
  if (isAround) return "around";
  return scope === "user" || scope === "team" ? scope : "project";
}

function render(lines: readonly TitleLine[], total: number, imports: readonly string[]): string {
  const groups = Map.groupBy(
    lines.filter(({ form }) => form !== "none"),
    sectionOf,
  );
  const sections = (["user", "project", "around", "team"] as const).flatMap((section) => {
    const its = groups.get(section);
    return its === undefined ? [] : [`${HEADINGS[section]}\n\n${its.map(lineOf).join("\n")}`];
  });
  const left = lines.filter(({ form }) => form === "none").map(({ memory }) => said(memory).saying);
  const omitted = total - lines.length + left.length;
  if (omitted > 0) sections.push(countOf(omitted, total > MANY ? topicsOf(left) : []));
  sections.push(...imports);
  return sections.join("\n\n") + "\n";
}
