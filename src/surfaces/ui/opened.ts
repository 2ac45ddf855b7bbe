import type { CallContext } from "./calls/call.ts";
import { digestOf } from "../../core/memory/trust.ts";

/** Texts that are kept for a page: what it has opened, it may change. */
const KEPT = 50;

const opened = new WeakMap<CallContext["listed"], Map<string, Buffer>>();

/** Keeps a text that the page has opened, as what a change of it begins with, and returns its SHA-256. */
export function keepOpened(bytes: Buffer, { listed }: Pick<CallContext, "listed">): string {
  const kept = opened.get(listed) ?? new Map<string, Buffer>();
  opened.set(listed, kept);
  const digest = digestOf(bytes);
  kept.delete(digest); // it is the newest now
  kept.set(digest, bytes);
  for (const [oldest] of kept) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return digest;
}

/** A text that the page has opened, by its SHA-256; undefined if that is long ago. */
export function openedText(
  digest: string,
  { listed }: Pick<CallContext, "listed">,
): Buffer | undefined {
  return opened.get(listed)?.get(digest);
}
