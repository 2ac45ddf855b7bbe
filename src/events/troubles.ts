// What keeps memo from saving, in one line a day for the person: nothing ends in silence.

import { stuckJobs } from "../capture/queue.ts";
import { readState, writeState } from "../files/state.ts";
import { brief } from "../llm/provider.ts";
import { localTime } from "../text/local_time.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** Each kind of trouble, and what is said of it; nothing where there is none. */
const TROUBLES: Readonly<
  Record<string, (event: HookEvent, context: EventContext) => string | undefined>
> = {
  settings: (_, { config: { muted } }) =>
    muted && `nothing is being saved or sent to a language model: ${muted}`,
  /** A session hears of its own conversation, and at its start of those that others have left. */
  capture({ name, transcript }, { paths, now }) {
    const stuck = stuckJobs(paths.capture);
    const own = stuck.find((job) => job.transcript === transcript);
    const job = own ?? (name === "SessionStart" ? stuck[0] : undefined);
    if (job === undefined) return undefined;
    const whose = own !== undefined
      ? "nothing is being saved"
      : stuck.length === 1
      ? "a conversation is not saved"
      : `${stuck.length} conversations are not saved`;
    return `${whose} since ${since(job.since, now())}: ${job.failure!.message}`;
  },
};

/** A line for each kind of trouble of which nobody has been told today. */
export function sayTroubles(event: HookEvent, context: EventContext): string[] {
  const { paths, now, defer } = context;
  const { day } = localTime(now());
  const told = readState(paths.troublesTold);
  return Object.entries(TROUBLES).flatMap(([kind, says]) => {
    const text = told?.[kind] === day ? undefined : says(event, context);
    if (text === undefined) return [];
    defer((isTaken) => {
      const others = readState(paths.troublesTold);
      if (isTaken) writeState(paths.troublesTold, { ...others, [kind]: day }, { durable: false });
    });
    return [`memo: ${brief(neutraliseLine(text))} · memo doctor`];
  });
}

/** The time alone where it was today. */
function since(at: string, now: Date): string {
  const { day, time } = localTime(new Date(at));
  return day === localTime(now).day ? time : `${day} ${time}`;
}
