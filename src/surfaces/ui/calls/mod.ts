import type { Call } from "./call.ts";
import * as changing from "./changing.ts";
import * as deciding from "./deciding.ts";
import * as given from "./given.ts";
import * as looking from "./looking.ts";

/** Every call of the page but `session`, which `serve.ts` answers itself: these files export nothing else. */
export const CALLS: readonly Call[] = [given, looking, changing, deciding]
  .flatMap((calls): readonly Call[] => Object.values(calls));
