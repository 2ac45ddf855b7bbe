import * as z from "zod";
import type { Scope } from "../../../core/memory/memory.ts";
import { type Catalogue, type Entry, ORIGINS, STATES } from "./catalogue.ts";

const DAY_MS = 86_400_000;
const SCOPES = ["user", "project", "shared", "auto", "team"] as const satisfies readonly Scope[];
/** Ages in days that a memory can have at most; and `older`, which has more than the last of them. */
const AGES = [1, 7, 30, 180] as const;
/** Tags that are counted for the page: the most frequent. */
const TAGS = 60;

/** Which memories the page lists. */
export const filtersSchema = z.strictObject({
  /** A project's key; empty: what belongs to none. */
  project: z.string().max(12).optional(),
  scope: z.enum(SCOPES).optional(),
  type: z.string().max(200).optional(),
  tag: z.string().max(1000).optional(),
  origin: z.enum(ORIGINS).optional(),
  age: z.enum([...AGES.map(String), "older"]).optional(),
  state: z.enum(STATES).optional(),
});
export type Filters = z.output<typeof filtersSchema>;

/** The values of one filter, and how many memories have each. */
export interface Facet {
  readonly value: string;
  readonly label?: string;
  readonly count: number;
}

/** What each filter looks at: the values that a memory has of it. */
const VALUES: Readonly<Record<keyof Filters, (entry: Entry, now: number) => readonly string[]>> = {
  project: ({ project }) => [project ?? ""],
  scope: ({ folder }) => [folder.scope],
  type: ({ head }) => [head.type],
  tag: ({ head }) => head.tags,
  origin: ({ origin }) => [origin],
  age: ({ changed }, now) => {
    const days = (now - changed) / DAY_MS;
    const within = AGES.filter((age) => days <= age).map(String);
    return within.length === 0 ? ["older"] : within;
  },
  state: ({ states }) => states,
};
const NAMES = Object.keys(VALUES) as (keyof Filters)[];

/** What some filters leave of the memories. */
export interface Filtered {
  readonly passing: readonly Entry[];
  readonly facets: Record<keyof Filters, Facet[]>;
}

/** The answers about a whole catalogue: a page that scrolls asks again and again. */
const answers = new WeakMap<readonly Entry[], Map<string, Filtered>>();
const KEPT = 8;

/** The same as `filtered`, kept for as long as these are the memories. */
export function filteredOnce(
  entries: readonly Entry[],
  filters: Filters,
  options: Parameters<typeof filtered>[2],
): Filtered {
  const kept = answers.get(entries) ?? new Map<string, Filtered>();
  answers.set(entries, kept);
  const key = JSON.stringify(filters);
  const known = kept.get(key) ?? filtered(entries, filters, options);
  kept.delete(key); // it is the newest now
  kept.set(key, known);
  for (const [oldest] of kept) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return known;
}

/** The memories that pass all filters, and for each filter what it would leave with the others as they are. */
export function filtered(
  entries: readonly Entry[],
  filters: Filters,
  { projects, now }: Pick<Catalogue, "projects"> & { readonly now: number },
): Filtered {
  const counts = new Map(NAMES.map((name) => [name, new Map<string, number>()]));
  const active = NAMES.filter((name) => filters[name] !== undefined);
  const passing = entries.filter((entry) => {
    const failed = active.filter((name) => !VALUES[name](entry, now).includes(filters[name]!));
    if (failed.length > 1) return false;
    for (const name of failed.length === 1 ? failed : NAMES) {
      const count = counts.get(name)!;
      for (const value of VALUES[name](entry, now)) count.set(value, (count.get(value) ?? 0) + 1);
    }
    return failed.length === 0;
  });
  const labels = new Map(projects.map(({ key, name }) => [key, name]));
  const facets = Object.fromEntries(NAMES.map((name) => {
    const found = [...counts.get(name)!].map(([value, count]): Facet =>
      name === "project" ? { value, label: labels.get(value) ?? "", count } : { value, count }
    );
    if (name === "age") found.sort((a, b) => ageOf(a) - ageOf(b));
    else found.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    return [name, name === "tag" ? found.slice(0, TAGS) : found];
  }));
  return { passing, facets: facets as Record<keyof Filters, Facet[]> };
}

function ageOf({ value }: Facet): number {
  return value === "older" ? Infinity : Number(value);
}
