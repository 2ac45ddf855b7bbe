import type { Log } from "../files/log.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Place } from "../memory/scopes.ts";
import type { Paths } from "../../paths.ts";
import type { Config } from "./config.ts";

/** Where something is answered, and under which settings: what the contexts of events and tools have in common. */
export interface Here {
  readonly paths: Paths;
  readonly place: Place;
  /** The memory folders that apply at the place. */
  readonly folders: readonly MemoryFolder[];
  readonly config: Config;
  readonly log: Log;
  now(): Date;
}
