import type { HookOutput } from "../../hooks/wire.ts";
import { type EventContext, type HookEvent, SILENT } from "./event.ts";

/** A command or another tool has failed. */
export function postToolUseFailure(
  _event: HookEvent<"PostToolUseFailure">,
  _context: EventContext,
): Promise<HookOutput> {
  return Promise.resolve(SILENT);
}
