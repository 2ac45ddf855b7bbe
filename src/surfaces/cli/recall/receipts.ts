import { basename } from "node:path";
import { pluginPlace } from "../../../core/memory/claude_settings.ts";
import { readRecords } from "../../../features/install/record.ts";
import { memoryNow } from "../../../core/memory/folder.ts";
import { shorten } from "../../../core/memory/title.ts";
import { type Delivery, verifyDelivery } from "../../../features/statistics/delivery.ts";
import { formatMiss, readReceipts, reasonOf, type Receipt } from "../../../core/recall/receipts.ts";
import { counted, localTime } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import type { CliContext } from "../shared/command.ts";
import { columns, out, outJson, paint, say } from "../shared/output.ts";

/** Which receipts `memo recall --log` shows, and how. */
export interface ReceiptOptions {
  readonly lines: number;
  readonly session?: string;
  readonly verify?: boolean;
  readonly json?: boolean;
}

/** Shows what recent prompts received, and why others received nothing. */
export async function showReceipts(options: ReceiptOptions, context: CliContext): Promise<void> {
  const { paths } = context;
  const wanted = ({ session, block }: Receipt) =>
    (options.session === undefined || session === options.session) &&
    (!options.verify || block !== undefined);
  const receipts = readReceipts(paths.receipts, Infinity).filter(wanted).slice(0, options.lines)
    .reverse();
  if (receipts.length === 0) {
    if (options.json) outJson([]);
    else say(noReceipts(options, context));
    process.exitCode = 1;
    return;
  }
  if (options.verify) return await showDelivery(receipts, options);
  if (options.json) return outJson(receipts);
  out(columns(receipts.map(row)));
}

function noReceipts({ session, verify }: ReceiptOptions, { paths }: CliContext): string {
  if (session !== undefined) {
    return "No receipts for this session; run `memo recall --log` to see recent ones";
  }
  if (verify) return "No context block delivered yet; run `memo recall --log` to see why";
  return Object.keys(readRecords(paths.installs)).some((path) => path !== paths.config) ||
      pluginPlace({ paths })
    ? "No receipts yet; start `claude` and send it a prompt"
    : "No receipts yet; run `memo init` to add the hooks";
}

/** Shows the delivery of each block; exits with 1 if any did not reach the model whole. */
async function showDelivery(receipts: readonly Receipt[], { json }: ReceiptOptions): Promise<void> {
  const verified = await verifyDelivery(receipts);
  if (json) outJson(verified.map(({ receipt, delivery }) => ({ ...receipt, delivery })));
  else {
    out(columns(verified.map(({ receipt, delivery }) => [
      ...when(receipt),
      receipt.event ?? "",
      isFailure(delivery) ? paint("red", delivery) : delivery,
      `${receipt.chars} chars`,
    ])));
  }
  if (verified.some(({ delivery }) => isFailure(delivery))) process.exitCode = 1;
}

function isFailure(delivery: Delivery): boolean {
  return delivery === "dropped" || delivery === "cut to a preview";
}

function row(receipt: Receipt): string[] {
  const total = Object.values(receipt.ms).reduce((sum, ms) => sum + ms, 0);
  const names = receipt.memories.map(({ path, score, ...came }) => {
    const reason = came.strategy && `(${reasonOf(came, receipt.before)})`;
    return [titleOf(path), score?.toFixed(2), reason].filter(Boolean).join(" ");
  });
  const { titles = 0 } = receipt;
  if (titles > 0) names.push(counted(titles, "title"));
  return [
    ...when(receipt),
    receipt.event ?? "",
    receipt.outcome,
    `${total.toFixed(1)} ms`,
    receipt.chars > 0 ? `${receipt.chars} chars` : "",
    names.join(", ") || whyNothing(receipt),
    receipt.prompt === undefined ? "" : `"${receipt.prompt}"`,
  ];
}

/** Why there was no memory, or which came nearest. */
function whyNothing({ why, misses = [] }: Receipt): string {
  if (why !== undefined || misses.length === 0) return why ?? "";
  const nearest = misses.map(({ path, score = 0, ...miss }) =>
    formatMiss({ ...miss, title: titleOf(path), score })
  );
  return `nearest: ${nearest.join(", ")}`;
}

/** Maximum characters of a title. */
const MAX_TITLE = 40;

/** The title of a memory as it is now; its file's name if it is gone. */
function titleOf(path: string): string {
  const memory = memoryNow(path, "user");
  return memory === undefined ? basename(path) : `“${shorten(visible(memory.name), MAX_TITLE)}”`;
}

function when({ at, session }: Pick<Receipt, "at" | "session">): string[] {
  const { day, seconds } = localTime(new Date(at));
  return [`${day} ${seconds}`, (session ?? "-").slice(0, 8)];
}
