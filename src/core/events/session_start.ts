import { basename, dirname, join } from "node:path";
import type { HookOutput } from "../../../hooks/wire.ts";
import { within } from "../link/within.ts";
import { tilde } from "../../paths.ts";
import { readUsage } from "../ledger/usage.ts";
import { folderAt, workAt } from "../recall/at_work.ts";
import { readRules } from "../recall/rules_read.ts";
import { sweepSessions } from "../recall/session.ts";
import { type StartBlock, startBlock, type StartBlockOptions } from "../recall/start_block.ts";
import { askForConsent, seen } from "./seen.ts";
import { type Conversation, deliveredWith, keepSession, leaveReceipt } from "./conversation.ts";
import { isWithin } from "../memory/project.ts";
import { isMarked } from "../memory/provenance.ts";
import { counted, grouped } from "../text/counted.ts";
import {
  additionalContext,
  type EventContext,
  type EventHandler,
  type HookEvent,
} from "./event.ts";
import { hasStart, isStart, journalWithout, STARTS } from "./starts.ts";

/** Limit on the wait for the index; enough for 10,000 unchanged files. */
const WAIT_MS = 700;

/**
 * Answers the start of a session: updates the index before the first prompt, and tells the model who the user is and
 * what is recent, as far as the kind of start asks for it.
 */
export const sessionStart: EventHandler<"SessionStart"> = async (event, context) => {
  const { paths, folders } = context;
  const started = performance.now();
  const kind = STARTS[event.source ?? "startup"];
  const isTold = !kind.isQuiet && !event.isSubagent && context.config.notify !== "off";
  const arrived = isTold ? await context.arrive?.(context.place) : undefined; // before its folders are read
  const synced = Promise.all(folders.map((folder) => context.sync(folder)));
  const reading = kind.read(event, context);
  await within(WAIT_MS, synced.catch(() => {})); // the engine logs failures
  const { delivered: kept = [], parent, ...asked } = await reading;
  sweepSessions(paths.sessions, context.now());

  context.defer(() => kind.capture(event, context));
  context.defer(() => context.warm(folders));

  const start = await blockOf({ ...asked, isRead: rulesReadIn(event, context) }, context);
  const { block, memories, listed } = start;

  const at = context.now();
  const given = block === undefined ? [] : [deliveredWith(event, { block, memories, listed }, at)];
  context.defer((isTaken) => {
    // The hook timed out, answered by itself, and recorded that answer.
    if (event.session === undefined || !isTaken) return;
    const delivered = [...kept, ...given];
    const isBare = delivered.length === 0 && parent === undefined;
    keepSession(event, { delivered, begun: at.getTime(), parent, isBare }, context);
  });
  const waiting = kind.isQuiet ? {} : await printWaiting(context);
  const rebuild = isTold ? await printRebuild(context) : {};
  const moved = arrived === undefined ? {} : { systemMessage: `memo: ${arrived}` };
  const others = [askForConsent(event, context), seen(event, context)];
  const notice = joined([rebuild, moved, waiting, ...others]);
  if (block === undefined) return notice;
  leaveStartReceipt(event, context, { start, all: performance.now() - started });
  return { ...additionalContext("SessionStart", block), ...notice };
};

/** The block that a session begins with. */
export async function blockOf(
  asked: Pick<StartBlockOptions, "journal" | "inUse" | "since" | "isRead">,
  { config, folders, hasTools, paths, place, now, withIndex }: EventContext,
): Promise<StartBlock> {
  return await withIndex((index) =>
    startBlock({
      ...{ index, config, folders, hasTools, ...asked },
      now: now(),
      usage: readUsage(paths.usage),
      folder: folderAt(place),
      work: () => workAt(place, paths.receipts),
    })
  );
}

/** What Claude Code has read of its rule files; another agent, whose conversations are elsewhere, reads others. */
function rulesReadIn(
  { transcript = "" }: HookEvent,
  { paths, place }: EventContext,
): StartBlockOptions["isRead"] {
  const isClaudeCodes = isWithin(transcript, join(paths.claude, "projects"));
  return isClaudeCodes ? readRules(place) : undefined;
}

/** Writes the receipt of a start block. */
export function leaveStartReceipt(
  event: HookEvent,
  context: EventContext,
  { start: { block, memories, listed }, all, why }: {
    readonly start: StartBlock;
    /** How long it took, in milliseconds. */
    readonly all: number;
    readonly why?: string;
  },
): void {
  const files = Map.groupBy(listed.map(({ path }) => path), (path) => dirname(path));
  leaveReceipt(event, context, {
    ...{ outcome: "hit", why, block, titles: listed.length },
    memories: memories.map(({ path }) => ({ path })),
    timings: { all: Math.round(all * 100) / 100 },
    listed: Object.fromEntries(
      [...files].map(([folder, paths]) => [folder, paths.map((path) => basename(path))]),
    ),
  });
}

