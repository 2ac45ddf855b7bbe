import type { HookOutput } from "../../hooks/wire.ts";
import { atCommand } from "./at_command.ts";
import { atFile } from "./at_file.ts";
import { stopFor } from "./check.ts";
import { projectAt, realPath } from "../memory/project.ts";
import { neutralise, neutraliseLine } from "../text/neutralise.ts";
import { type EventContext, type HookEvent, SILENT } from "../events/event.ts";
import { leaveReceipt } from "../events/receipt.ts";

/** Maximum characters of the rule that the user and the model are shown. */
const RULE_CHARS = 400;

/** A tool is about to run: asks about one that a guard stops, and brings what the others have a memory for. */
export async function atTool(
  event: HookEvent<"PreToolUse">,
  context: EventContext,
  isPaused: boolean,
): Promise<HookOutput> {
  const stopped = guardCall(event, context);
  if (stopped !== undefined || isPaused) return stopped ?? SILENT;
  return event.tool === "Read" ? await atFile(event, context) : await atCommand(event, context);
}

/** Asks the user about a call that a guard stops, or refuses it; undefined lets it through. */
function guardCall(
  event: HookEvent<"PreToolUse">,
  context: EventContext,
): HookOutput | undefined {
  const { tool, input } = event;
  const { paths, folders, place } = context;
  if (tool === undefined) return undefined;
  const cwd = realPath(event.cwd);
  const root = projectAt(place)?.top ?? place.cwd;
  const stop = stopFor({ tool, input, cwd }, { guards: paths.guards, folders, root });
  if (stop === undefined) return undefined;
  const { guard: { mode, path }, rule } = stop;
  leaveReceipt(event, context, {
    ...{ outcome: "hit", why: `guard: ${mode}`, block: undefined, timings: {} },
    memories: [{ path }],
  });
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: mode,
      permissionDecisionReason: reasonOf(rule),
    },
  };
}

/** The rule as the user wrote it, for the user who is asked and the model that is refused. */
function reasonOf({ name, body }: { readonly name: string; readonly body: string }): string {
  const title = neutraliseLine(name);
  const [rule = ""] = neutralise(body).trim().split(/\n\s*\n/);
  const text = rule === "" || rule.startsWith(title) ? rule || title : `${title}. ${rule}`;
  return `memo guards a rule of yours: ${text.slice(0, RULE_CHARS).toWellFormed()}`;
}
