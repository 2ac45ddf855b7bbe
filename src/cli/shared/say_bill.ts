import { type Bill, BILL_PARTS, billed } from "../../statistics/bill.ts";
import { counted, grouped } from "../../text/counted.ts";

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

/** The parts of a bill, and how much of it came from the provider's cache. */
export function inParts(bill: Bill): string {
  const parts = BILL_PARTS.filter((part) => bill.tokens[part] > 0)
    .map((part) => `${part} ${grouped(bill.tokens[part])}`);
  const cached = billed(bill) === 0 ? 0 : Math.round(100 * bill.cached / billed(bill));
  return [...parts, ...cached > 0 ? [`${cached} % from the cache`] : []].join(", ");
}
