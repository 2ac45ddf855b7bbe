import { strategyNamed } from "../../../../strategies/mod.ts";
import { presence, restOf } from "../../../core/daemon/lifecycle.ts";
import { tilde } from "../../../paths.ts";
import { counted, localTime } from "../../../core/text/counted.ts";
import { verifyDelivery } from "../../../features/statistics/delivery.ts";
import { isPrompt } from "../../../core/recall/receipts.ts";
import { foreignIndexFile } from "../../../core/change/follow.ts";
import { topsOf } from "../../../core/relation/standing.ts";
import { fail, type Finding, ok, type Patient, warn } from "./check.ts";

/** Maximum files to name; the others are counted. */
const NAMED = 3;
/** Maximum share of prompts that may time out or fail. */
const BAD_SHARE = 0.2;

/** Checks that the daemon answers and is of this build. */
export async function daemon({ paths }: Patient): Promise<Finding> {
  switch (await presence(paths)) {
    case "same build":
      return ok("running");
    case "none": {
      const rest = restOf(paths, new Date());
      if (rest !== undefined) return putOff(rest);
      return ok("not running; the next prompt starts it");
    }
    case "serves":
      return ok("running, as another build of memo");
    case "older":
      return warn("running an older build; the next prompt replaces it", RESTART);
    case "foreign":
      return warn("running a memo that does not understand this one", RESTART);
    case "hung":
      return fail("not responding", RESTART);
  }
}

const RESTART = "Run `memo daemon restart`";

/** The system kills what needs more memory than there is, and the next daemon would come to the same end. */
function putOff({ times, until }: { readonly times: number; readonly until: Date }): Finding {
  return fail(
    `killed, or out of memory, ${times} times in a row; not started before ${
      localTime(until).seconds
    }, and prompts are matched by keyword until then`,
    "Free some memory, or raise its limit, then run `memo daemon start`; `memo daemon logs` shows each time",
  );
}

/** Checks that the embedding model loads and embeds a text. */
export async function model({ open }: Patient): Promise<Finding> {
  const embedder = await (await open()).engine.embedder();
  const vector = await embedder.embed("Which package manager do we use?", "query");
  return ok(`\`${embedder.id}\`, ${vector.length} dimensions`);
}

/** Checks that the index opens and every memory in it is embedded. */
export async function index({ open }: Patient): Promise<Finding> {
  const { engine } = await open();
  const opened = await engine.index();
  const { memories, pending, bytes } = await opened.statistics();
  const size = `${counted(memories, "memory", "memories")}, ${(bytes / 1e6).toFixed(1)} MB`;
  const [first, ...more] = await opened.queue.skippedAfterFailures();
  if (first !== undefined) {
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    return warn(
      `${size}; \`${first}\`${others} found by words alone: memo ended twice while it made the vectors`,
      "Split the file, or take out what is not text",
    );
  }
  if (pending === 0) return ok(size);
  return warn(`${size}; ${pending} not embedded yet, matched by keyword only`, "Run `memo index`");
}

/** Counts the notes that the code has left behind. */
export async function code({ open, now }: Patient): Promise<Finding> {
  const { engine, folders } = await open();
  const standings = await (await engine.index()).standings.byPath(topsOf(folders), now);
  if (standings.size === 0) return ok("no note is known to name what HEAD has not");
  const notes = counted(standings.size, "note names", "notes name");
  return ok(
    `${notes} what is gone, has moved or has changed; \`memo list --stale\` shows it, and Review in \`memo ui\` changes it`,
  );
}

/** Checks the front matter of all memory files, and that `MEMORY.md` is memo's. */
export async function memoryFiles({ open, env, listings }: Patient): Promise<Finding> {
  const [hidden] = listings().flatMap(({ failed }) => failed)
    .sort((a, b) => a.path.length - b.path.length); // a folder before what is in it
  if (hidden !== undefined) {
    const path = tilde(hidden.path, env);
    const { because } = hidden;
    return fail(
      `cannot read \`${path}\`: ${because}`,
      `Run \`chmod u+rwX ${path}\`, or move it away`,
    );
  }
  const { engine, folders } = await open();
  const unsound = await (await engine.index()).problems();
  if (unsound.length > 0) {
    const [first] = unsound;
    const names = unsound.slice(0, NAMED).map(({ path, problems }) =>
      `\`${tilde(path, env)}\` (${problems.map(({ message }) => message).join(", ")})`
    );
    const rest = unsound.length > NAMED ? ` and ${unsound.length - NAMED} more` : "";
    return warn(names.join(", ") + rest, `Run \`memo edit ${tilde(first!.path, env)}\``);
  }
  const foreign = folders.map(foreignIndexFile).find((path) => path !== undefined);
  if (foreign !== undefined) {
    const path = tilde(foreign, env);
    return warn(
      `\`${path}\` was not written by memo, so memo does not update it`,
      `Rename it to let memo keep a list of memories there`,
    );
  }
  return ok(`all valid, in ${counted(folders.length, "folder")}`);
}

/** Checks the outcomes of recent prompts. */
export function prompts(patient: Patient): Finding {
  const receipts = patient.receipts.filter(isPrompt);
  if (receipts.length === 0) return ok("none yet");
  const outcomes = new Map<string, number>();
  for (const { outcome } of receipts) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const detail = `last ${receipts.length}: ` +
    [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  const bad = ["timed out", "failed"].reduce((sum, name) => sum + (outcomes.get(name) ?? 0), 0);
  const unanswered = receipts.flatMap(({ why = "" }) => isFailedQuestion(why) ? [why] : []);
  if (unanswered.length / receipts.length > BAD_SHARE) {
    return warn(
      `${detail}; ${unanswered.length} without the language model, at last: ${unanswered[0]}`,
      "Run `memo recall --log` to see all, or `memo config set recall.preset local` to do without it",
    );
  }
  return bad / receipts.length > BAD_SHARE
    ? warn(detail, "Run `memo recall --log` and `memo daemon logs` to see why")
    : ok(detail);
}

/** Whether a receipt's reason is that a strategy's question to a language model had no usable answer. */
function isFailedQuestion(why: string): boolean {
  return strategyNamed(why.slice(0, Math.max(0, why.indexOf(":"))))?.cost === "api";
}

/** Checks in the transcripts that context blocks reached the model. */
export async function delivery({ receipts }: Patient): Promise<Finding> {
  const verified = await verifyDelivery(receipts);
  const count = (wanted: string) => verified.filter(({ delivery }) => delivery === wanted).length;
  const [delivered, cut, dropped] = [
    count("delivered"),
    count("cut to a preview"),
    count("dropped"),
  ];
  const seen = delivered + cut + dropped;
  if (seen === 0) {
    const isOld = count("cannot be checked with this version") > 0;
    return ok(
      isOld ? "cannot be checked with this version of Claude Code" : "no transcript to check yet",
    );
  }
  const detail = `${delivered} of ${counted(seen, "block")} reached the model`;
  if (delivered === seen) return ok(detail);
  const fix = "Run `memo recall --log --verify` to see which ones did not";
  return delivered === 0 ? fail(detail, fix) : warn(detail, fix);
}
