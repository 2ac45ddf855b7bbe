// What the model was given, session by session: the receipts, told so that a person can follow them.

import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import * as z from "zod";
import { MemoError } from "../../../errors.ts";
import { statsOf } from "../../../core/files/stats.ts";
import type { MemoryHead } from "../../../core/index/corpus.ts";
import { readChanges } from "../../../core/ledger/change_log.ts";
import { memoryNow } from "../../../core/memory/folder.ts";
import type { MemoryFile, MemoryFolder } from "../../../core/memory/memory.ts";
import { isWithin, projectAt } from "../../../core/memory/project.ts";
import { memoryFolders, placeIn } from "../../../core/memory/scopes.ts";
import { readTurnUses } from "../../../core/ledger/usage.ts";
import { rotated } from "../../../paths.ts";
import { reasonOf } from "../../../core/recall/reason.ts";
import { blockOf, verifyDelivery } from "../../../features/statistics/delivery.ts";
import {
  isPrompt,
  isReceipt,
  readReceipts,
  type Receipt,
  type ReceiptMiss,
} from "../../../core/recall/receipts.ts";
import { localTime } from "../../../core/text/local_time.ts";
import { type CallContext, defineCall } from "./call.ts";

/** Receipts that are read at first: those of some busy days. */
const LATEST = 2000;
/** Receipts of one session that are told. */
const OF_SESSION = 300;

/** `now {days?, seen?}`: the sessions of the last days on which there were any; short if that is what was `seen`. */
export const now = defineCall({
  name: "now",
  writes: false,
  params: z.strictObject({
    days: z.number().int().min(1).max(366).default(1),
    seen: z.string().max(500).optional(),
  }),
  async run({ days, seen }, context) {
    const cursor = `${days} ${stampOf(context)}`;
    if (seen === cursor) return { cursor, isUnchanged: true };
    return { cursor, ...await sessionsOf(days, context) };
  },
});

/** Changes when there is something new to tell. */
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
  for (const limit of [LATEST, Infinity]) {
    const receipts = readReceipts(paths.receipts, limit).filter(isReceipt);
    const dayOf = ({ at }: Receipt) => localTime(new Date(at)).day;
    const all = [...new Set(receipts.map(dayOf))];
    const isAll = limit === Infinity || receipts.length < limit;
    if (!isAll && all.length <= days) continue; // the first of these days may not be whole
    const wanted = new Set(all.slice(0, days));
    const sessions = new Set(
      receipts.filter((receipt) => wanted.has(dayOf(receipt))).map(({ session }) => session),
    );
    // A session that has gone on after midnight is told from its start.
    const told = receipts.filter((receipt) =>
      sessions.has(receipt.session) && (receipt.session !== undefined || wanted.has(dayOf(receipt)))
    );
    return { told, hasEarlier: all.length > days };
  }
  return { told: [], hasEarlier: false };
}

