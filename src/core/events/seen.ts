// One line for the person, which the model never sees: what memo has recalled and saved, and how to take it back.

import { existsSync } from "node:fs";
import type { HookOutput } from "../../../hooks/wire.ts";
import { APPLIES } from "../change/change.ts";
import type { Conflict } from "../relation/relate.ts";
import { shorten } from "../memory/title.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { dropNotices, type Notice, NOTICED, readNotices } from "../change/follow.ts";
import type { EventContext, HookEvent } from "./event.ts";
import { type CaptureJob, isStuck, readDropped, readJobs, stuckJob } from "../capture/queue.ts";
import { readState, writeState } from "../files/state.ts";
import { brief } from "../llm/mod.ts";
import { counted, localTime } from "../text/counted.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { textAt } from "../files/there.ts";
import { PURPOSES, unanswered } from "../settings/purposes.ts";

const NAMED = 3;
const NAME_CHARS = 60;

/** What each kind of change is called, and the command that goes with it. */
const WORDS: Readonly<Record<Notice["what"], { readonly says: string; readonly then: string }>> = {
  saved: { says: "saved", then: "memo undo" },
  updated: { says: "updated", then: "memo undo" },
  forgot: { says: "forgot", then: "memo undo" },
  held: { says: "for your review:", then: "memo show NAME" },
  offered: { says: "can guard", then: "memo guard NAME" },
};

/** The line about an event, as the setting `notify` wants it; nothing if there is nothing to tell. */
export function seen(
  event: HookEvent,
  context: EventContext,
  recalled: readonly string[] = [],
): Pick<HookOutput, "systemMessage"> {
  const { config: { notify }, paths, defer } = context;
  if (notify === "off" || event.isSubagent) return {};
  const left = noticesFor(event, context);
  if (left.length > 0) {
    defer((isTaken) => isTaken && dropNotices(paths.notices, left));
  }
  // A memory may have been forgotten or taken back meanwhile.
  const notices = left.filter(({ what, path }) =>
    what === "forgot" || path === undefined || existsSync(path)
  );
  const told = NOTICED.flatMap((what) => {
    const its = notices.filter((notice) => notice.what === what);
    return its.length === 0 ? [] : [{ what, its }];
  });
  const parts = [
    ...notify === "all" && recalled.length > 0 ? [`recalled ${listed(recalled)}`] : [],
    ...told.map(({ what, its }) => `${WORDS[what].says} ${listedIn(its, context)}`),
    ...insteadOf(notices),
  ];
  const commands = new Set(told.map(({ what, its }) => commandFor(what, its)));
  const line = parts.length === 0 ? [] : [[`memo: ${parts.join(" · ")}`, ...commands].join(" · ")];
  const lines = [...line, ...formatTroubles(event, context)];
  return lines.length === 0 ? {} : { systemMessage: lines.join("\n") };
}

/** A session is told of its own changes, and at its start of those that another one left. */
function noticesFor(
  { name, session }: HookEvent,
  { paths, folders }: EventContext,
): Notice[] {
  return readNotices(paths.notices).filter((notice) =>
    folders.some(({ path }) => path === notice.folder) &&
    (name === "SessionStart" || notice.session === session)
  );
}

function commandFor(what: Notice["what"], { length }: readonly Notice[]): string {
  const { then } = WORDS[what];
  return then === "memo undo" && length > 1 ? "memo undo NAME" : then;
}

/** What is no longer in force, or stays though a new one says otherwise: behind it, or until the person decides. */
function insteadOf(notices: readonly Notice[]): string[] {
  const named = (wanted: Conflict) =>
    notices.flatMap(({ against }) => against?.kind === wanted ? [against.name] : []);
  const kinds = [
    ["replaced", notices.flatMap(({ replaced }) => replaced ?? []), ""],
    ["outranks", named("overtaken"), ""],
    ["conflicts with", named("rivals"), ": decide in memo ui, Review"],
  ] as const;
  return kinds.flatMap(([verb, names, then]) =>
    names.length === 0 ? [] : [`${verb} ${listed(names)}${then}`]
  );
}

/** The names of changed memories; of new ones also where they apply, because memo has decided that. */
function listedIn(notices: readonly Notice[], { folders }: EventContext): string {
  const names = (some: readonly Notice[]) => listed(some.map(({ name }) => name));
  if (notices[0]!.what !== "saved") return names(notices);
  const byScope = Map.groupBy(
    notices,
    ({ folder }) => folders.find(({ path }) => path === folder)!.scope,
  );
  return [...byScope].map(([scope, some]) => `${names(some)} ${APPLIES[scope]}`).join(", ");
}

function listed(names: readonly string[]): string {
  const told = [...new Set(names)].map((name) => `“${shorten(neutraliseLine(name), NAME_CHARS)}”`);
  const more = told.length - NAMED;
  return told.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/**
 * What is said of a trouble, each day, or once of one that happened at a time: what keeps memo from saving does not end in
 * silence.
 */
type SeenText = string | { readonly at: string; readonly text: string } | undefined;

/** Each kind of trouble, and what is said of it; nothing where there is none. */
const TROUBLES: Readonly<Record<string, (event: HookEvent, context: EventContext) => SeenText>> = {
  settings: (_, { config: { muted } }) =>
    muted && `nothing is being saved or sent to a language model: ${muted}`,
  /** A session hears of its own conversation, and at its start of those that others have left. */
  capture({ name, transcript }, { paths, now }) {
    const own = transcript === undefined ? undefined : stuckJob(paths.capture, transcript);
    if (own !== undefined) return `nothing saved ${becauseOf(own, now())}`;
    const [job, ...more] = name === "SessionStart" ? readJobs(paths.capture).filter(isStuck) : [];
    if (job === undefined) return undefined;
    return `${counted(more.length + 1, "conversation")} not saved ${becauseOf(job, now())}`;
  },
  /** What capture has given up, to its own session or at the next one's start. */
  dropped({ name, transcript }, { paths }) {
    const dropped = readDropped(paths.capture);
    const isOwn = transcript !== undefined && dropped?.transcripts.at(-1) === transcript;
    if (dropped === undefined || !isOwn && name !== "SessionStart") return undefined;
    const { at, because } = dropped;
    return { at, text: `part of ${isOwn ? "this" : "a"} conversation was not saved: ${because}` };
  },
};

/** A line for each kind of trouble of which nobody has been told yet, or today. */
function formatTroubles(event: HookEvent, context: EventContext): string[] {
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

function becauseOf({ since: at, failure }: CaptureJob, now: Date): string {
  return `since ${since(at, now)}: ${failure!.message}`;
}

function since(at: string, now: Date): string {
  const { day, time } = localTime(new Date(at));
  return day === localTime(now).day ? time : `${day} ${time}`;
}

/** What waits for the person's yes before any of it is sent; nothing where all is answered, or this was said before. */
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
    ? `memo: new, off until you turn it on: ${fresh.join(", ")} · memo help privacy`
    : "memo: conversations are not saved, and nothing is sent to a language model, until you turn it on · memo init";
  return { systemMessage };
}
