import { type Bill, BILL_PARTS, billed } from "../../../features/statistics/bill.ts";
import { counted, grouped } from "../../../core/text/counted.ts";

/** What memo has cost a session, beside the whole: tokens of all requests. */
export function sayBill(bill: Bill): string {
  const { input, requests, isMeasured } = bill;
  const of = isMeasured ? ` of ${grouped(input)}` : "";
  const share = isMeasured && input > 0 ? ` (${percent(bill)})` : "";
  return `${grouped(billed(bill))}${of} tokens${share}, ${counted(requests, "request")}`;
}

/** memo's share of a session's input. */
export function percent(bill: Bill): string {
  return `${(100 * billed(bill) / bill.input).toFixed(1)} %`;
}

/** The parts of a bill; what of it was sent anew, what was read from the provider's cache, and its price. */
export function inParts(bill: Bill): string {
  const parts = BILL_PARTS.filter((part) => bill.tokens[part] > 0)
    .map((part) => `${part} ${grouped(bill.tokens[part])}`);
  const { cached, usd } = bill;
  const fresh = billed(bill) - cached;
  return [
    ...parts,
    ...cached > 0 ? [`${grouped(fresh)} sent anew, ${grouped(cached)} read from the cache`] : [],
    ...usd !== undefined && usd > 0 ? [`$${usd.toFixed(2)}`] : [],
  ].join(", ");
}
