// Requests of `memo mcp` and of commands: run with the daemon's index and model on behalf of whoever calls.

import { INQUIRIES, type Inquiry, transcriptOf } from "./inquiries.ts";
import { MemoError } from "../../errors.ts";
import { OF_SESSION, sessionVariables } from "../../core/link/session_env.ts";
import { memoryFolders, type Place, placeIn } from "../../core/memory/scopes.ts";
import type { ToolSession, WritingContext } from "./tool.ts";
import { isPaused } from "../../core/transcript/pause.ts";
import type { Method, MethodContext } from "../../core/daemon/methods.ts";
import type { Engine } from "../../core/engine/engine.ts";
import { surroundingsOf } from "../../core/engine/surroundings.ts";
import { within } from "../../core/link/within.ts";
import type { Log } from "../../core/files/log.ts";
import type { Env } from "../../paths.ts";

/** Who calls a tool. */
interface Caller {
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

/** Every request of them. */
export const METHODS: Readonly<Record<string, Method>> = {
  inquiry: answerInquiry,
  tool: answerTool,
};

/** Runs a tool. */
async function answerTool(params: unknown, context: MethodContext): Promise<string> {
  const { name, args, ...caller } = params as Caller & {
    readonly name: string;
    readonly args: unknown;
  };
  const { runTool } = await import("./tools.ts"); // with all tools and their schemas
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
  const { inquiry, question, ...caller } = params as Caller & {
    readonly inquiry: string;
    readonly question: unknown;
  };
  if (!Object.hasOwn(INQUIRIES, inquiry)) {
    throw new MemoError("daemon", `Unknown inquiry \`${inquiry}\``);
  }
  return await INQUIRIES[inquiry as Inquiry](question as never, await contextOf(caller, context));
}

async function contextOf(
  { claude, projectDir, pid, session: started, variables }: Caller,
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

/** Where a tool is called, and on whose behalf. */
interface ToolCaller {
  readonly place: Place;
  /** The session's environment, with its login. */
  readonly env: Env;
  readonly log: Log;
  readonly session: ToolSession | undefined;
}

/** Maximum wait for memories that were just written; a first index takes longer. */
const EMBEDDED_MS = 1000;

/** What tools work with, from an engine. */
export function toolContext(
  engine: Engine,
  { place, env, log, session }: ToolCaller,
): WritingContext {
  const folders = memoryFolders(place);
  const now = () => new Date();
  return {
    paths: engine.paths,
    place,
    folders,
    config: engine.config(place, env),
    env,
    log,
    session,
    now,
    async withIndex(work) {
      await engine.freshen(folders);
      await within(EMBEDDED_MS, engine.embedded()); // what a tool has just saved, the next one finds
      return await engine.withIndex(work);
    },
    embed: (text) => engine.model.embed(text).vector,
    ask: engine.askFor(env, place, "ask", "recall"),
    embedder: () => engine.model.embedder(),
    similar: engine.similar.bind(engine),
    surroundings: surroundingsOf(engine, {
      log,
      now: now(),
      session: session?.id,
      isNoticed: true,
    }),
  };
}
