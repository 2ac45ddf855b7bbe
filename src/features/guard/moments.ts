// What comes while Claude works: at a file, at an error, and guards.

import { mkdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Moment, MOMENTS } from "../../../hooks/events.ts";
import type { HookOutput } from "../../../hooks/wire.ts";
import { isEndpoint } from "../../core/embed/mod.ts";
import type { JobContext } from "../../core/engine/jobs.ts";
import {
  conversationOf,
  deliveredWith,
  keepSession,
  leaveReceipt,
} from "../../core/events/conversation.ts";
import {
  additionalContext,
  type EventContext,
  type HookEvent,
  SILENT,
} from "../../core/events/event.ts";
import { seen } from "../../core/events/seen.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { namesIn, statsOf } from "../../core/files/there.ts";
import { withSlashes } from "../../core/files/slashes.ts";
import type { IndexedMemory } from "../../core/index/corpus.ts";
import { MIN_CONFIDENCE } from "../../core/ledger/usage.ts";
import { markerOf, type MomentPlace } from "../../core/link/moments.ts";
import { within } from "../../core/link/within.ts";
import { confidenceNow } from "../../core/memory/age.ts";
import { projectAt, realPath } from "../../core/memory/project.ts";
import { isMarked } from "../../core/memory/provenance.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { policyOf } from "../../core/memory/types.ts";
import { FRESH_SESSION, loadSession } from "../../core/recall/session.ts";
import { isAsBefore, isOwn, NOTHING_SHOWN } from "../../core/recall/shown.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { isMainGone } from "../../core/relation/standing.ts";
import { neutralise, neutraliseLine } from "../../core/text/neutralise.ts";
import { anchorsOf, followAnchors, isEmpty, knownAnchors } from "./anchors.ts";
import { extractError, findByError, NEVER_AT_ERRORS, type ToolFailure } from "./at_error.ts";
import { type InjectionReason, momentBlock } from "./entry.ts";
import { isGuarded, stopFor } from "./guards.ts";

/** Maximum characters of the rule that the user and the model are shown. */
const RULE_CHARS = 400;
/** A daemon that has not looked at the work tree yet may do so for this long, in milliseconds. */
const LOOK_MS = 120;

/**
 * A tool, or a shell line of a skill, is about to run: asks about one that a guard stops, and brings what a file that is
 * read has a memory for.
 */
export async function atTool(
  event: HookEvent<"PreToolUse" | "PreSkillShellCommand">,
  context: EventContext,
  isPaused: boolean,
): Promise<HookOutput> {
  const stopped = guardCall(event, context);
  if (stopped !== undefined || isPaused || event.name !== "PreToolUse") return stopped ?? SILENT;
  return await atFile(event, context);
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
  return `memo guards your rule: ${text.slice(0, RULE_CHARS).toWellFormed()}`;
}

