import { codeOf, MemoError } from "../../../errors.ts";
import { type Answered, type Asked, INQUIRIES, type Inquiry } from "../../mcp/inquiries.ts";
import { openLog } from "../../../core/files/log.ts";
import { sessionVariables } from "../../../core/link/session_env.ts";
import { call } from "../../../core/link/socket.ts";
import { toolContext } from "../../mcp/methods.ts";
import type { CliContext } from "./command.ts";
import { catchUp, withEngine } from "./local.ts";

/** Maximum time for an answer: that of a language model takes up to 30 seconds. */
const TIMEOUT_MS = 60_000;
/** Maximum silence of a daemon, and of one that is busy. */
const ALIVE_MS = 1000;
const BUSY_MS = 5000;

/**
 * The answer to a command, from the daemon, as a prompt gets it. Where none runs, the command's own engine gives the
 * same answer, later; it starts no daemon, which would stay.
 */
export async function inquire<I extends Inquiry>(
  inquiry: I,
  question: Asked<I>,
  context: CliContext,
): Promise<Answered<I>> {
  const { paths, cwd, env, place } = context;
  const caller = { claude: paths.claude, projectDir: cwd, variables: sessionVariables(env) };
  const socket = {
    socket: paths.socket,
    timeoutMs: TIMEOUT_MS,
    aliveMs: ALIVE_MS,
    busyMs: BUSY_MS,
  };
  try {
    return await call("inquiry", { inquiry, question, ...caller }, socket) as Answered<I>;
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
  return await withEngine(context, async (engine) => {
    await catchUp(engine);
    const log = openLog(paths.logs);
    const tools = toolContext(engine, { place, env, log, session: undefined });
    return await INQUIRIES[inquiry](question as never, tools) as Answered<I>;
  });
}

/** Whether no daemon has answered, or one that does not know the question. */
function isAbsence(error: unknown): boolean {
  if (error instanceof MemoError) return error.kind === "daemon" || error.kind === "timeout";
  return codeOf(error) !== undefined;
}
