// What a person types as a prompt to memo itself, such as `memo pause`; the plugin has `/memo:pause` too.

import type { HookOutput } from "../../../hooks/wire.ts";
import { additionalContext, type HookEvent } from "./event.ts";

/** The commands that work as prompts; `memo undo` may name a memory. */
export const SPOKEN = ["pause", "undo"] as const;

const COMMAND = /^\s*(?:\/memo:|memo )(?:(pause)|(undo)(?:\s+(\S.*?))?)[.!]?\s*$/i;

/** The command that a prompt is, and what follows it; undefined: it is a prompt for the model. */
export function spokenIn(
  event: HookEvent,
): { readonly command: typeof SPOKEN[number]; readonly rest: string } | undefined {
  if (event.name !== "UserPromptSubmit" || event.isSubagent) return undefined;
  const [match, pause, , rest = ""] = COMMAND.exec(event.prompt) ?? [];
  return match === undefined ? undefined : { command: pause ? "pause" : "undo", rest };
}

/** Tells model and person what came of a command: `state` goes on from `memo `, as in `memo is paused`. */
export function answerSpoken(state: string): HookOutput {
  return {
    ...additionalContext(
      "UserPromptSubmit",
      `memo, the user's memory across sessions, ${state}. Say so in one sentence, and do nothing else.`,
    ),
    systemMessage: `memo ${state}`,
  };
}
