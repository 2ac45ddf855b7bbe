import type { HookOutput } from "../../../hooks/wire.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { isEndpoint } from "../../core/embed/mod.ts";
import { extractError, type Failure, findByError } from "./at_error.ts";
import { type EventContext, type HookEvent, SILENT } from "../../core/events/event.ts";
import { inject, momentSessionOf } from "./inject.ts";

/** A command or a server's tool has failed: brings the memory that knows the error. */
export async function atFailure(
  event: HookEvent<"PostToolUseFailure">,
  context: EventContext,
  isPaused: boolean,
): Promise<HookOutput> {
  const { tool = "", command = tool, error, isInterrupted } = event;
  const { config, folders, embed, withIndex } = context;
  const isOff = isPaused || config["recall.moments"] === "off";
  if (isOff || error === undefined || isInterrupted) return SILENT;
  const started = performance.now();
  const decisive = extractError({ command, output: error });
  const listener = decisive && await momentSessionOf(event, context);
  if (listener === undefined) return SILENT;
  const failure = await withoutSecrets(decisive!, context);
  const now = context.now();
  const { isFit } = listener;
  const found = await withIndex((index) =>
    findByError(failure, { index, folders, config, now, embed, isFit })
  );
  if (found === undefined) return SILENT;
  const { memory, shared: about, score } = found;
  return inject(memory, event, context, {
    ...{ listener, because: "knows this error", about, started, score },
  });
}

/** A failure whose text may leave the machine to be embedded loses all that may be a secret, and not only what memo's own rules find. */
async function withoutSecrets(
  failure: Failure,
  { config, redact }: EventContext,
): Promise<Failure> {
  if (!isEndpoint(config.model)) return failure;
  const patterns = ownPatterns(config["redact.patterns"]);
  const [command, output] = [failure.command, failure.output].map((text) => redact(text, patterns));
  return { command: await command!, output: await output! };
}