async function sessionsOf(days: number, context: CallContext) {
  const { told, hasEarlier } = receiptsOf(days, context);
  const tell = teller(await indexedOf(told, context), context);
  const sessions = [...Map.groupBy(told, ({ session }) => session ?? "")].map(
    ([id, receipts]) => {
      const [newest] = receipts, oldest = receipts.at(-1)!;
      return {
        id,
        project: projectName(newest!, context),
        from: oldest.at,
        to: newest!.at,
        prompts: receipts.filter(isPrompt).length,
        entries: receipts.slice(0, OF_SESSION).map((receipt, i) => {
          const isOver = receipts.slice(0, i).some(isPrompt); // the next prompt has come
          return tell(receipt, { isOver, before: receipts.slice(i + 1) });
        }),
      };
    },
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

/** The memories that receipts name, as the index has them: to read hundreds of files takes longer than all else. */
async function indexedOf(
  receipts: readonly Receipt[],
  { engine }: CallContext,
): Promise<ReadonlyMap<string, MemoryHead>> {
  const named = receipts.flatMap((receipt) => [...givenBy(receipt), ...receipt.misses ?? []]);
  const paths = [...new Set(named.map(({ path }) => path))];
  const found = await engine.withIndex((index) => index.headsAt(paths)).catch(() => []);
  return new Map(found.map((memory) => [memory.path, memory]));
}

/** Tells receipts, looking at each memory and each folder once. */
function teller(indexed: ReadonlyMap<string, MemoryHead>, context: CallContext) {
  const { paths, listed } = context;
  const uses = readTurnUses(paths.usage);
  const folders = new Map<string, readonly MemoryFolder[]>();
  const memories = new Map<string, Told | undefined>();
  const foldersAt = (cwd: string) => {
    if (!folders.has(cwd)) folders.set(cwd, memoryFolders(placeIn(paths, cwd)));
    return folders.get(cwd)!;
  };
  const memoryAt = (path: string, folder: MemoryFolder) => {
    if (!memories.has(path)) memories.set(path, toldOf(path, folder, indexed));
    return memories.get(path);
  };
  const logged = new Map<MemoryFolder, ReadonlyMap<string, string>>();
  /** What a memory was called that is gone. */
  const nameAt = (path: string, folder: MemoryFolder) => {
    const names = logged.get(folder) ?? namesIn(folder);
    logged.set(folder, names);
    return names.get(path);
  };
  /** A memory in a receipt: what it is now, if it is still there, and why it came or stayed out. */
  const tellMemory = (
    { path, score, threshold, strategy, form, because }:
      & Receipt["memories"][number]
      & Partial<ReceiptMiss>,
    { cwd = paths.home, before }: Receipt,
  ) => {
    // The innermost one: a project's private folder lies in the user's.
    const folder = foldersAt(cwd).filter((each) => isWithin(path, each.path))
      .sort((a, b) => b.path.length - a.path.length)[0];
    const memory = folder && memoryAt(path, folder);
    const reason = reasonOf({ strategy, form, because }, before);
    const how = { score, threshold, strategy, form, because, reason };
    if (folder === undefined || memory === undefined) {
      const title = (folder && nameAt(path, folder)) ?? basename(path, ".md");
      return { id: null, title, ...how };
    }
    return {
      id: listed.idOf({ path, folder }),
      title: memory.name,
      type: memory.type,
      scope: folder.scope,
      pinned: memory.pinned,
      ...how,
    };
  };
  return (
    receipt: Receipt,
    { isOver, before }: { readonly isOver: boolean; readonly before: readonly Receipt[] },
  ) => {
    const { at, event, outcome, why, file, prompt, chars, ms, misses = [] } = receipt;
    const titles = receipt.listed === undefined ? receipt.titles : 0; // they are among those given
    /** What brought a memory that is in the conversation already. */
    const broughtBy = ({ path, because }: ReceiptMiss) => {
      const from = because === "seen in this session"
        ? before.find((earlier) => givenBy(earlier).some((each) => each.path === path))
        : undefined;
      return from && { id: receiptId(from), kind: kindOf(from) };
    };
    const { prompt_id } = receipt;
    // Of a turn that has not ended, or from before uses were noted by turn, nothing is said.
    const isNoted = uses.since !== undefined && uses.since <= at && isOver;
    const isUsed = (path: string) => uses.isUsed(prompt_id, path) || (isNoted ? false : undefined);
    return {
      id: receiptId(receipt),
      ...{ at, kind: kindOf(receipt), event, outcome, why, file, prompt, titles, chars, ms },
      given: givenBy(receipt).map((memory) => ({
        ...tellMemory(memory, receipt),
        isUsed: isUsed(memory.path),
      })),
      left: misses.map((miss) => ({ ...tellMemory(miss, receipt), from: broughtBy(miss) })),
    };
  };
}

/** The last names of the memories of a folder that memo has changed, by path. */
function namesIn(folder: MemoryFolder): ReadonlyMap<string, string> {
  try {
    return new Map(readChanges([folder]).map(({ file, name }) => [join(folder.path, file), name]));
  } catch {
    return new Map(); // its log cannot be read
  }
}

/** What is told of a memory itself. */
type Told = Pick<MemoryFile, "name" | "type" | "pinned">;

/** A memory as its file is now; undefined if it was forgotten since, or moved. */
function toldOf(
  path: string,
  { scope }: MemoryFolder,
  indexed: ReadonlyMap<string, MemoryHead>,
): Told | undefined {
  const known = indexed.get(path), { size, mtimeMs } = statsOf(path) ?? {};
  if (known !== undefined && known.size === size && known.mtimeMs === mtimeMs) return known;
  return memoryNow(path, scope);
}

/** `given {id}`: the block of a receipt that `now` has told, and whether it reached the model. */
export const given = defineCall({
  name: "given",
  writes: false,
  params: z.strictObject({ id: z.string().max(50) }),
  async run({ id }, { paths }) {
    const receipt = readReceipts(paths.receipts, Infinity).filter(isReceipt)
      .find((each) => receiptId(each) === id);
    if (receipt === undefined) {
      throw new MemoError("not-found", "This receipt has gone: memo keeps the last few thousand");
    }
    const [[verified], block] = await Promise.all([verifyDelivery([receipt]), blockOf(receipt)]);
    return { delivery: verified?.delivery, block };
  },
});

/** What a receipt is called on the page. */
function receiptId(
  { at, session, event, block, prompt_id }: Pick<
    Receipt,
    "at" | "session" | "event" | "block" | "prompt_id"
  >,
): string {
  return createHash("sha256").update(JSON.stringify([at, session, event, block, prompt_id]))
    .digest("base64url").slice(0, 16);
}
