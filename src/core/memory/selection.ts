import { folded } from "../text/folded.ts";
import { changedAt, type Dated } from "./age.ts";
import type { Scope } from "./memory.ts";

/** Which memories a command is about; a plain value, because it may go to the daemon. */
export interface Selection {
  readonly type?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly scope?: Scope | undefined;
  /** Last changed at this moment or later, and before that one, in milliseconds. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

/** The parts of a memory that are compared. */
interface Selectable extends Dated {
  readonly type: string;
  readonly tags: readonly string[];
  readonly scope: Scope;
}

/** Whether a memory is selected. */
export function isSelected(
  memory: Selectable,
  { type, tag, scope, since, before }: Selection,
): boolean {
  const tags = memory.tags.map(folded);
  return (type === undefined || type.map(folded).includes(folded(memory.type))) &&
    (tag === undefined || tag.every((wanted) => tags.includes(folded(wanted)))) &&
    (scope === undefined || memory.scope === scope) &&
    (since === undefined || changedAt(memory) >= since) &&
    (before === undefined || changedAt(memory) < before);
}
