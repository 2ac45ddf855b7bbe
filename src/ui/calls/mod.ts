import type { Call } from "./call.ts";
import { approve } from "./approve.ts";
import { both } from "./both.ts";
import { keep } from "./keep.ts";
import { merge } from "./merge.ts";
import { reject } from "./reject.ts";
import { review } from "./review.ts";
import { trust } from "./trust.ts";
import { edit } from "./edit.ts";
import { forget } from "./forget.ts";
import { given } from "./given.ts";
import { memories } from "./memories.ts";
import { memory } from "./memory.ts";
import { move } from "./move.ts";
import { never } from "./never.ts";
import { now } from "./now.ts";
import { pin } from "./pin.ts";
import { proposal } from "./proposal.ts";
import { proof } from "./proof.ts";
import { restore } from "./restore.ts";
import { retag } from "./retag.ts";
import { settle } from "./settle.ts";
import { share } from "./share.ts";
import { undo } from "./undo.ts";
import { version } from "./version.ts";

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
  merge,
  both,
  settle,
  approve,
  reject,
  trust,
  proof,
];
