import { basename } from "node:path";
import template from "../../hooks/hooks.json" with { type: "json" };
import type { CommandHandler, HookGroups } from "../../hooks/wire.ts";
import type { Command } from "../self.ts";

/** One handler in its place: what settings say about a hook, whoever put it there. */
export interface HookEntry {
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: unknown;
}

/** The hook events that memo listens to, in the order of `hooks/hooks.json`. */
export const HOOK_EVENTS: readonly string[] = Object.keys(template.hooks);

/** memo's hook groups as they stand in settings, started through `self`. */
export function hookGroups(self: Command): HookGroups {
  const handler = (timeout: number): CommandHandler => ({
    type: "command",
    command: self.command,
    args: [...self.args, "hook"],
    timeout,
  });
  const groups: HookGroups = template.hooks as HookGroups;
  return Object.fromEntries(
    Object.entries(groups).map(([event, list]) => [
      event,
      list.map((group) => ({ ...group, hooks: group.hooks.map((row) => handler(row.timeout)) })),
    ]),
  );
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
 * start it, in each case with `hook` as the last argument.
 */
export function recognise(known: readonly Command[]): IsOwn {
  const starts = new Set(known.map(({ command, args }) => JSON.stringify([command, ...args])));
  return (handler) => {
    const { command, args } = (handler ?? {}) as { command?: unknown; args?: unknown };
    if (typeof command !== "string" || !Array.isArray(args) || args.at(-1) !== "hook") return false;
    return /^memo(\.exe)?$/i.test(basename(command.replaceAll("\\", "/"))) ||
      starts.has(JSON.stringify([command, ...args.slice(0, -1)]));
  };
}
