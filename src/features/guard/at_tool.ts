import { relative, resolve, sep } from "node:path";
import type { HookOutput } from "../../../hooks/wire.ts";
import { type EventContext, type HookEvent, SILENT } from "../../core/events/event.ts";
import { leaveReceipt } from "../../core/events/conversation.ts";
import { within } from "../../core/link/within.ts";
import { projectAt, realPath } from "../../core/memory/project.ts";
import { neutralise, neutraliseLine } from "../../core/text/neutralise.ts";
import { anchoredFiles } from "./anchors.ts";
import { inject, momentSessionOf } from "./inject.ts";
import { stopFor } from "./check.ts";

/** Maximum characters of the rule that the user and the model are shown. */
const RULE_CHARS = 400;
/** A daemon that has not looked at the work tree yet may do so for this long, in milliseconds. */
const LOOK_MS = 120;

/** A tool is about to run: asks about one that a guard stops, and brings what a file that is read has a memory for. */
export async function atTool(
  event: HookEvent<"PreToolUse">,
  context: EventContext,
  isPaused: boolean,
): Promise<HookOutput> {
  const stopped = guardCall(event, context);
  if (stopped !== undefined || isPaused) return stopped ?? SILENT;
  return await atFile(event, context);
}

/** A shell line of a skill is about to run: keeps one that a guard stops from running. */
export function atSkillLine(
  event: HookEvent<"PreSkillShellCommand">,
  context: EventContext,
): Promise<HookOutput> {
  return Promise.resolve(guardCall(event, context) ?? SILENT);
}

/** Asks the user about a call that a guard stops, or refuses it; undefined lets it through. */
function guardCall(
  event: HookEvent<"PreToolUse" | "PreSkillShellCommand">,
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
      hookEventName: event.name,
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

/** Claude is about to read a file: brings, once, the decision of the memory that names it. */
async function atFile(
  event: HookEvent<"PreToolUse">,
  context: EventContext,
): Promise<HookOutput> {
  const { tool, file, cwd } = event;
  const { config, place, folders, withIndex } = context;
  if (tool !== "Read" || file === undefined || config["recall.moments"] !== "all") return SILENT;
  const started = performance.now();
  const top = projectAt(place)?.top;
  if (top === undefined) return SILENT;
  const path = relative(top, realPath(resolve(cwd, file))).replaceAll(sep, "/");
  const anchors = anchoredFiles.of(top, folders) ??
    await within(LOOK_MS, withIndex((index) => anchoredFiles.follow(index, top, folders)));
  const here = anchors?.get(path);
  if (here === undefined) return SILENT;
  const listener = await momentSessionOf(event, context);
  if (listener === undefined || listener.hasFile(path)) return SILENT;
  const memories = await withIndex(async (index) =>
    await (await index.corpus(folders)).memories(here.map(({ memory }) => memory))
  );
  const memory = memories.find(listener.isFit);
  if (memory === undefined) return SILENT;
  const about = here.filter((anchor) => anchor.memory === memory.id).map(({ text }) => text);
  return inject(memory, event, context, {
    ...{ listener, because: "names this file", about, file: path, started },
  });
}
