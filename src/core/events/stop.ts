import type { HookOutput } from "../../../hooks/wire.ts";
import { noteUses } from "../ledger/usage.ts";
import { loadSession } from "../recall/session.ts";
import { isUsed, type Said } from "./used.ts";
import { turnsAtEnd } from "../transcript/recent.ts";
import { capture } from "./capture.ts";
import type { EventContext, HookEvent } from "./event.ts";
import { seen } from "./seen.ts";

/** Queues a turn for capture, and notes which memories it used. */
export async function stop(
  event: HookEvent<"Stop">,
  context: EventContext,
): Promise<HookOutput> {
  if (event.session !== undefined && !event.isSubagent) {
    context.defer(() => noteUsed(event, context));
  }
  return { ...await capture(event, context), ...seen(event, context) };
}

/** Compares the reply with the memories that were given with its prompt. */
async function noteUsed(event: HookEvent<"Stop">, context: EventContext): Promise<void> {
  const paths = givenWith(event, context);
  if (paths.length === 0) return;
  const said = await saidIn(event);
  if (said === undefined) return;
  const memories = await context.withIndex((index) => index.byPath(paths));
  const at = context.now().toISOString();
  const used = memories.filter((memory) => isUsed(memory, said));
  const prompt = event.promptId;
  noteUses(context.paths.usage, used.map(({ path }) => ({ path, at, used: 1, prompt })));
}

/** The memories in the blocks of the prompt that the reply answers. */
function givenWith({ session, promptId }: HookEvent<"Stop">, { paths }: EventContext): string[] {
  if (promptId === undefined) return [];
  const { delivered } = loadSession(paths.sessions, session!);
  return delivered.filter(({ prompt }) => prompt === promptId)
    .flatMap(({ memories }) => Object.keys(memories));
}

/** The turn that has just ended; its last message may not be in the transcript yet. */
async function saidIn({ transcript, said }: HookEvent<"Stop">): Promise<Said | undefined> {
  const turn = transcript === undefined ? undefined : (await turnsAtEnd(transcript)).at(-1);
  if (turn === undefined && said === undefined) return undefined;
  const steps = turn?.steps.map((step) => step.kind === "text" ? step.text : step.input) ?? [];
  return { prompt: turn?.prompt ?? "", reply: [...steps, said ?? ""].join("\n") };
}