/** A line for the user while the index is still an older memo's: it answers with what it has. */
async function printRebuild(
  { folders, withIndex }: EventContext,
): Promise<Pick<HookOutput, "systemMessage">> {
  return await withIndex(async (index) => {
    const unread = await index.countUnread(folders);
    if (unread === 0) return {};
    const total = await (await index.corpus(folders)).size();
    const done = `${grouped(total - unread)} of ${grouped(total)} memories`;
    return {
      systemMessage: `memo: rebuilding the index after an upgrade (${done}); ` +
        "until then the old one answers",
    };
  });
}

/** Lines for the user if the repository has files that wait for consent, or auto memory what no session wrote. */
async function printWaiting(
  { folders, withIndex }: EventContext,
): Promise<Pick<HookOutput, "systemMessage">> {
  // Sessions in the project around a submodule say what waits in that.
  const shared = folders.filter(({ scope, isAround }) => scope === "shared" && !isAround);
  const auto = folders.filter(({ scope, trust }) => scope === "auto" && trust !== undefined);
  const waiting = shared.length === 0
    ? 0
    : await withIndex((index) => index.files.countWaiting(shared));
  const appeared = auto.length === 0 ? 0 : await withIndex(async (index) => {
    const newest = await (await index.corpus(auto)).newest(MOST_APPEARED);
    return newest.filter(isMarked).length;
  });
  return joined([
    waiting === 0 ? {} : {
      systemMessage: `memo: this repository has ${
        counted(waiting, "memory")
      } you have not trusted; \`memo trust --show\` prints ${waiting === 1 ? "it" : "them"}`,
    },
    appeared === 0 ? {} : {
      systemMessage: `memo: no session wrote ${counted(appeared, "memory")} in ${
        tilde(auto[0]!.path)
      }; ${appeared === 1 ? "it does" : "they do"} not count as yours · memo trust`,
    },
  ]);
}

const MOST_APPEARED = 200;

function joined(
  lines: readonly Pick<HookOutput, "systemMessage">[],
): Pick<HookOutput, "systemMessage"> {
  const said = lines.flatMap(({ systemMessage }) => systemMessage ?? []);
  return said.length === 0 ? {} : { systemMessage: said.join("\n") };
}

// Claude Code throws away what a hook says after its timeout, and a start hook may not have run at all: then the titles
// that a session begins with come with a prompt, once.
/** What one hook's output may have, start block and prompt's block together: of more the model gets a preview. */
const OUTPUT_CHARS = 9500;
/** A start block of fewer characters has no titles. */
const LEAST_CHARS = 500;

/** The start block that a conversation lacks, and the conversation with it; undefined: it lacks none. */
export async function lateStart(
  event: HookEvent<"UserPromptSubmit">,
  context: EventContext,
  conversation: Conversation,
): Promise<{ readonly block: string; readonly conversation: Conversation } | undefined> {
  const { config, now } = context;
  const { state, shown } = conversation;
  const room = OUTPUT_CHARS - config["recall.block_chars"];
  if (room < LEAST_CHARS || !lacksStart(conversation, context)) return undefined;
  const started = performance.now();
  const journal = journalWithout(event, context, { turns: shown.own });
  const start = await blockOf({ journal, isRead: rulesReadIn(event, context) }, {
    ...context,
    config: { ...config, "recall.start_chars": Math.min(room, config["recall.start_chars"]) },
  });
  const { block } = start;
  if (block === undefined) return undefined;
  const at = now();
  const given = { ...deliveredWith(event, { ...start, block }, at), event: "SessionStart" };
  const all = performance.now() - started, why = "added to a prompt";
  const asStart = {
    ...event,
    name: "SessionStart",
    source: undefined,
    sinceAnswer: undefined,
  } as const;
  leaveStartReceipt(asStart, context, { start, all, why });
  return {
    block,
    conversation: {
      ...conversation,
      state: { ...state, begun: state.begun || at.getTime() },
      shown: {
        ...shown,
        seen: new Map([...shown.seen, ...Object.entries(given.memories)]),
        listed: new Map([...shown.listed, ...Object.entries(given.listed ?? {})]),
        bytes: shown.bytes + given.bytes,
        delivered: [...shown.delivered, given],
      },
    },
  };
}

/**
 * Whether a conversation in Claude Code has no start block, and none is on its way. Before its first answer there is no
 * transcript that would tell: there the start counts as answered if memo has noted that Claude Code took it.
 */
function lacksStart({ state, shown, live }: Conversation, { pid }: EventContext): boolean {
  if (state.isBare || shown.delivered.some(isStart)) return false;
  if (live !== undefined && hasStart(live)) return false;
  return live === undefined || live.prompts.length === 0
    ? state.begun === 0 && pid !== undefined
    : live.hasHookTexts === true;
}
