import type { PageCall } from "./call.ts";
import * as changing from "./changing.ts";
import * as deciding from "./deciding.ts";
import * as given from "./given.ts";
import * as looking from "./looking.ts";

/** Every call of the page by name, but `session`, which `serve.ts` answers itself: these files export nothing else. */
export const CALLS: ReadonlyMap<string, PageCall> = new Map(
  Object.entries<PageCall>({ ...given, ...looking, ...changing, ...deciding }),
);
