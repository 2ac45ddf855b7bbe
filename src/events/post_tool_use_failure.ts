import type { HookOutput } from "../../hooks/wire.ts";
import { ownPatterns } from "../redact/own_patterns.ts";
import { decisiveOf, knowing } from "../moments/at_error.ts";
import { type EventContext, type HookEvent, SILENT } from "./event.ts";
import { bring, listenerOf } from "./moments.ts";

/** A command or a server's tool has failed: brings the memory that knows the error. */
export async function postToolUseFailure(
  event: HookEvent<"PostToolUseFailure">,
  context: EventContext,
): Promise<HookOutput> {
  const { tool = "", command = tool, error, isInterrupted } = event;
  const { config, folders, embed, withIndex } = context;
  if (config["recall.moments"] === "off" || error === undefined || isInterrupted) return SILENT;
  const started = performance.now();
  const decisive = decisiveOf({ command, output: error });
  const listener = decisive && await listenerOf(event, context);
  if (listener === undefined) return SILENT;
  const patterns = ownPatterns(config["redact.patterns"]);
  const failure = {
    command: await context.redact(decisive!.command, patterns),
    output: await context.redact(decisive!.output, patterns),
  };
  const now = context.now();
  const { isFit } = listener;
  const found = await withIndex((index) =>
    knowing(failure, { index, folders, config, now, embed, isFit })
  );
  if (found === undefined) return SILENT;
  const { memory, shared: about, score } = found;
  return bring(memory, event, context, {
    ...{ listener, because: "knows this error", about, started, score },
  });
}
