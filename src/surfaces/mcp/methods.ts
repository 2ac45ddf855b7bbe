// Requests of `memo mcp` and of commands: run with the daemon's index and model on behalf of whoever calls.

import { INQUIRIES, type Inquiry } from "./inquiries.ts";
import { MemoError } from "../../errors.ts";
import { OF_SESSION, sessionVariables } from "../../core/link/session_env.ts";
import { placeIn } from "../../core/memory/scopes.ts";
import { toolContext } from "./context.ts";
import type { Resource } from "./resources.ts";
import type { WritingContext } from "./tool.ts";
import { isPaused } from "../../core/transcript/pause.ts";
import { findTranscript, type TranscriptPlace } from "../../core/transcript/find.ts";
import type { Method, MethodContext } from "../../core/daemon/methods.ts";

/** Who calls a tool. */
export interface ToolCallerParams {
  /** Claude Code's configuration folder. */
  readonly claude: string;
  readonly projectDir: string;
  /** The client's process. */
  readonly pid?: number | undefined;
  /** The session that the client was started in; a later one of its process counts more. */
  readonly session?: string | undefined;
  /** The environment that the client has given its server. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A call of a tool. */
export interface ToolParams extends ToolCallerParams {
  readonly name: string;
  readonly args: unknown;
}

/** Every request of them. */
export const METHODS: Readonly<Record<string, Method>> = {
  inquiry: answerInquiry,
  tool: answerTool,
  resources: answerResources,
  resource: answerResource,
};

/** Runs a tool. */
async function answerTool(params: unknown, context: MethodContext): Promise<string> {
  const { name, args, ...caller } = params as ToolParams;
  const { runTool } = await import("./run_tool.ts"); // with all tools and their schemas
  const calling = await contextOf(caller, context);
  const { place, session } = calling;
  if (session !== undefined && isPaused(context.engine.paths, session.id, place)) {
    throw new MemoError("usage", "memo is paused in this session", {
      hint: "Only the user can end the pause, with `memo pause` as a prompt",
    });
  }
  return await runTool(name, args, calling);
}

/** Answers what a command asks. */
async function answerInquiry(params: unknown, context: MethodContext): Promise<unknown> {
  const { inquiry, question, ...caller } = params as ToolCallerParams & {
    readonly inquiry: string;
    readonly question: unknown;
  };
  if (!Object.hasOwn(INQUIRIES, inquiry)) {
    throw new MemoError("daemon", `Unknown inquiry \`${inquiry}\``);
  }
  return await INQUIRIES[inquiry as Inquiry](question as never, await contextOf(caller, context));
}

/** Lists the memories that a client can read as resources. */
async function answerResources(
  params: unknown,
  context: MethodContext,
): Promise<Resource[]> {
  const { listResources } = await import("./resources.ts");
  return await listResources(await contextOf(params as ToolCallerParams, context));
}

/** Reads one of them. */
async function answerResource(params: unknown, context: MethodContext): Promise<string> {
  const { uri, ...caller } = params as ToolCallerParams & { readonly uri: string };
  const { readResource } = await import("./resources.ts");
  return readResource(uri, await contextOf(caller, context));
}

async function contextOf(
  { claude, projectDir, pid, session: started, variables }: ToolCallerParams,
  { engine, log, sessions }: MethodContext,
): Promise<WritingContext> {
  const { env, session } = sessions.ofClient({
    pid,
    session: started,
    variables: { ...sessionVariables(variables), ...OF_SESSION },
  });
  const id = session?.id ?? started;
  return toolContext(engine, {
    place: placeIn({ ...engine.paths, claude }, projectDir, projectDir),
    env,
    log,
    session: id === undefined ? undefined : {
      id,
      transcript: session?.transcript ?? await transcriptOf(id, { ...engine.paths, claude }),
    },
  });
}

/** The transcript of a session whose hooks this daemon has not heard. */
async function transcriptOf(
  session: string,
  place: TranscriptPlace,
): Promise<string | undefined> {
  try {
    return await findTranscript(session, place);
  } catch {
    return undefined; // it has none yet
  }
}
