import { type Command, Option } from "commander";
import type { Scope } from "../../../core/memory/memory.ts";
import { isSelected, type Selection } from "../../../core/memory/list.ts";
import { nearest } from "../../../core/text/nearest.ts";
import { KNOWN_TYPES } from "../../../core/memory/types.ts";
import { momentOf } from "./moment.ts";

/** Selects the memories of a command. */
export interface Filters {
  readonly type?: readonly string[];
  readonly tag?: readonly string[];
  readonly scope?: Scope;
  /** Last changed at this moment or later. */
  readonly since?: Date;
  /** Last changed before this moment. */
  readonly before?: Date;
}

/** The values of `--scope`. */
const SCOPES: readonly Scope[] = ["user", "project", "shared", "auto", "team"];

/** Adds the filter options to a command. */
export function addFilters(command: Command): Command {
  return command
    .option("-t, --type <types>", "Only these types, comma-separated", listed)
    .option("--tag <tags>", "Only memories with all these tags, comma-separated", listed)
    .addOption(
      new Option("--scope <scope>", "Only this scope").choices(SCOPES),
    )
    .option(
      "--since <date>",
      "Changed since a date (`2026-11-21`, `2026-11`) or a time ago (`7d`, `2w`)",
      momentOf,
    )
    .option("--before <date>", "Changed before a date or a time ago", momentOf);
}

/** Whether any filter is set. */
export function isFiltered({ type, tag, scope, since, before }: Filters): boolean {
  return [type, tag, scope, since, before].some((filter) => filter !== undefined);
}

/** What the filters select. */
export function selectionOf({ type, tag, scope, since, before }: Filters): Selection {
  return { type, tag, scope, since: since?.getTime(), before: before?.getTime() };
}

/** Whether a memory passes all filters. */
export function passes(memory: Parameters<typeof isSelected>[0], filters: Filters): boolean {
  return isSelected(memory, selectionOf(filters));
}

/** Suggests the known type that a misspelt one probably meant. */
export function formatTypeHint(types: readonly string[] = []): string {
  const near = types.filter((type) => !KNOWN_TYPES.includes(type))
    .map((type) => nearest(type, KNOWN_TYPES))
    .find((type) => type !== undefined);
  return near === undefined ? "" : `did you mean the type \`${near}\`? `;
}

function listed(value: string, before: readonly string[] = []): string[] {
  const items = value.split(",").map((item) => item.trim()).filter((item) => item !== "");
  return [...before, ...items];
}