/** Claude is about to read a file: brings, once, the decision of the memory that names it. */
async function atFile(event: HookEvent<"PreToolUse">, context: EventContext): Promise<HookOutput> {
  const { tool, file: read, cwd } = event;
  const { config, place, folders, withIndex } = context;
  if (tool !== "Read" || read === undefined || config["recall.moments"] !== "all") return SILENT;
  const started = performance.now();
  const top = projectAt(place)?.top;
  if (top === undefined) return SILENT;
  const file = withSlashes(relative(top, realPath(resolve(cwd, read))));
  const anchors = knownAnchors(top, folders) ??
    await within(LOOK_MS, withIndex((index) => followAnchors(index, top, folders)));
  const here = anchors === undefined ? [] : anchorsOf(anchors, file);
  if (here.length === 0) return SILENT;
  return await inject(event, context, {
    ...{ file, started },
    find: async (isFit) => {
      const memories = await withIndex(async (index) =>
        await (await index.corpus(folders)).memories(here.map(({ memory }) => memory))
      );
      const memory = memories.find(isFit);
      if (memory === undefined) return undefined;
      const its = here.filter((anchor) => anchor.memory === memory.id);
      const isNamed = its.some((anchor) => !anchors!.globs.includes(anchor));
      const because = isNamed ? "mentions this file" : "applies to this file";
      return { memory, because, about: its.map(({ text }) => text) };
    },
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
  if (decisive === undefined) return SILENT;
  return await inject(event, context, {
    started,
    find: async (isFit) => {
      const failure = await withoutSecrets(decisive, context), now = context.now();
      const found = await withIndex((index) =>
        findByError(failure, { index, folders, config, now, embed, isFit })
      );
      return found && { ...found, because: "covers this error" };
    },
  });
}

/**
 * Brings the entry of a memory that is found and may come, unless the conversation has it, or another tool of the same
 * reply brings it already; writes the receipt. A subagent has not read what its session was shown.
 */
async function inject(
  event: HookEvent<"PreToolUse"> | HookEvent<"PostToolUseFailure">,
  context: EventContext,
  { file, started, find }: {
    /** The file that it comes with, which it comes with once. */
    readonly file?: string;
    readonly started: number;
    /** Finds it, why it comes, and the words that its best sentences have, among those that may come. */
    readonly find: (isFit: (memory: IndexedMemory) => boolean) => Promise<
      | {
        readonly memory: IndexedMemory;
        readonly because: InjectionReason;
        readonly about: readonly string[];
        readonly score?: number;
      }
      | undefined
    >;
  },
): Promise<HookOutput> {
  const { session, inAgent: agent, isSubagent } = event, { told, paths, defer } = context;
  if (session === undefined) return SILENT;
  const who = { session, agent }, now = context.now();
  const shown = isSubagent ? NOTHING_SHOWN : (await conversationOf(event, context)).shown;
  const isHere = file !== undefined &&
    (told.has(who, file) || shown.delivered.some((each) => each.file === file));
  const found = isHere
    ? undefined
    : await find((memory) =>
      !told.has(who, memory.path) && !isMarked(memory) && !isMainGone(memory) &&
      !isOwn(memory, shown) && !isAsBefore(memory, shown.seen) &&
      confidenceNow(memory, policyOf(memory.type).lifespanDays, now) >= MIN_CONFIDENCE
    );
  if (found === undefined) return SILENT;
  const { memory, because, about, score } = found;
  const things = [memory.path, ...file === undefined ? [] : [file]];
  if (!told.claim(who, things)) return SILENT;
  const block = momentBlock(memory, { because, about, now });
  const given = { ...deliveredWith(event, { block, memories: [memory] }, now), file };
  defer((isTaken) => {
    if (isTaken && !isSubagent) {
      // Other tools of the same reply may have saved theirs meanwhile.
      const state = { ...FRESH_SESSION, ...loadSession(paths.sessions, session) };
      keepSession(event, { ...state, delivered: [...state.delivered, given] }, context);
    }
    if (!isTaken || !isSubagent) told.release(who, things);
  });
  const ms = Math.round((performance.now() - started) * 100) / 100;
  const memories = [{ path: memory.path, ...score === undefined ? {} : { score } }];
  leaveReceipt(event, context, {
    ...{ outcome: "hit", why: because, file, block, memories },
    timings: { all: ms },
  });
  return { ...additionalContext(event.name, block), ...seen(event, context, [memory.name]) };
}

/** A failure whose text may leave the machine to be embedded loses all that may be a secret, and not only what memo's own rules find. */
async function withoutSecrets(
  { command, output }: ToolFailure,
  { config, redact }: EventContext,
): Promise<ToolFailure> {
  if (!isEndpoint(config.model)) return { command, output };
  const patterns = ownPatterns(config["redact.patterns"]);
  return { command: await redact(command, patterns), output: await redact(output, patterns) };
}

/** A marker's time says when a session last ran in its project, to the day: each prompt looks at it. */
const REFRESH_MS = 86_400_000;

/** Notes for the hook which moments a project has something for: at others it asks nobody. */
export async function noteMoments({ engine, place, env, now }: JobContext): Promise<void> {
  const { paths } = engine, folders = memoryFolders(place);
  const wanted = engine.config(place, env)["recall.moments"];
  const top = projectAt(place)?.top;
  const present = await engine.withIndex(async (index) => {
    const corpus = (await index.corpus(folders)).of(NEVER_AT_ERRORS);
    return {
      file: wanted === "all" && top !== undefined &&
        !isEmpty(await followAnchors(index, top, folders)),
      error: wanted !== "off" && await corpus.size() > 0,
      guard: isGuarded(paths.guards, folders),
    };
  });
  const { claude, cwd, projectDir = cwd } = place;
  mark({ ...paths, claude, projectDir }, present, now);
}

/** Notes for the hook which kinds of moments a project has something for. */
export function mark(
  where: MomentPlace,
  present: Readonly<Record<Moment, boolean>>,
  now: Date,
): void {
  for (const moment of MOMENTS) {
    const path = markerOf(where, moment);
    const marked = statsOf(path);
    if (!present[moment]) rmSync(path, { force: true });
    else if (marked === undefined || Math.abs(now.getTime() - marked.mtimeMs) > REFRESH_MS) {
      mkdirSync(where.moments, { recursive: true, mode: 0o700 });
      writeFileAtomic(path, "", { durable: false });
    }
  }
}

/** A project without a session for this long is forgotten. */
const MAX_AGE_MS = 90 * 86_400_000;

/** Removes the markers of projects that no session has run in for long; returns how many. */
export function sweepMarkers(folder: string, now: Date): number {
  let removed = 0;
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (now.getTime() - (statsOf(path)?.mtimeMs ?? Infinity) <= MAX_AGE_MS) continue;
    rmSync(path, { force: true });
    removed++;
  }
  return removed;
}
