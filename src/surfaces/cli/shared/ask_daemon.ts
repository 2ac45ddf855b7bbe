import { call } from "../../../core/link/socket.ts";
import { sessionVariables } from "../../../core/link/session_env.ts";
import { codeOf, MemoError } from "../../../errors.ts";
import type { Answered, Inquiry, InquiryInput } from "../../mcp/inquiries.ts";
import type { CliContext } from "./command.ts";

/** Maximum time for an answer: that of a language model takes up to 30 seconds. */
const TIMEOUT_MS = 60_000;
/** Maximum silence of a daemon, and of one that is busy. */
const ALIVE_MS = 1000;
const BUSY_MS = 5000;

/** The daemon's answer to a command, as a prompt gets it; undefined where none runs, or it is older than the question. */
export async function askDaemon<I extends Inquiry>(
  inquiry: I,
  question: InquiryInput<I>,
  { paths, cwd, env }: CliContext,
): Promise<Answered<I> | undefined> {
  const caller = { claude: paths.claude, projectDir: cwd, variables: sessionVariables(env) };
  const patience = { timeoutMs: TIMEOUT_MS, aliveMs: ALIVE_MS, busyMs: BUSY_MS };
  try {
    const request = { inquiry, question, ...caller };
    return await call("inquiry", request, { socket: paths.socket, ...patience }) as Answered<I>;
  } catch (error) {
    const isAbsence = error instanceof MemoError
      ? error.kind === "daemon" || error.kind === "timeout" // it may not know the question
      : codeOf(error) !== undefined;
    if (!isAbsence) throw error;
    return undefined;
  }
}

/** The answer to a command, from the daemon, as a prompt gets it; where none runs, from the command itself. */
export async function inquire<I extends Inquiry>(
  inquiry: I,
  question: InquiryInput<I>,
  context: CliContext,
): Promise<Answered<I>> {
  const answer = await askDaemon(inquiry, question, context);
  if (answer !== undefined) return answer;
  const { answerHere } = await import("./local.ts"); // with all that the daemon has ready
  return await answerHere(inquiry, question, context);
}
