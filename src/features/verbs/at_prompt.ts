import type { HookOutput } from "../../../hooks/wire.ts";
import { type EventContext, type HookEvent, SILENT } from "../../core/events/event.ts";
import { answerSpoken, spokenIn } from "../../core/events/spoken.ts";
import { readChanges } from "../../core/ledger/change_log.ts";
import { everyFolder } from "../../core/memory/every_folder.ts";
import { neutraliseLine } from "../../core/text/neutralise.ts";
import { notePause } from "../../core/transcript/pause.ts";
import { changesNamed, isChangeId, lastChange, undo, withGroups } from "./undo.ts";

/**
 * `memo undo` as a prompt, which the line below an answer names: takes back the last change, or that of a named memory.
 * What names nothing is a prompt like any other. The turn is not captured.
 */
export async function undoAtPrompt(
  event: HookEvent<"UserPromptSubmit">,
  context: EventContext,
): Promise<HookOutput> {
  const { command, rest = "" } = spokenIn(event) ?? {};
  if (command !== "undo") return SILENT;
  const { paths, place, folders, now, log, follow } = context;
  const name = rest.replace(/^[“"]|[”"]$/g, "");
  const all = readChanges(folders).reverse();
  const meant = isChangeId(name, all)
    ? { id: name }
    : lastChange(name === "" ? all : withGroups(changesNamed(name, all), all), {
      isNamed: name !== "",
    });
  if (meant === undefined && name !== "") return SILENT;
  const { session, promptId: prompt } = event;
  if (session !== undefined) notePause(paths, { session, prompt });
  if (meant === undefined) return answerSpoken("has changed nothing here that could be undone");
  const warn = (failed: string) => log("change", { failed });
  const { said, left } = await undo(meant.id, everyFolder(place), {
    ...{ paths, now: now(), warn },
    sync: async (changed) => {
      await follow(changed, warn);
      return [];
    },
  });
  const done = said ?? `cannot undo that: ${left[0]?.because ?? "nothing is left of it"}`;
  return answerSpoken(neutraliseLine(done.charAt(0).toLowerCase() + done.slice(1)));
}
