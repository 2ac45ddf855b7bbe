// Requests of `memo mcp` and of commands: run with the daemon's index and model on behalf of whoever calls.

import type { Ask } from "../../../strategies/strategy.ts";
import type { FindSimilar } from "../../core/capture/remember.ts";
import type { Surroundings } from "../../core/change/follow.ts";
import type { Embedder } from "../../core/embed/mod.ts";
import type { Index } from "../../core/index/mod.ts";
import type { Here } from "../../core/settings/config.ts";
import { INQUIRIES, type Inquiry, transcriptOf } from "./inquiries.ts";
import { MemoError } from "../../errors.ts";
import { OF_SESSION, sessionVariables } from "../../core/link/session_env.ts";
import { memoryFolders, placeIn } from "../../core/memory/scopes.ts";
import { isPaused } from "../../core/transcript/pause.ts";
import type { Method, MethodContext } from "../../core/daemon/methods.ts";
import type { Engine } from "../../core/engine/engine.ts";
import { surroundingsOf } from "../../core/engine/surroundings.ts";
import { within } from "../../core/link/within.ts";
import type { Env } from "../../paths.ts";

/** What tools work with that only read. */
export interface ToolContext extends Here {
  readonly env: Env;
  /** The conversation that the tool is called from. */
  readonly session: { readonly id: string; readonly transcript: string | undefined } | undefined;
  /** Runs work on the index, which is up to date with the folders. */
  withIndex<T>(work: (index: Index) => Promise<T>): Promise<T>;
  embed(text: string): Promise<Float32Array>;
  /** Asks a language model; undefined if none may be asked. */
  readonly ask: Ask | undefined;
}

/** What tools work with that write memories. */
export interface WritingContext extends ToolContext {
  /** The embedding model, loaded when it is asked for. */
  embedder(): Promise<Embedder>;
  /** The memories of some folders nearest to a text. */
  similar: FindSimilar;
  /** Where memories are changed, with notices of it for the person. */
  readonly surroundings: Surroundings;
}

/** Who calls a tool. */
interface McpCaller {
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
export const METHODS = {
  /** Runs a tool. */
  async tool(params, context) {
    const { name, args, ...caller } = params as McpCaller & { name: string; args: unknown };
    const { runTool } = await import("./run.ts"); // with all that tools need
    const calling = await contextOf(caller, context);
    const { place, session } = calling;
    if (session !== undefined && isPaused(context.engine.paths, session.id, place)) {
      throw new MemoError("usage", "memo is paused in this session", {
        hint: "Only the user can resume it, with `memo pause` as a prompt",
      });
    }
    return await runTool(name, args, calling);
  },
  /** Answers what a command asks. */
  async inquiry(params, context) {
    const { inquiry, question, ...caller } = params as McpCaller & {
      inquiry: Inquiry;
      question: never;
    };
    if (!Object.hasOwn(INQUIRIES, inquiry)) {
      throw new MemoError("daemon", `Unknown inquiry \`${inquiry}\``);
    }
    return await INQUIRIES[inquiry](question, await contextOf(caller, context));
  },
} as const satisfies Readonly<Record<string, Method>>;

async function contextOf(
  { claude, projectDir, pid, session: started, variables }: McpCaller,
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

/** Maximum wait for memories that were just written; a first index takes longer. */
const EMBEDDED_MS = 1000;

/** What tools work with, from an engine. */
export function toolContext(
  engine: Engine,
  { place, env, log, session }: Pick<ToolContext, "place" | "env" | "log" | "session">,
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
