import { openLog } from "../../files/log.ts";
import { toolContext } from "../../mcp/context.ts";
import type { WritingContext } from "../../mcp/tool.ts";
import type { CliContext } from "./command.ts";
import { catchUp, withEngine } from "./local.ts";

/** Runs what a tool of `memo mcp` does in a command, with the command's own engine. */
export async function withTools<T>(
  context: CliContext,
  work: (tools: WritingContext) => Promise<T>,
): Promise<T> {
  const { paths, env, place } = context;
  return await withEngine(context, async (engine) => {
    await catchUp(engine);
    return await work(
      toolContext(engine, { place, env, log: openLog(paths.logs), session: undefined }),
    );
  });
}
