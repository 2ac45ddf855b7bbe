import { basename, isAbsolute } from "node:path";
import template from "../../hooks/hooks.json" with { type: "json" };
import prefetchTemplate from "../../hooks/prefetch_hooks.json" with { type: "json" };
import type { CommandHandler, HookGroups, HttpHandler } from "../../hooks/wire.ts";
import { type Endpoint, LOOPBACK } from "./endpoint.ts";
import type { Command } from "../link/self.ts";

/** One handler in its place: what settings say about a hook, whoever put it there. */
export interface HookEntry {
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: unknown;
}

/** The hook events that memo listens to, in the order of `hooks/hooks.json`. */
export const HOOK_EVENTS: readonly string[] = Object.keys(template.hooks);

/** How hooks reach the daemon: through a process each, or over http. */
export const TRANSPORTS = ["command", "http"] as const;
export type Transport = typeof TRANSPORTS[number];

/** What http hooks are told. */
export interface HttpTarget {
  readonly endpoint: Endpoint;
  /** Claude Code's configuration folder. */
  readonly claude: string;
}

/**
 * These are commands with http, too. Claude Code does not offer it for the first two, and the command starts the daemon
 * that http needs; what answers `PreCompact` goes to the summariser, and over http there is always an answer; the end
 * of a session must not be lost when there is no daemon.
 */
const COMMAND_ONLY: readonly string[] = ["SessionStart", "Setup", "PreCompact", "SessionEnd"];

export interface GroupOptions {
  /** Sends prompts over http instead of starting a process for each. */
  readonly http?: HttpTarget | undefined;
  /** Adds the events that deliver what a language model picks while the prompt goes on. */
  readonly prefetch?: boolean | undefined;
}

/** memo's hook groups as they stand in settings: started through `self`, or sent to `http`. */
export function hookGroups(
  self: Command,
  { http, prefetch = false }: GroupOptions = {},
): HookGroups {
  const groups = {
    ...template.hooks,
    ...(prefetch ? prefetchTemplate.hooks : {}),
  } as HookGroups;
  return Object.fromEntries(
    Object.entries(groups).map(([event, list]) => {
      const handler = (timeout: number) =>
        http === undefined || COMMAND_ONLY.includes(event)
          ? commandHandler(self, timeout)
          : httpHandler(http, timeout);
      return [
        event,
        list.map((group) => ({ ...group, hooks: group.hooks.map((row) => handler(row.timeout)) })),
      ];
    }),
  );
}

function commandHandler(self: Command, timeout: number): CommandHandler {
  return { type: "command", command: self.command, args: [...self.args, "hook"], timeout };
}

/**
 * The token stands in the settings as it is: Claude Code's environment, the only other place that a header can take it
 * from, would have to be set up by hand, and is inherited by all that Claude runs. The guards that a command would
 * find in its environment come in a header.
 */
function httpHandler(
  { endpoint: { port, token }, claude }: HttpTarget,
  timeout: number,
): HttpHandler {
  return {
    type: "http",
    url: `http://${LOOPBACK}:${port}/hook?claude=${encodeURIComponent(claude)}`,
    headers: {
      Authorization: `Bearer ${token}`,
      "X-Memo-Guard": GUARDS.map((name) => `$${name}`).join(","),
    },
    allowedEnvVars: GUARDS,
    timeout,
  };
}

const GUARDS = ["CLAUDE_HEADLESS", "MEMO_CHILD"];

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
 * start it, in each case with `hook` as the last argument; or the address of its http server, on whatever port.
 */
export function recognise(known: readonly Command[]): IsOwn {
  const starts = new Set(known.map(({ command, args }) => JSON.stringify([command, ...args])));
  return (handler) => {
    const { type, url, command, args } = (handler ?? {}) as Record<string, unknown>;
    if (type === "http") return typeof url === "string" && isOwnAddress(url);
    if (typeof command !== "string" || !Array.isArray(args) || args.at(-1) !== "hook") return false;
    return /^memo(\.exe)?$/i.test(basename(command.replaceAll("\\", "/"))) ||
      starts.has(JSON.stringify([command, ...args.slice(0, -1)]));
  };
}

function isOwnAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, pathname, searchParams } = new URL(address);
  return protocol === "http:" && hostname === LOOPBACK && pathname === "/hook" &&
    [...searchParams.keys()].join() === "claude" && isAbsolute(searchParams.get("claude")!);
}
