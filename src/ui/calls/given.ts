// One receipt in full: the very text that the model got, whether it got it, and what memo has cost its session.

import { createHash } from "node:crypto";
import * as z from "zod";
import { MemoError } from "../../errors.ts";
import { billed, billOf } from "../../recall/bill.ts";
import { blockOf, verifyDelivery } from "../../recall/delivery.ts";
import { isReceipt, readReceipts, type Receipt } from "../../recall/receipts.ts";
import { defineCall } from "./call.ts";

/** `given {id, withBill?}`: the block of a receipt that `now` has told, and what its session has cost. */
export const given = defineCall({
  name: "given",
  writes: false,
  params: z.strictObject({ id: z.string().max(50), withBill: z.boolean().default(false) }),
  async run({ id, withBill }, { paths }) {
    const receipt = readReceipts(paths.receipts, Infinity).filter(isReceipt)
      .find((each) => receiptId(each) === id);
    if (receipt === undefined) {
      throw new MemoError("not-found", "This receipt has gone: memo keeps the last few thousand");
    }
    const { transcript } = receipt;
    const [[verified], block, bill] = await Promise.all([
      verifyDelivery([receipt]),
      blockOf(receipt),
      withBill && transcript !== undefined ? billOf(transcript) : undefined,
    ]);
    return {
      delivery: verified?.delivery,
      block,
      bill: bill && { ...bill, own: billed(bill) },
    };
  },
});

/** What a receipt is called on the page. */
export function receiptId(
  { at, session, event, block, prompt_id }: Pick<
    Receipt,
    "at" | "session" | "event" | "block" | "prompt_id"
  >,
): string {
  return createHash("sha256").update(JSON.stringify([at, session, event, block, prompt_id]))
    .digest("base64url").slice(0, 16);
}
