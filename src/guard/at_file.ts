import { relative, resolve, sep } from "node:path";
import type { HookOutput } from "../../hooks/wire.ts";
import { projectAt, realPath } from "../memory/project.ts";
import { within } from "../link/within.ts";
import { type EventContext, type HookEvent, SILENT } from "../events/event.ts";
import { anchoredFiles } from "./anchors.ts";
import { bring, listenerOf } from "./bring.ts";

/** A daemon that has not looked at the work tree yet may do so for this long, in milliseconds. */
const LOOK_MS = 120;

/** Claude is about to read a file: brings, once, the decision of the memory that names it. */
export async function atFile(
  event: HookEvent<"PreToolUse">,
  context: EventContext,
): Promise<HookOutput> {
  const { tool, file, cwd } = event;
  const { config, place, folders, withIndex } = context;
  if (tool !== "Read" || file === undefined || config["recall.moments"] !== "all") return SILENT;
  const started = performance.now();
  const top = projectAt(place)?.top;
  if (top === undefined) return SILENT;
  const path = relative(top, realPath(resolve(cwd, file))).replaceAll(sep, "/");
  const anchors = anchoredFiles.of(top, folders) ??
    await within(LOOK_MS, withIndex((index) => anchoredFiles.follow(index, top, folders)));
  const here = anchors?.get(path);
  if (here === undefined) return SILENT;
  const listener = await listenerOf(event, context);
  if (listener === undefined || listener.isToldOf(path)) return SILENT;
  const memories = await withIndex(async (index) =>
    await (await index.corpus(folders)).memories(here.map(({ memory }) => memory))
  );
  const memory = memories.find(listener.isFit);
  if (memory === undefined) return SILENT;
  const about = here.filter((anchor) => anchor.memory === memory.id).map(({ text }) => text);
  return bring(memory, event, context, {
    ...{ listener, because: "names this file", about, file: path, started },
  });
}
