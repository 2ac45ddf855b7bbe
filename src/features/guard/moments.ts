import { join, relative, resolve, sep } from "node:path";
import type { HookOutput } from "../../../hooks/wire.ts";
import { type EventContext, type HookEvent, SILENT } from "../../core/events/event.ts";
import { leaveReceipt } from "../../core/events/conversation.ts";
import { within } from "../../core/link/within.ts";
import { projectAt, realPath } from "../../core/memory/project.ts";
import { neutralise, neutraliseLine } from "../../core/text/neutralise.ts";
import { anchoredFiles } from "./anchors.ts";
import { inject, momentSessionOf } from "./inject.ts";
import { isGuarded, stopFor } from "./guards.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { isEndpoint } from "../../core/embed/mod.ts";
import { extractError, type Failure, findByError, NEVER_AT_ERRORS } from "./at_error.ts";
import { type Moment, MOMENTS } from "../../../hooks/events.ts";
import type { JobContext } from "../../core/engine/jobs.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { namesIn } from "../../core/files/there.ts";
import { markerOf, type Where } from "../../core/link/moments.ts";

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

/** A command or a server's tool has failed: brings the memory that knows the error. */
export async function atFailure(
  event: HookEvent<"PostToolUseFailure">,
  context: EventContext,
  isPaused: boolean,
): Promise<HookOutput> {
  const { tool = "", command = tool, error, isInterrupted } = event;
  const { config, folders, embed, withIndex } = context;
  const isOff = isPaused || config["recall.moments"] === "off";
  if (isOff || error === undefined || isInterrupted) return SILENT;
  const started = performance.now();
  const decisive = extractError({ command, output: error });
  const listener = decisive && await momentSessionOf(event, context);
  if (listener === undefined) return SILENT;
  const failure = await withoutSecrets(decisive!, context);
  const now = context.now();
  const { isFit } = listener;
  const found = await withIndex((index) =>
    findByError(failure, { index, folders, config, now, embed, isFit })
  );
  if (found === undefined) return SILENT;
  const { memory, shared: about, score } = found;
  return inject(memory, event, context, {
    ...{ listener, because: "knows this error", about, started, score },
  });
}

/** A failure whose text may leave the machine to be embedded loses all that may be a secret, and not only what memo's own rules find. */
async function withoutSecrets(
  failure: Failure,
  { config, redact }: EventContext,
): Promise<Failure> {
  if (!isEndpoint(config.model)) return failure;
  const patterns = ownPatterns(config["redact.patterns"]);
  const [command, output] = [failure.command, failure.output].map((text) => redact(text, patterns));
  return { command: await command!, output: await output! };
}

/** Notes for the hook which moments a project has something for: at others it asks nobody. */
export async function noteMoments(context: JobContext): Promise<void> {
  const { engine: { paths }, place, now } = context;
  const { claude, cwd, projectDir = cwd } = place;
  mark({ ...paths, claude, projectDir }, await presentMoments(context), now);
}

async function presentMoments(
  { engine, place, env }: JobContext,
): Promise<Record<Moment, boolean>> {
  const { paths } = engine, folders = memoryFolders(place);
  const wanted = engine.config(place, env)["recall.moments"];
  const top = projectAt(place)?.top;
  return await engine.withIndex(async (index) => {
    const corpus = (await index.corpus(folders)).of(NEVER_AT_ERRORS);
    const isFile = wanted === "all" && top !== undefined &&
      (await anchoredFiles.follow(index, top, folders)).size > 0;
    const isError = wanted !== "off" && await corpus.size() > 0;
    return {
      file: isFile,
      error: isError,
      guard: isGuarded(paths.guards, folders),
    };
  });
}

/** A project without a session for this long is forgotten. */
const MAX_AGE_MS = 90 * 86_400_000;

/** A marker's time says when a session last ran in its project, to the day: each prompt looks at it. */
const REFRESH_MS = 86_400_000;

/** Notes for the hook which kinds of moments a project has something for. */
export function mark(
  where: Where,
  present: Readonly<Record<Moment, boolean>>,
  now: Date,
): void {
  for (const moment of MOMENTS) {
    const path = markerOf(where, moment);
    const marked = statSync(path, { throwIfNoEntry: false });
    if (!present[moment]) {
      if (marked !== undefined) rmSync(path, { force: true });
    } else if (marked === undefined || Math.abs(now.getTime() - marked.mtimeMs) > REFRESH_MS) {
      mkdirSync(where.moments, { recursive: true, mode: 0o700 });
      writeFileAtomic(path, "", { durable: false });
    }
  }
}

/** Removes the markers of projects that no session has run in for long; returns how many. */
export function sweepMarkers(folder: string, now: Date): number {
  let removed = 0;
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    try {
      if (now.getTime() - statSync(path).mtimeMs <= MAX_AGE_MS) continue;
      rmSync(path);
      removed++;
    } catch {
      // another process removed it
    }
  }
  return removed;
}
