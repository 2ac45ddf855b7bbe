// What the model was given, session by session: the receipts, told so that a person can follow them.

import { basename, join } from "node:path";
import { statsOf } from "../../../core/files/there.ts";
import type { MemoryHead } from "../../../core/index/corpus.ts";
import { readTurnUses } from "../../../core/ledger/usage.ts";
import { memoryNow } from "../../../core/memory/folder.ts";
import type { MemoryFolder } from "../../../core/memory/memory.ts";
import { isWithin, projectAt } from "../../../core/memory/project.ts";
import { memoryFolders, placeIn } from "../../../core/memory/scopes.ts";
import { rotated } from "../../../paths.ts";
import {
  isPrompt,
  isReceipt,
  readReceipts,
  reasonOf,
  type Receipt,
  type ReceiptMiss,
} from "../../../core/recall/receipts.ts";
import { blockOf, verifyDelivery } from "../../../features/statistics/delivery.ts";
import { localTime } from "../../../core/text/counted.ts";
import { MemoError } from "../../../errors.ts";
import { type CallContext, look, shortDigest } from "./call.ts";
import * as z from "zod";

/** Receipts of one session that are shown. */
const OF_SESSION = 300;

/** `now {days?, seen?}`: the sessions of the last days on which there were any; short if that is what was `seen`. */
export const now = look(
  {
    days: z.number().int().min(1).max(366).default(1),
    seen: z.string().max(500).optional(),
  },
  async ({ days, seen }, context) => {
    const cursor = `${days} ${stampOf(context)}`;
    if (seen === cursor) return { cursor, isUnchanged: true };
    return { cursor, ...await sessionsOf(days, context) };
  },
);

/** Changes when there is something new to show. */
function stampOf({ paths, now }: CallContext): string {
  const files = [paths.receipts, rotated(paths.receipts), paths.usage];
  const stamps = files.map((file) => {
    const { ino = 0, size = 0, mtimeMs = 0 } = statsOf(file) ?? {};
    return `${ino}.${size}.${Math.round(mtimeMs)}`;
  });
  return [localTime(now()).day, ...stamps].join(" ");
}

/** The receipts of the last days with any, newest first, and whether there are earlier ones. */
function receiptsOf(days: number, { paths }: CallContext) {
  const receipts = readReceipts(paths.receipts, Infinity).filter(isReceipt);
  const dayOf = ({ at }: Receipt) => localTime(new Date(at)).day;
  const all = [...new Set(receipts.map(dayOf))];
  const wanted = new Set(all.slice(0, days));
  const sessions = new Set(
    receipts.filter((receipt) => wanted.has(dayOf(receipt))).map(({ session }) => session),
  );
  // A session that has gone on after midnight is shown from its start.
  const shown = receipts.filter((receipt) =>
    sessions.has(receipt.session) && (receipt.session !== undefined || wanted.has(dayOf(receipt)))
  );
  return { shown, hasEarlier: all.length > days };
}

async function sessionsOf(days: number, context: CallContext) {
  const { shown, hasEarlier } = receiptsOf(days, context);
  const describe = await describer(shown, context);
  const sessions = [...Map.groupBy(shown, ({ session }) => session ?? "")].map(
    ([id, receipts]) => ({
      id,
      project: projectName(receipts[0]!, context),
      from: receipts.at(-1)!.at,
      to: receipts[0]!.at,
      prompts: receipts.filter(isPrompt).length,
      entries: receipts.slice(0, OF_SESSION).map((receipt, i) => {
        const isOver = receipts.slice(0, i).some(isPrompt); // the next prompt has come
        return describe(receipt, { isOver, before: receipts.slice(i + 1) });
      }),
    }),
  );
  return { sessions, hasEarlier };
}

function projectName({ cwd }: Receipt, { paths }: CallContext): string | null {
  return cwd === undefined ? null : projectAt(placeIn(paths, cwd))?.name ?? basename(cwd);
}

/** What an entry is about, by its event. */
const KINDS: Readonly<Record<string, string>> = {
  SessionStart: "start",
  UserPromptSubmit: "prompt",
  PostToolBatch: "late",
  PostToolUseFailure: "error",
  SubagentStart: "subagent",
};

function kindOf({ event = "UserPromptSubmit", why, file }: Receipt): string {
  if (why?.startsWith("guard:")) return "guard";
  if (event !== "PreToolUse") return KINDS[event] ?? "other";
  return file === undefined ? "other" : "file";
}

