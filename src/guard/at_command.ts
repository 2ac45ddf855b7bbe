import type { HookOutput } from "../../hooks/wire.ts";
import { matchesCall, readCall } from "./call.ts";
import { proposeGuard } from "./propose.ts";
import { hasReached, readLevels } from "../memory/escalation.ts";
import { keyOf } from "../memory/suggested.ts";
import { projectAt, realPath } from "../memory/project.ts";
import { type EventContext, type HookEvent, SILENT } from "../events/event.ts";
import { bring, listenerOf } from "./bring.ts";

/** Claude is about to do what a rule forbids that was broken before: brings the rule, once, with the result. */
export async function atCommand(
  event: HookEvent<"PreToolUse">,
  context: EventContext,
): Promise<HookOutput> {
  const { tool, input } = event;
  const { paths, folders, place, withIndex, config } = context;
  if (tool === undefined || config["recall.moments"] !== "all") return SILENT;
  const levels = [...readLevels(paths.escalations).values()].filter((line) =>
    hasReached(line, "moment")
  );
  if (levels.length === 0) return SILENT;
  const started = performance.now();
  const cwd = realPath(event.cwd);
  const read = readCall({ tool, input, cwd });
  if (read === undefined) return SILENT;
  const root = projectAt(place)?.top ?? place.cwd;
  const memories = await withIndex(async (index) => {
    const here = await index.corpus(folders);
    const ids = (await index.byPath(levels.map(({ path }) => path))).map(({ id }) => id);
    return await here.memories(ids);
  });
  const forbidding = memories.filter((memory) =>
    levels.some(({ path, key }) => path === memory.path && key === keyOf(memory)) &&
    proposeGuard(memory)?.patterns.some((pattern) => matchesCall(pattern, read, { root }))
  );
  const listener = forbidding.length === 0 ? undefined : await listenerOf(event, context);
  const memory = listener && forbidding.find(listener.isFit);
  if (listener === undefined || memory === undefined) return SILENT;
  return bring(memory, event, context, {
    ...{ listener, because: "forbids this", about: [], started },
  });
}
