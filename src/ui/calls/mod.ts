import type { Call } from "./call.ts";
import { now } from "./now.ts";

/** Every call of the page but `session`, which `serve.ts` answers itself. */
export const CALLS: readonly Call[] = [now];
