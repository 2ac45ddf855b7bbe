import { noteUses } from "../ledger/usage.ts";
import { loadSession } from "../recall/session.ts";
import { turnsAtEnd } from "../transcript/recent.ts";
import { capture } from "./capture.ts";
import type { EventContext, EventHandler, HookEvent } from "./event.ts";
import { seen } from "./seen.ts";
import type { Memory } from "../memory/memory.ts";
import { analyze } from "../text/analyze.ts";
import { isStopword } from "../text/language/stopwords.ts";

/** Queues a turn for capture, and notes which memories it used. */
export const stop: EventHandler<"Stop"> = async (event, context) => {
  if (event.session !== undefined && !event.isSubagent) {
    context.defer(() => noteUsed(event, context));
  }
  return { ...await capture(event, context), ...seen(event, context) };
};

/** Compares the reply with the memories that were given with its prompt. */
async function noteUsed(event: HookEvent<"Stop">, context: EventContext): Promise<void> {
  const paths = givenWith(event, context);
  if (paths.length === 0) return;
  const said = await saidIn(event, context);
  if (said === undefined) return;
  const memories = await context.withIndex((index) => index.byPath(paths));
  const at = context.now().toISOString();
  const used = memories.filter((memory) => isUsed(memory, said));
  const prompt = event.promptId;
  noteUses(context.paths.usage, used.map(({ path }) => ({ path, at, used: 1, prompt })));
}

function givenWith({ session, promptId }: HookEvent<"Stop">, { paths }: EventContext): string[] {
  if (promptId === undefined) return [];
  const { delivered } = loadSession(paths.sessions, session!);
  return delivered.filter(({ prompt }) => prompt === promptId)
    .flatMap(({ memories }) => Object.keys(memories));
}

/** The turn that has just ended; its last message may not be in the transcript yet. */
async function saidIn({ transcript, said }: HookEvent<"Stop">, { paths }: EventContext) {
  const turns = transcript === undefined ? [] : await turnsAtEnd(transcript, paths);
  const turn = turns.at(-1);
  if (turn === undefined && said === undefined) return undefined;
  const steps = turn?.steps.map((step) => step.kind === "text" ? step.text : step.input) ?? [];
  return { prompt: turn?.prompt ?? "", reply: [...steps, said ?? ""].join("\n") };
}

/** The session is over: cancels its prefetch, and captures the rest of its transcript. */
export const sessionEnd: EventHandler<"SessionEnd"> = async (event, context) => {
  if (event.session !== undefined) context.prefetches.cancel(event.session);
  return await capture(event, context);
};

// Whether a reply used a memory that was shown for it: by the words and values that the reply shares with the memory
// alone, and not with the prompt. Conservative: a use that is not seen costs a little rank; one that is not there would
// keep a wrong memory up.
/** Values: numbers, paths, hosts, options, identifiers with a capital or sign inside; a sentence's own words are none. */
const VALUE =
  /`[^`\n]{2,60}`|--?[a-z][\w-]{2,}|[\w~@][\w./:@~-]*[./:_@][\w./:@~-]*\w|\b[a-z]+[A-Z]\w+\b|\b\d[\d.,:]+\d\b/g;
/** The share of a memory's telling words that a reply must have when it repeats none of its values … */
const SHARE = 0.5;
/** … and their least number. */
const LEAST = 4;
/** Shorter words are in any reply. */
const WORD_CHARS = 4;

/** Whether a reply, the model's messages and the inputs of its tools, uses a memory. */
export function isUsed(
  { name, description, body }: Pick<Memory, "name" | "description" | "body">,
  { prompt, reply }: { readonly prompt: string; readonly reply: string },
): boolean {
  const text = `${name}\n${description}\n${body}`;
  const asked = prompt.toLowerCase();
  const said = reply.toLowerCase();
  const values = valuesIn(text).filter((value) => !asked.includes(value));
  if (values.some((value) => holds(said, value))) return true;
  const known = new Set(analyze(prompt));
  const terms = [...new Set(analyze(text))].filter((term) =>
    term.length >= WORD_CHARS && !isStopword(term) && !known.has(term)
  );
  const replied = new Set(analyze(reply));
  const shared = terms.filter((term) => replied.has(term)).length;
  return shared >= LEAST && shared >= SHARE * terms.length;
}

function valuesIn(text: string): string[] {
  const found = text.match(VALUE) ?? [];
  return [
    ...new Set(found.map((value) => value.replaceAll("`", "").trim().toLowerCase())),
  ].filter((value) => value.length >= 3 && !/^\w+'\w+$/.test(value));
}

/** Whether a text has a value as a whole: `80` is not in `8080`. */
function holds(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + value.length] ?? " ";
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}
