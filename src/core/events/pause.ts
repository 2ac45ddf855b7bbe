import type { HookOutput } from "../../../hooks/wire.ts";
import { autoMemory } from "../memory/claude_settings.ts";
import { isPaused, notePause, togglePause } from "../transcript/pause.ts";
import { answerSpoken, type EventContext, type HookEvent, SILENT, spokenIn } from "./event.ts";
import { leaveReceipt, NOTHING_GIVEN } from "./conversation.ts";

/** The answer while memo is paused, or to the command that pauses it and goes on; undefined: events are heard. */
export function whilePaused(event: HookEvent, context: EventContext): HookOutput | undefined {
  const { session, promptId: prompt } = event;
  const { paths, place } = context;
  if (session === undefined) return undefined;
  if (event.name === "SessionStart" && event.source !== "compact" && autoMemory(place).isOff) {
    notePause(paths, { session, beganOff: true });
  }
  const isCommand = spokenIn(event)?.command === "pause";
  if (isCommand) togglePause(paths, { session, prompt });
  const isOn = isPaused(paths, session, place);
  if (isCommand) {
    return answerSpoken(
      isOn
        ? "is paused in this session: nothing is recalled or saved until the next `memo pause`"
        : "is no longer paused in this session",
    );
  }
  if (!isOn) return undefined;
  if (event.name === "UserPromptSubmit") {
    notePause(paths, { session, prompt });
    leaveReceipt(event, context, { ...NOTHING_GIVEN, outcome: "gated", why: "paused" });
  }
  return SILENT;
}
