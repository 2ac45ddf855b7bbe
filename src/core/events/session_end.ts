import type { HookOutput } from "../../../hooks/wire.ts";
import { capture } from "./capture.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** The session is over: cancels its prefetch, and captures the rest of its transcript. */
export async function sessionEnd(
  event: HookEvent<"SessionEnd">,
  context: EventContext,
): Promise<HookOutput> {
  if (event.session !== undefined) context.prefetches.cancel(event.session);
  return await capture(event, context);
}
