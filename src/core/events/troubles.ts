// What keeps memo from saving, in one line a day for the person: nothing ends in silence.

import { isStuck, type Job, readDropped, readJobs, stuckJob } from "../capture/queue.ts";
import { readState, writeState } from "../files/state.ts";
import { brief } from "../llm/mod.ts";
import { localTime } from "../text/local_time.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import type { EventContext, HookEvent } from "./event.ts";

/** What is said of a trouble, each day, or once of one that happened at a time. */
type Saying = string | { readonly at: string; readonly text: string } | undefined;

/** Each kind of trouble, and what is said of it; nothing where there is none. */
const TROUBLES: Readonly<Record<string, (event: HookEvent, context: EventContext) => Saying>> = {
  settings: (_, { config: { muted } }) =>
    muted && `nothing is being saved or sent to a language model: ${muted}`,
  /** A session hears of its own conversation, and at its start of those that others have left. */
  capture({ name, transcript }, { paths, now }) {
    const own = transcript === undefined ? undefined : stuckJob(paths.capture, transcript);
    if (own !== undefined) return `nothing is being saved ${becauseOf(own, now())}`;
    const [job, ...more] = name === "SessionStart" ? readJobs(paths.capture).filter(isStuck) : [];
    if (job === undefined) return undefined;
    const whose = more.length === 0
      ? "a conversation is not saved"
      : `${more.length + 1} conversations are not saved`;
    return `${whose} ${becauseOf(job, now())}`;
  },
  /** What capture has given up, to its own session or at the next one's start. */
  dropped({ name, transcript }, { paths }) {
    const dropped = readDropped(paths.capture);
    const isOwn = transcript !== undefined && dropped?.transcripts.at(-1) === transcript;
    if (dropped === undefined || !isOwn && name !== "SessionStart") return undefined;
    const { at, because } = dropped;
    return { at, text: `some of ${isOwn ? "this" : "a"} conversation was not saved: ${because}` };
  },
};

/** A line for each kind of trouble of which nobody has been told yet, or today. */
export function sayTroubles(event: HookEvent, context: EventContext): string[] {
  const { paths, now, defer } = context;
  const { day } = localTime(now());
  const told = readState(paths.troublesTold);
  return Object.entries(TROUBLES).flatMap(([kind, says]) => {
    const said = told?.[kind] === day ? undefined : says(event, context);
    const { at, text } = typeof said === "object" ? said : { at: day, text: said };
    if (text === undefined || told?.[kind] === at) return [];
    defer((isTaken) => {
      const others = readState(paths.troublesTold);
      if (isTaken) writeState(paths.troublesTold, { ...others, [kind]: at });
    });
    return [`memo: ${brief(neutraliseLine(text))} · memo doctor`];
  });
}

/** Since when a conversation waits, and why. */
function becauseOf({ since: at, failure }: Job, now: Date): string {
  return `since ${since(at, now)}: ${failure!.message}`;
}

/** The time alone where it was today. */
function since(at: string, now: Date): string {
  const { day, time } = localTime(new Date(at));
  return day === localTime(now).day ? time : `${day} ${time}`;
}
