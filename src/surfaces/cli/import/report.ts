import { APPLIES } from "../../../core/change/change.ts";
import type { Skipped } from "../../../features/import/mod.ts";
import type { Scope } from "../../../core/memory/memory.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { say } from "../shared/output.ts";

/** Maximum records to list. */
const NAMED = 20;

/** Lists what an import has skipped. */
export function printSkipped(skipped: readonly Skipped[]): void {
  for (const { what, because } of skipped.slice(0, NAMED)) {
    say(visible(`skipped \`${what}\`: ${because}`));
  }
  if (skipped.length > NAMED) say(`… and ${skipped.length - NAMED} more; \`--json\` lists all`);
}

/** Counts what an import has done with the records of a source, without what there is none of. */
export function printCounts(from: string, counts: readonly (readonly [number, string])[]): void {
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  say(`${visible(from)}: ${said.join(", ") || "nothing to import"}`);
}

/** Says where imported memories apply. */
export function printScopes(
  scopes: readonly Scope[],
  { isPlan }: { readonly isPlan: boolean },
): void {
  if (scopes.length === 0) return;
  const counts = [...Map.groupBy(scopes, (scope) => scope)];
  const [only] = counts;
  const parts = counts.length === 1
    ? [APPLIES[only![0]]]
    : counts.map(([scope, all]) => `${all.length} ${APPLIES[scope]}`);
  say(`${isPlan ? "To save" : "Saved"} ${parts.join(", ")}; \`--scope\` chooses another place`);
}

/** Says of imported memories that they are not the person's word yet. */
export function printMarked(marked: number, all: number): void {
  if (marked === 0) return;
  const which = marked === all ? "They count" : `${marked} of them count`;
  say(`${which} as not said by you until you confirm them: \`memo trust\``);
}
