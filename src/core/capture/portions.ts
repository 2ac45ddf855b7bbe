import type { Turn } from "../transcript/turn.ts";
import { tell } from "./pieces.ts";

/** Characters that are captured at a time, a few LLM calls: what is planned is not asked about again if a later one fails. */
export const PORTION_CHARS = 24_000;

/** Turns as capture reads them: some at a time, and those of one working directory. */
export function portionsOf(turns: readonly Turn[]): Turn[][] {
  const portions: Turn[][] = [];
  let size = Infinity;
  for (const turn of turns) {
    const last = portions.at(-1);
    if (last === undefined || size >= PORTION_CHARS || turn.cwd !== last.at(-1)!.cwd) {
      portions.push([turn]);
      size = 0;
    } else last.push(turn);
    size += tell(turn).length;
  }
  return portions;
}
