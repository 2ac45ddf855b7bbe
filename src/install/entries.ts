import { basename, isAbsolute } from "node:path";
import {
  HOOK_EVENTS,
  type HookEventRow,
  type Moment,
  TIMEOUT_SECONDS,
} from "../../hooks/events.ts";
import type { CommandHandler, HookGroups, HttpHandler } from "../../hooks/wire.ts";
import { type Endpoint, LOOPBACK } from "./endpoint.ts";
import type { Command } from "../link/self.ts";
import { GUARDS } from "../link/session_env.ts";
import { shellQuoted, shellWords } from "../text/shell_words.ts";
import { isAtLeast, OLDEST_CLAUDE, TAKES_ARGS } from "./versions.ts";

/** One hook handler in settings, by memo or by others, with its position. */
export interface HookEntry {
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: unknown;
}

/** How hooks reach the daemon: through a process each, or over http. */
export const TRANSPORTS = ["command", "http"] as const;
export type Transport = typeof TRANSPORTS[number];

/** What http hooks are told. */
export interface HttpTarget {
  readonly endpoint: Endpoint;
  /** Claude Code's configuration folder. */
  readonly claude: string;
}

/** The hooks that memo's settings ask for. */
export interface HookNeeds {
  /** Adds the events that deliver a language model's picks after the prompt. */
  readonly prefetch?: boolean | undefined;
  /** The kinds of moments to watch for; default: `USUAL_MOMENTS`. */
  readonly moments?: readonly Moment[] | undefined;
}

export interface GroupOptions extends HookNeeds {
  /** Sends prompts over http instead of starting a process for each. */
  readonly http?: HttpTarget | undefined;
  /** Claude Code's version, if it is known: it is given no event that it does not know. */
  readonly client?: string | undefined;
}

/** The moments to watch for by default: a guard has to be set up first. */
export const USUAL_MOMENTS: readonly Moment[] = ["file", "error"];

/** memo's hook groups as they stand in settings: started through `self`, or sent to `http`. */
export function hookGroups(self: Command, options: GroupOptions = {}): HookGroups {
  const { http, client } = options;
  const command = commandHandler(self, client);
  const handlerOf = ({ transport }: HookEventRow) =>
    http === undefined || transport === "command" ? command : httpHandler(http);
  const rows = wantedEvents(options).filter((row) => isKnownTo(row, client));
  return Object.fromEntries(rows.map((row) => {
    const matcher = matcherOf(row, client);
    const limits = matcher === undefined ? {} : { matcher };
    return [row.name, [{ ...limits, hooks: [handlerOf(row)] }]];
  }));
}

/** The matcher of an event; undefined if it is heard for every tool, or has none. */
function matcherOf({ tools, since }: HookEventRow, client = OLDEST_CLAUDE): string | undefined {
  const names = tools?.filter((watched) => isAtLeast(client, watched.since ?? since))
    .map(({ names }) => names).join("|");
  return names === undefined || LIST.test(names) ? names : `^(?:${names})$`;
}

/** What Claude Code reads as a list of names; anything else is a regular expression. */
const LIST = /^[\w|]*$/;

/** The events that memo would listen to and that this Claude Code does not know. */
export function unknownEvents(options: GroupOptions): HookEventRow[] {
  return wantedEvents(options).filter((row) => !isKnownTo(row, options.client));
}

function wantedEvents(
  { prefetch = false, moments = USUAL_MOMENTS }: GroupOptions,
): readonly HookEventRow[] {
  return HOOK_EVENTS.flatMap((row) => {
    const tools = row.tools?.filter(({ moment }) =>
      moment === undefined || moments.includes(moment)
    );
    if (row.isForPrefetch && !prefetch || tools?.length === 0) return [];
    return [tools === undefined ? row : { ...row, tools }];
  });
}

function isKnownTo({ since }: HookEventRow, client = OLDEST_CLAUDE): boolean {
  return isAtLeast(client, since);
}

/** A Claude Code that ignores `args` has the command read by a shell; one that is not known may be given either. */
function commandHandler({ command, args }: Command, client = TAKES_ARGS): CommandHandler {
  const words = [...args, "hook"];
  const timeout = TIMEOUT_SECONDS;
  if (isAtLeast(client, TAKES_ARGS)) return { type: "command", command, args: words, timeout };
  return { type: "command", command: [command, ...words].map(shellQuoted).join(" "), timeout };
}

/**
 * The token stands in the settings as it is: Claude Code's environment, the only other place that a header can take it
 * from, would have to be set up by hand, and is inherited by all that Claude runs. The guards that a command would
 * find in its environment come in a header.
 */
function httpHandler({ endpoint: { port, token }, claude }: HttpTarget): HttpHandler {
  return {
    type: "http",
    url: `http://${LOOPBACK}:${port}/hook?claude=${encodeURIComponent(claude)}`,
    headers: {
      Authorization: `Bearer ${token}`,
      "X-Memo-Guard": GUARDS.map((name) => `$${name}`).join(","),
    },
    allowedEnvVars: GUARDS,
    timeout: TIMEOUT_SECONDS,
  };
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
 * Recognises memo's handlers: an executable called memo, wherever it lies or lay, or one of the `known` ways to
 * start it, in each case with `hook` as the last argument; or the address of its http server, on whatever port. A
 * handler written by hand, `"command": "memo hook"`, is one of them.
 */
export function recognise(known: readonly Command[]): IsOwn {
  const isOwnCommand = recogniseCommand(known, "hook");
  return (handler) => {
    const { type, url } = (handler ?? {}) as Record<string, unknown>;
    if (type === "http") return typeof url === "string" && isOwnAddress(url);
    return isOwnCommand(handler);
  };
}

/** The same for commands whose last argument is `word`. */
export function recogniseCommand(known: readonly Command[], word: string): IsOwn {
  const starts = new Set(known.map(({ command, args }) => JSON.stringify([command, ...args])));
  return (handler) => {
    const { command, args } = (handler ?? {}) as Record<string, unknown>;
    if (typeof command !== "string") return false;
    if (args !== undefined && !Array.isArray(args)) return false;
    const words = args === undefined ? lineWords(command) : [command, ...args.map(String)];
    if (words.length < 2 || words.at(-1) !== word) return false;
    const start = words.slice(0, -1);
    return isNamedMemo(start[0]!) && (args !== undefined || start.length === 1) ||
      starts.has(JSON.stringify(start));
  };
}

/** The program that a handler starts; undefined if it starts none. */
export function programIn(handler: unknown): string | undefined {
  const { command, args } = (handler ?? {}) as Record<string, unknown>;
  if (typeof command !== "string") return undefined;
  return args === undefined ? lineWords(command)[0] : command;
}

/** The words of a line for the shell, without the variables that it sets. */
function lineWords(line: string): string[] {
  const words = shellWords(line);
  return words.slice(words.findIndex((word) => !/^\w+=/.test(word)));
}

function isNamedMemo(path: string): boolean {
  return /^memo(\.exe)?$/i.test(basename(path.replaceAll("\\", "/")));
}

function isOwnAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, pathname, searchParams } = new URL(address);
  return protocol === "http:" && hostname === LOOPBACK && pathname === "/hook" &&
    [...searchParams.keys()].join() === "claude" && isAbsolute(searchParams.get("claude")!);
}
