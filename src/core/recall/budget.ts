import type { Config } from "../settings/config.ts";
import { isSuccessor } from "./current.ts";
import { clip, densest, excerpt } from "./excerpt.ts";
import { droppedFor, type DroppedHit, type FusedHit, isThirdParty } from "./fuse.ts";
import { isMarked } from "../memory/provenance.ts";
import { isSibling } from "./siblings.ts";
import { onlyLine } from "./title_line.ts";
import { entryHead, FRAME_CHARS, oneLine, titleOf } from "./format.ts";
import { neutralise } from "../text/neutralise.ts";

/** A memory as it appears in the block. */
export interface BlockEntry {
  readonly fused: FusedHit;
  readonly form: "whole" | "excerpt" | "line" | "title";
  readonly text: string;
}

/** When and for what a block is read. */
interface Reading {
  readonly now: Date;
  /** Terms of the query, to find the best part of a memory that does not fit. */
  readonly terms: readonly string[];
}

/** The line end between two entries. */
const GAP = 1;
/** Minimum length of an excerpt; a line with the path is more useful than a shorter one. */
const MIN_EXCERPT = 160;

/**
 * Fits the best hits into the block. One that is to come whole does so if there is room, else its best part with its
 * path, else a line with its path; any other comes as such a line, or as a title. Each may take half of the remaining room while others
 * follow, so that one long memory does not push out the rest. `room` is in UTF-16 units, as Claude Code counts.
 */
export function budget(
  ranked: readonly FusedHit[],
  { config, bytesLeft, ...options }: Reading & {
    readonly config: Config;
    /** Bytes left in the session's budget. */
    readonly bytesLeft: number;
  },
): { entries: BlockEntry[]; dropped: DroppedHit[] } {
  const chosen = choose(ranked, config["recall.max_memories"]);
  const left = ranked.filter((fused) => !chosen.includes(fused));
  const entries: BlockEntry[] = [];
  let room = config["recall.block_chars"] - FRAME_CHARS;
  let bytes = bytesLeft - FRAME_CHARS;
  let roomOfOthers = chosen.some((fused) => !isThirdParty(fused)) ? room / 2 : room;
  for (const [i, fused] of chosen.entries()) {
    const half = i === chosen.length - 1 ? room : room / 2;
    const allowance = isThirdParty(fused) ? Math.min(half, roomOfOthers) : half;
    const entry = fit(fused, { room: room - GAP, allowance: allowance - GAP }, options);
    if (entry === undefined || Buffer.byteLength(entry.text) + GAP > bytes) {
      left.push(fused);
      continue;
    }
    entries.push(entry);
    room -= entry.text.length + GAP;
    if (isThirdParty(fused)) roomOfOthers -= entry.text.length + GAP;
    bytes -= Buffer.byteLength(entry.text) + GAP;
  }
  const isTitle = ({ form }: BlockEntry) => Number(form === "title");
  return {
    // In the order that the block has them in.
    entries: entries.toSorted((a, b) => isTitle(a) - isTitle(b)),
    dropped: left.map((hit) => droppedFor("no room", hit)),
  };
}

/**
 * The best hits. Siblings come with theirs and successors before theirs, and
 * take no place of another. What is not the user's word takes at most half of the
 * places, rounded up, while the user's own could have them, and what is marked `MOST_MARKED` in any case: a folder full
 * of triggers must not push these out.
 */
function choose(ranked: readonly FusedHit[], most: number): FusedHit[] {
  const ownPlaces = ranked.filter((fused) => !isThirdParty(fused) && !isSibling(fused)).length;
  let all = most;
  let others = most - Math.min(ownPlaces, Math.floor(most / 2));
  let marked = MOST_MARKED;
  let isChosen = false;
  return ranked.filter((fused) => {
    if (isSibling(fused)) return isChosen;
    const isClaim = isMarked(fused.memory);
    if (isSuccessor(fused)) return all > 0 && (!isClaim || marked-- > 0);
    isChosen = all > 0 && (!isThirdParty(fused) || others-- > 0) && (!isClaim || marked-- > 0);
    if (isChosen) all--;
    return isChosen;
  });
}

/** Claims of others beside each other look like proof. */
const MOST_MARKED = 2;

function fit(
  fused: FusedHit,
  { room, allowance }: { room: number; allowance: number },
  { now, terms }: Reading,
): BlockEntry | undefined {
  const { memory } = fused;
  if (!fused.isWhole) return withoutText(fused, now, room);
  const body = neutralise(memory.body);
  const clipped = clip(body);
  const head = entryHead(fused, now, "whole");
  const whole = onlyLine(memory) === undefined ? head + clipped.text + "\n" : head.trimEnd() + "\n";
  if (!clipped.cut && whole.length <= allowance) return { fused, form: "whole", text: whole };
  const headOfPart = entryHead(fused, now, "excerpt");
  const span = fused.passage ?? densest(body, terms);
  const most = Math.min(allowance - headOfPart.length - 1, MAX_PART);
  const part = excerpt(clipped.cut ? body : clipped.text, span, most);
  if (part !== "" && part.length >= Math.min(MIN_EXCERPT, body.length)) {
    return { fused, form: "excerpt", text: headOfPart + part + "\n" };
  }
  return inOneLine(fused, now, room);
}

/** A memory without its text: by its title if that is all, or is likely alone; any other in a line with its path. */
function withoutText(fused: FusedHit, now: Date, room: number): BlockEntry | undefined {
  if (!fused.isTitle && onlyLine(fused.memory) === undefined) return inOneLine(fused, now, room);
  const text = titleOf(fused, now);
  return text.length <= room ? { fused, form: "title", text } : undefined;
}

function inOneLine(fused: FusedHit, now: Date, room: number): BlockEntry | undefined {
  const line = oneLine(fused, now);
  return line.length <= room ? { fused, form: "line", text: line } : undefined;
}

/** The part of one memory that `clip` would let through. */
const MAX_PART = 4096;
