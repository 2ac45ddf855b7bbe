import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import { statsOf } from "../../files/stats.ts";
import { archiveOf, bytesOf } from "../../memory/archive.ts";
import { ageInDays } from "../../memory/age.ts";
import { CHANGES, type Logged } from "../../memory/change_log.ts";
import type { Found } from "../../memory/find.ts";
import { LONGEST_FILE } from "../../memory/limits.ts";
import type { MemoryFolder } from "../../memory/memory.ts";
import { provenanceOf } from "../../memory/provenance.ts";
import { digestOf } from "../../memory/trust.ts";
import { readUsage, usageOf } from "../../memory/usage.ts";
import { changesOf, type FileIn } from "../../memory/versions.ts";
import { isStale } from "../../memory/worth.ts";
import { tilde } from "../../paths.ts";
import { transcriptCommand } from "../../transcript/command.ts";
import { isOwn } from "../memories/catalogue.ts";
import { idSchema, memoryOf } from "../memories/changing.ts";
import { keepOpened } from "../memories/opened.ts";
import { placeOf } from "../memories/place.ts";
import { type CallContext, defineCall } from "./call.ts";

/** Versions that are listed. */
const MOST_VERSIONS = 200;

/** `memory {id}`: a memory with its text, what is known of it, and its versions, newest first; or that it is gone. */
export const memory = defineCall({
  name: "memory",
  writes: false,
  params: z.strictObject({ id: idSchema }),
  run({ id }, context) {
    const { path } = context.listed.get(id);
    if (statsOf(path) === undefined) return Promise.resolve({ id, isGone: true });
    const found = memoryOf(id, context);
    return Promise.resolve({ id, ...textOf(found, context), ...factsOf(found, context) });
  },
});

/** The text of a file, and whether it can be edited here. */
function textOf({ memory: { path, size }, folder }: Found, context: CallContext) {
  if (size > LONGEST_FILE) {
    const head = readFileSync(path).subarray(0, LONGEST_FILE);
    return { text: new TextDecoder().decode(head), isCut: true, mayEdit: false, digest: null };
  }
  const bytes = readFileSync(path);
  const digest = keepOpened(bytes, context);
  const mayEdit = isOwn(folder) && isUtf8(bytes);
  return { text: new TextDecoder().decode(bytes), isCut: false, mayEdit, digest };
}

function factsOf({ memory, folder }: Found, context: CallContext) {
  const { paths, now, env } = context;
  const { name, description, type, tags, triggers, never = [], pinned, created, updated } = memory;
  const usage = usageOf(readUsage(paths.usage), memory.path);
  const at = now();
  return {
    ...{ name, description, type, tags, triggers, never, pinned, created, updated },
    scope: folder.scope,
    project: folder.project === undefined ? null : basename(folder.project),
    file: tilde(memory.path, env),
    days: ageInDays(memory, at),
    isStale: isStale(memory, { now: at, usage }),
    usage,
    source: memory.source === undefined ? null : {
      command: transcriptCommand(memory.source) ?? null,
      import: memory.source.import ?? null,
      said: provenanceOf(memory) ?? null,
    },
    problems: memory.problems.map(({ message }) => message),
    mayChange: isOwn(folder),
    mayShare: isOwn(folder) && folder.scope !== "shared",
    mayNever: isOwn(folder) && folder.scope !== "shared",
    history: historyOf(placeOf({ path: memory.path, folder })),
  };
}

/** The changes of a memory that memo has made, newest first; what somebody has changed by hand is told apart. */
function historyOf(place: FileIn) {
  const changes = changesOf(place).toReversed().slice(0, MOST_VERSIONS);
  const there = bytesOf(join(place.folder.path, place.file), place.folder.path);
  const digest = there && digestOf(there);
  const [last] = changes;
  const isByHand = last?.after !== undefined && last.after !== digest;
  return {
    isByHand,
    versions: changes.map((change, i) => ({
      version: change.id,
      at: change.at,
      what: CHANGES[change.what],
      because: change.because ?? null,
      isUndone: change.undone,
      isCurrent: i === 0 && !isByHand,
      isThere: isThere(change, changes.slice(0, i), { folder: place.folder, present: digest }),
    })),
  };
}

/** Whether the version after a change can be brought back: it is there, or what came after it has kept it. */
function isThere(
  { after }: Logged,
  newer: readonly Logged[],
  { folder, present }: { readonly folder: MemoryFolder; readonly present: string | undefined },
): boolean {
  if (after === undefined) return false;
  if (after === present) return true;
  const kept = newer.find(({ before }) => before?.digest === after)?.before;
  return kept !== undefined && statsOf(join(archiveOf(folder), kept.archived)) !== undefined;
}