/** What a receipt's block has: a start's also names memories. */
function givenBy({ memories, listed = {} }: Receipt): Receipt["memories"] {
  const titles = Object.entries(listed).flatMap(([folder, files]) =>
    files.map((file) => ({ path: join(folder, file), form: "title" as const }))
  );
  return [...memories, ...titles];
}

/** Describes receipts, looking at each folder once. */
async function describer(receipts: readonly Receipt[], { engine, paths, listed }: CallContext) {
  const uses = readTurnUses(paths.usage);
  const named = receipts.flatMap((receipt) => [...givenBy(receipt), ...receipt.misses ?? []]);
  // From the index: to read hundreds of files takes longer than all else.
  const found = await engine.withIndex((index) =>
    index.headsAt([...new Set(named.map(({ path }) => path))])
  ).catch(() => []);
  const heads = new Map(found.map((head) => [head.path, head]));
  const cwds = new Set(receipts.map(({ cwd = paths.home }) => cwd));
  const folders = new Map([...cwds].map((cwd) => [cwd, memoryFolders(placeIn(paths, cwd))]));
  /** A memory in a receipt: what it is now, if it is still there, and why it came or stayed out. */
  const describeMemory = (
    { path, score, threshold, strategy, form, because, reasons }:
      & Receipt["memories"][number]
      & Partial<ReceiptMiss>,
    { cwd = paths.home, before }: Receipt,
  ) => {
    // The innermost one: a project's private folder lies in the user's.
    const [folder] = folders.get(cwd)!.filter((each) => isWithin(path, each.path))
      .sort((a, b) => b.path.length - a.path.length);
    const memory = folder && memoryAt(path, folder, heads.get(path));
    const reason = reasonOf({ strategy, form, because, reasons }, before);
    const how = { score, threshold, strategy, form, because, reason };
    if (folder === undefined || memory === undefined) {
      return { id: null, title: basename(path, ".md"), ...how };
    }
    const { name: title, type, pinned } = memory;
    return { id: listed.idOf({ path, folder }), title, type, scope: folder.scope, pinned, ...how };
  };
  return (
    receipt: Receipt,
    { isOver, before }: { readonly isOver: boolean; readonly before: readonly Receipt[] },
  ) => {
    const { at, event, outcome, why, file, prompt, chars, ms, misses = [], prompt_id } = receipt;
    const titles = receipt.listed === undefined ? receipt.titles : 0; // they are among those given
    /** What brought a memory that is in the conversation already. */
    const broughtBy = ({ path, because }: ReceiptMiss) => {
      const from = because === "seen in this session"
        ? before.find((earlier) => givenBy(earlier).some((each) => each.path === path))
        : undefined;
      return from && { id: receiptId(from), kind: kindOf(from) };
    };
    // Of a turn that has not ended, or from before uses were noted by turn, nothing is said.
    const isNoted = uses.since !== undefined && uses.since <= at && isOver;
    const isUsed = (path: string) => uses.isUsed(prompt_id, path) || (isNoted ? false : undefined);
    return {
      id: receiptId(receipt),
      ...{ at, kind: kindOf(receipt), event, outcome, why, file, prompt, titles, chars, ms },
      given: givenBy(receipt).map((memory) => ({
        ...describeMemory(memory, receipt),
        isUsed: isUsed(memory.path),
      })),
      left: misses.map((miss) => ({ ...describeMemory(miss, receipt), from: broughtBy(miss) })),
    };
  };
}

/** A memory as its file is now; undefined if it was forgotten since, or moved. */
function memoryAt(path: string, { scope }: MemoryFolder, head: MemoryHead | undefined) {
  const { size, mtimeMs } = statsOf(path) ?? {};
  return head?.size === size && head?.mtimeMs === mtimeMs ? head : memoryNow(path, scope);
}

/** `given {id}`: the block of a receipt that `now` has told, and whether it reached the model. */
export const given = look({ id: z.string().max(50) }, async ({ id }, { paths }) => {
  const receipt = readReceipts(paths.receipts, Infinity).filter(isReceipt)
    .find((each) => receiptId(each) === id);
  if (receipt === undefined) {
    throw new MemoError(
      "not-found",
      "This receipt was deleted: memo keeps only the last few thousand",
    );
  }
  const [[verified], block] = await Promise.all([verifyDelivery([receipt]), blockOf(receipt)]);
  return { delivery: verified?.delivery, block };
});

/** What a receipt is called on the page. */
function receiptId({ at, session, event, block, prompt_id }: Receipt): string {
  return shortDigest(JSON.stringify([at, session, event, block, prompt_id]));
}
