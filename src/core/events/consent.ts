// What waits for the person's yes before any of it is sent, in one line for the person alone.

import type { HookOutput } from "../../../hooks/wire.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { textAt } from "../files/there.ts";
import { PURPOSES, unanswered } from "../settings/purposes.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** The line; nothing where all is answered, or this was said before. */
export function askForConsent(
  { isSubagent }: HookEvent<"SessionStart">,
  { config, paths, defer }: EventContext,
): Pick<HookOutput, "systemMessage"> {
  const waiting = unanswered(config);
  const isUnread = config.muted !== undefined; // what was answered is not known, and another line says so
  if (config.notify === "off" || isSubagent || isUnread || waiting.length === 0) return {};
  const told = (textAt(paths.consentAsked) ?? "").trim().split(" "); // what the person has been told of
  const fresh = waiting.filter((name) => !told.includes(name));
  if (fresh.length === 0) return {};
  defer((isTaken) =>
    isTaken && writeFileAtomic(paths.consentAsked, waiting.join(" ") + "\n", { mode: 0o600 })
  );
  const systemMessage = waiting.length < PURPOSES.length
    ? `memo: new, and not sent to a language model until you say yes: ${
      fresh.join(", ")
    } · memo help privacy`
    : "memo: nothing is sent to a language model until you say yes, and conversations are not saved · memo init";
  return { systemMessage };
}
