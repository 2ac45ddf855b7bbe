import { folderAt } from "../recall/at_work.ts";
import { recall } from "../recall/recall.ts";
import { standingRules } from "../recall/start_block.ts";
import { NOTHING_SHOWN, type Shown } from "../recall/shown.ts";
import { joinBlocks } from "../text/block.ts";
import { additionalContext, type EventHandler, SILENT } from "./event.ts";
import { leaveRecallReceipt } from "./conversation.ts";
import { resolve } from "node:path";
import { isInside } from "../memory/folder.ts";

/** A subagent gets fewer memories than its session: its task is narrow. */
const MEMORIES = 3;
/** Maximum wait to learn which of several tasks is the subagent's, in milliseconds. */
const WAIT_MS = 800;

/** A subagent starts without its session's blocks: sends it the rules, and the memories that match its task. */
export const subagentStart: EventHandler<"SubagentStart"> = async (event, context) => {
  const { session, promptId, agent, agentType: type } = event;
  if (session === undefined || agent === undefined) return SILENT;
  const tasks = await context.tasks.take({ session, promptId, agent, type }, WAIT_MS);
  if (tasks.length === 0) return SILENT;
  const config = { ...context.config, "recall.max_memories": MEMORIES };
  const { folders, place, embed, hasTools } = context;
  const now = context.now();
  const rules = await context.withIndex((index) => standingRules(index, { folders, now }));
  const blocks = rules === undefined ? [] : [rules];
  let shown: Shown = NOTHING_SHOWN;
  for (const prompt of tasks) {
    const result = await context.withIndex((index) =>
      recall({ prompt, folders, folder: () => folderAt(place), shown }, {
        index,
        config,
        now,
        embed,
        hasTools,
      })
    );
    leaveRecallReceipt(event, context, result);
    if (result.block !== undefined) blocks.push(result.block);
    const given = result.entries.map(({ fused }) => [fused.memory.path, undefined] as const);
    for (const { fused } of result.entries) {
      context.told.claim({ session, agent }, [fused.memory.path]);
    }
    shown = { ...shown, seen: new Map([...shown.seen, ...given]) };
  }
  return additionalContext("SubagentStart", joinBlocks(blocks));
};

/**
 * A tool has run: if it wrote a memory, updates index and `MEMORY.md` in the background; if it started a subagent, assigns the
 * task to that subagent.
 */
export const postToolUse: EventHandler<"PostToolUse"> = (event, context) => {
  const { file, call, agent, cwd } = event;
  if (call !== undefined && agent !== undefined) context.tasks.join(call, agent);
  const path = file && resolve(cwd, file);
  if (path !== undefined) {
    for (const folder of context.folders) {
      if (!isInside(path, folder.path)) continue;
      const warn = (failed: string) => context.log("index file", { failed });
      context.follow([{ folder, paths: [path] }], warn).catch(() => {}); // the engine logs failures
    }
  }
  return Promise.resolve(SILENT);
};

/** The model may be about to start a subagent: keeps its task for `SubagentStart`, which does not include it. */
export const preToolUse: EventHandler<"PreToolUse"> = (event, { tasks, now }) => {
  const { session, promptId, call, agentType, task } = event;
  if (session !== undefined && call !== undefined && task !== undefined) {
    tasks.add({ session, promptId, call, type: agentType, prompt: task }, now().getTime());
  }
  return Promise.resolve(SILENT);
};
