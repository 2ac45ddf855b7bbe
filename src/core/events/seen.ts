// One line for the person, which the model never sees: what memo has recalled and saved, and how to take it back.

import { existsSync } from "node:fs";
import type { HookOutput } from "../../../hooks/wire.ts";
import { APPLIES } from "../change/place.ts";
import type { Rivalry } from "../relation/relate.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { dropNotices, type Notice, NOTICED, readNotices } from "../change/notices.ts";
import type { EventContext, HookEvent } from "./event.ts";
import { sayTroubles } from "./troubles.ts";

/** Names to tell; the others are counted. */
const NAMED = 3;
const NAME_CHARS = 60;

/** What each kind of change is called, and the command that goes with it. */
const WORDS: Readonly<Record<Notice["what"], { readonly says: string; readonly then: string }>> = {
  saved: { says: "saved", then: "memo undo" },
  updated: { says: "updated", then: "memo undo" },
  forgot: { says: "forgot", then: "memo undo" },
  held: { says: "held back for your review", then: "memo show NAME" },
  offered: { says: "could guard", then: "memo guard NAME" },
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
  const notices = left.filter(isCurrent);
  const parts = notify === "all" && recalled.length > 0 ? [`recalled ${listed(recalled)}`] : [];
  const told = NOTICED.flatMap((what) => {
    const its = notices.filter((notice) => notice.what === what);
    return its.length === 0 ? [] : [{ what, its }];
  });
  parts.push(
    ...told.map(({ what, its }) => `${WORDS[what].says} ${listedIn(its, context)}`),
  );
  parts.push(...replacedBy(notices), ...against(notices));
  const commands = new Set(told.map(({ what, its }) => commandFor(what, its)));
  const line = parts.length === 0 ? [] : [[`memo: ${parts.join(" · ")}`, ...commands].join(" · ")];
  const lines = [...line, ...sayTroubles(event, context)];
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

/** Whether the memory is still there: it may have been forgotten or taken back meanwhile. */
function isCurrent({ what, path }: Notice): boolean {
  return what === "forgot" || path === undefined || existsSync(path);
}

function commandFor(what: Notice["what"], { length }: readonly Notice[]): string {
  const { then } = WORDS[what];
  return then === "memo undo" && length > 1 ? "memo undo NAME" : then;
}

/** What is no longer in force: it may not be what was meant. */
function replacedBy(notices: readonly Notice[]): string[] {
  const former = notices.flatMap(({ replaced }) => replaced ?? []);
  return former.length === 0 ? [] : [`replaced ${listed(former)}`];
}

/** What stays though a new one says otherwise: behind it, or until the person decides. */
function against(notices: readonly Notice[]): string[] {
  const named = (wanted: Rivalry) =>
    notices.flatMap(({ against }) => against?.kind === wanted ? [against.name] : []);
  const [overtaken, rivals] = [named("overtaken"), named("rivals")];
  return [
    ...overtaken.length === 0 ? [] : [`overtakes ${listed(overtaken)}`],
    ...rivals.length === 0 ? [] : [`disagrees with ${listed(rivals)}: decide in memo ui, Review`],
  ];
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
  const told = [...new Set(names)].map((name) => `“${cut(neutraliseLine(name))}”`);
  const more = told.length - NAMED;
  return told.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function cut(name: string): string {
  const characters = [...name];
  return characters.length <= NAME_CHARS
    ? name
    : characters.slice(0, NAME_CHARS - 1).join("") + "…";
}
