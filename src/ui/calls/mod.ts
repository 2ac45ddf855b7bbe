import type { Call } from "./call.ts";
import { edit, forget, move, never, pin, restore, retag, share, trust, undo } from "./changing.ts";
import {
  accept,
  approve,
  both,
  confirm,
  keep,
  merge,
  proposal,
  reject,
  review,
  settle,
  stand,
} from "./deciding.ts";
import { given, now } from "./given.ts";
import { memories, memory, proof, version } from "./looking.ts";

/** Every call of the page but `session`, which `serve.ts` answers itself. */
export const CALLS: readonly Call[] = [
  now,
  given,
  memories,
  memory,
  version,
  edit,
  forget,
  restore,
  pin,
  retag,
  move,
  share,
  never,
  undo,
  review,
  proposal,
  keep,
  confirm,
  accept,
  stand,
  merge,
  both,
  settle,
  approve,
  reject,
  trust,
  proof,
];
