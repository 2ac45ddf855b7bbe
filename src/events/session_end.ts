import type { HookOutput } from "../../hooks/wire.ts";
import { capture } from "./capture.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** The session is over: nobody waits for what its prompts have asked, and what is left of it is captured. */
export async function sessionEnd(
  event: HookEvent<"SessionEnd">,
  context: EventContext,
): Promise<HookOutput> {
  if (event.session !== undefined) context.prefetches.cancel(event.session);
  return await capture(event, context);
}
