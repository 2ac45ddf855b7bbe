import type { Skipped } from "../../import/record.ts";
import { tilde } from "../../paths.ts";
import { visible } from "../../text/neutralise.ts";
import type { CliContext } from "../shared/command.ts";
import { say } from "../shared/output.ts";

/** Maximum records to list. */
const NAMED = 20;

/** Lists what an import has skipped. */
export function saySkipped(skipped: readonly Skipped[]): void {
  for (const { what, because } of skipped.slice(0, NAMED)) {
    say(visible(`skipped \`${what}\`: ${because}`));
  }
  if (skipped.length > NAMED) say(`… and ${skipped.length - NAMED} more; \`--json\` lists all`);
}

/** Counts what an import has done with the records of a source, without what there is none of. */
export function sayCounts(
  from: string,
  counts: readonly (readonly [number, string])[],
  { env }: CliContext,
): void {
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  say(`${tilde(from, env)}: ${said.join(", ") || "nothing to import"}`);
}
