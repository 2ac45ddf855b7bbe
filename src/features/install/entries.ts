import {
  HOOK_EVENTS,
  type HookEventRow,
  type Moment,
  MOMENTS,
  TIMEOUT_SECONDS,
} from "../../../hooks/events.ts";
import type { CommandHandler, HookGroups } from "../../../hooks/wire.ts";
import type { Command } from "../../core/link/self.ts";
import { shellQuoted, shellWords } from "../../core/text/shell_words.ts";

/** One hook handler in settings, by memo or by others, with its position. */
export interface HookEntry {
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: unknown;
}

/** The hooks that memo's settings ask for, of a Claude Code. */
export interface HookNeeds {
  /** Adds the events that deliver a language model's picks after the prompt. */
  readonly prefetch?: boolean | undefined;
  /** The kinds of moments to watch for; default: all. */
  readonly moments?: readonly Moment[] | undefined;
  /** Claude Code's version, if it is known: it is given no event that it does not know. */
  readonly client?: string | undefined;
}

/** memo's hook groups as they stand in settings: started through `self`. */
export function hookGroups(self: Command, options: HookNeeds = {}): HookGroups {
  const { client } = options;
  const handler = commandHandler(self, client);
  const rows = wantedEvents(options).filter((row) => isKnownTo(row, client));
  return Object.fromEntries(rows.map((row) => {
    const matcher = matcherOf(row, client);
    const limits = matcher === undefined ? {} : { matcher };
    return [row.name, [{ ...limits, hooks: [handler] }]];
  }));
}

/** The matcher of an event; undefined if it is heard for every tool, or has none. */
function matcherOf({ tools, since }: HookEventRow, client?: string): string | undefined {
  // A tool does no harm where it is not known: a Claude Code whose version cannot be told is taken for a new one.
  const names = tools?.filter((watched) => !client || isAtLeast(client, watched.since ?? since))
    .map(({ names }) => names).join("|");
  return names === undefined || LIST.test(names) ? names : `^(?:${names})$`;
}

/** What Claude Code reads as a list of names; anything else is a regular expression. */
const LIST = /^[\w|]*$/;

/** The events that memo would listen to and that this Claude Code may not be given. */
export function unknownEvents(options: HookNeeds): HookEventRow[] {
  return wantedEvents(options).filter((row) => !row.isExtra && !isKnownTo(row, options.client));
}

function wantedEvents(
  { prefetch = false, moments = MOMENTS }: HookNeeds,
): readonly HookEventRow[] {
  return HOOK_EVENTS.flatMap((row) => {
    const tools = row.tools?.filter(({ moment }) =>
      moment === undefined || moments.includes(moment)
    );
    if (row.isForPrefetch && !prefetch || tools?.length === 0) return [];
    return [tools === undefined ? row : { ...row, tools }];
  });
}

/** Whether a client may be given an event: it has it, or skips it until an update. */
function isKnownTo({ since }: HookEventRow, client = OLDEST_CLAUDE): boolean {
  return isAtLeast(client, since) || isAtLeast(client, SKIPS_UNKNOWN);
}

/** A Claude Code that ignores `args` has the command read by a shell; one that is not known may be given either. */
function commandHandler({ command, args }: Command, client = TAKES_ARGS): CommandHandler {
  const words = [...args, "hook"];
  const timeout = TIMEOUT_SECONDS;
  if (isAtLeast(client, TAKES_ARGS)) return { type: "command", command, args: words, timeout };
  return { type: "command", command: [command, ...words].map(shellQuoted).join(" "), timeout };
}

/** The same groups, one entry a handler. */
export function entriesOf(groups: HookGroups): HookEntry[] {
  return Object.entries(groups).flatMap(([event, list]) =>
    list.flatMap(({ matcher, hooks }) => hooks.map((handler) => ({ event, matcher, handler })))
  );
}

/** Decides whether a handler found in settings was put there by memo. */
export type IsOwn = (handler: unknown) => boolean;

/**
 * Recognises memo's handlers and servers: an executable called memo, wherever it lies or lay, or one of the `known`
 * ways to start it, in each case with `hook` or `mcp` as the last argument, and whatever is a hook for another agent.
 * A handler written by hand, `"command": "memo hook"`, is one of them.
 */
export function recognise(known: readonly Command[]): IsOwn {
  const starts = new Set(known.map(({ command, args }) => JSON.stringify([command, ...args])));
  return (handler) => {
    const words = wordsOf(handler), start = words.slice(0, -1);
    if (words.at(-3) === "hook" && words.at(-2) === "--agent") return true;
    if (start.length === 0 || !["hook", "mcp"].includes(words.at(-1)!)) return false;
    return /(?:^|[\\/])memo(\.exe)?$/i.test(start[0]!) || starts.has(JSON.stringify(start));
  };
}

/** The program that a handler starts; undefined if it starts none. */
export function programIn(handler: unknown): string | undefined {
  return wordsOf(handler)[0];
}

/** The words with which a handler, or an MCP server, is started; none if nothing is. */
function wordsOf(handler: unknown): string[] {
  const { bash, command = bash, args } = (handler ?? {}) as Record<string, unknown>;
  if (Array.isArray(command)) return command.map(String);
  if (typeof command !== "string") return [];
  if (args === undefined) return lineWords(command);
  return Array.isArray(args) ? [command, ...args.map(String)] : [];
}

/** The words of a line for the shell, without the variables that it sets. */
function lineWords(line: string): string[] {
  const words = shellWords(line);
  return words.slice(words.findIndex((word) => !/^\w+=/.test(word)));
}

// Versions of Claude Code, and the first version of each feature that memo uses; `hooks/events.ts` has the events.
/** The oldest Claude Code that memo is tested with; one whose version cannot be told gets the events of this. */
export const OLDEST_CLAUDE = "2.0.77";
/** From this version on Claude Code is known to skip an event that it does not know: 2.1.197 drops all hooks of the plugin. */
export const SKIPS_UNKNOWN = "2.1.329";
/** From this version on Claude Code hands a hook its `args`, and no shell reads the command. */
export const TAKES_ARGS = "2.1.139";

/** From this version on Claude Code tells a hook where a tool's MCP server is registered (`hooks/permission.ts`). */
export const NAMES_SERVERS = "2.1.274";

/** Whether a version is the same as another one or a later one. */
export function isAtLeast(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) >= 0;
}
