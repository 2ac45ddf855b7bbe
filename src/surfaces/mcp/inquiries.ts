// What commands ask of the index. The daemon answers, which has it warm, or the command's own engine: questions and
// answers are plain JSON.

import type { WritingContext } from "./tool.ts";
import { neutraliseLine } from "../../core/text/neutralise.ts";
import { answerRecall } from "./answer_recall.ts";
import { answerSearch } from "./answer_search.ts";

/** Every inquiry, by name. */
export const INQUIRIES = {
  search: answerSearch,
  recall: answerRecall,
  related: answerRelated,
} as const satisfies Record<string, (question: never, context: WritingContext) => Promise<unknown>>;

export type Inquiry = keyof typeof INQUIRIES;
export type Asked<I extends Inquiry> = Parameters<typeof INQUIRIES[I]>[0];
export type Answered<I extends Inquiry> = Awaited<ReturnType<typeof INQUIRIES[I]>>;

/** `memo search --like`. */
async function answerRelated(
  { path, limit }: { readonly path: string; readonly limit: number },
  context: WritingContext,
) {
  const { relatedTo } = await import("./tools/related.ts");
  const near = await relatedTo(path, limit, context);
  return near.slice(0, limit).map(({ memory: { name, type, scope, path }, ...how }) => ({
    ...{ name: neutraliseLine(name), type, scope, path, ...how },
  }));
}
