import type { HookOutput } from "../../hooks/wire.ts";
import { autoMemory } from "../memory/claude_settings.ts";
import { isPaused, notePause, togglePause } from "../transcript/pause.ts";
import { additionalContext, type EventContext, type HookEvent, SILENT } from "./event.ts";
import { leaveReceipt, NOTHING_GIVEN } from "./receipt.ts";

/** The plugin's command, and what is typed where there is no plugin. */
const COMMAND = /^\s*(?:\/memo:|memo )pause\s*$/i;

/** The answer while memo is paused, or to the command that pauses it and goes on; undefined: events are heard. */
export function whilePaused(event: HookEvent, context: EventContext): HookOutput | undefined {
  const { session, promptId: prompt } = event;
  const { paths, place } = context;
  if (session === undefined) return undefined;
  if (event.name === "SessionStart" && event.source !== "compact" && autoMemory(place).isOff) {
    notePause(paths, { session, beganOff: true });
  }
  const isCommand = event.name === "UserPromptSubmit" && COMMAND.test(event.prompt);
  if (isCommand) togglePause(paths, { session, prompt });
  const isOn = isPaused(paths, session, place);
  if (isCommand) return said(isOn);
  if (!isOn) return undefined;
  if (event.name === "UserPromptSubmit") {
    notePause(paths, { session, prompt });
    leaveReceipt(event, context, { ...NOTHING_GIVEN, outcome: "gated", why: "paused" });
  }
  return SILENT;
}

/** What the person and the model are told of the command. */
function said(isOn: boolean): HookOutput {
  const state = isOn
    ? "paused in this session: nothing is recalled or saved until the next `/memo:pause`"
    : "no longer paused in this session";
  return {
    ...additionalContext(
      "UserPromptSubmit",
      `memo, the user's memory across sessions, is ${state}. Say so in one sentence, and do nothing else.`,
    ),
    systemMessage: `memo: ${state}`,
  };
}
