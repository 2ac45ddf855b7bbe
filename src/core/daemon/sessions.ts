// Which login is used for what. A session's credentials, servers, settings and search path arrive with its hooks, are
// kept in memory only, and are used for that session's own prompts and conversation alone. A conversation that
// outlives its session waits for the next one of the same project, unless the session had no environment of its own.

import { homedir } from "node:os";
import { join } from "node:path";
import type { SessionEnv } from "./methods.ts";
import { isAlive } from "../files/lock.ts";
import { isPlain, neutralEnv, OF_SESSION } from "../link/session_env.ts";
import { projectAt } from "../memory/project.ts";
import { placeIn } from "../memory/scopes.ts";
import type { Env, Paths } from "../../paths.ts";

/** A session with an unknown process is over after this long without an event. */
const QUIET_MS = 12 * 3_600_000;

/** A session that is idle for longer does not keep the daemon alive. */
const OPEN_MS = 24 * 3_600_000;

interface SessionPlace {
  readonly cwd: string;
  /** The folder that Claude Code runs in. */
  readonly projectDir?: string | undefined;
  readonly claude: string;
}

/** A hook's report about its session. */
export interface SessionNews extends SessionPlace {
  readonly session: string | undefined;
  readonly transcript: string | undefined;
  readonly pid: number | undefined;
}

/** A conversation for an LLM call, perhaps after its session has ended. */
export interface SessionConversation extends SessionPlace {
  readonly transcript: string;
  readonly isPlain?: boolean | undefined;
}

interface Session extends SessionNews {
  readonly variables: Env;
  readonly heardAt: number;
  readonly isOver: boolean;
}

/** The sessions known to this daemon, and the environment of each. */
export class Sessions {
  readonly #base: Env;
  readonly #paths: Paths;
  readonly #now: () => number;
  /** By id, the most recent last. */
  readonly #byId = new Map<string, Session>();

  constructor(base: Env, paths: Paths, now: () => number = Date.now) {
    this.#base = neutralEnv(base);
    this.#paths = paths;
    this.#now = now;
  }

  /** Records a session's current environment. */
  note(news: SessionNews, variables: Env): void {
    if (news.session === undefined) return;
    this.#byId.delete(news.session);
    this.#byId.set(news.session, { ...news, variables, heardAt: this.#now(), isOver: false });
  }

  /** Records that a session has ended; its conversation may still wait for capture. */
  end(id: string | undefined): void {
    const session = id === undefined ? undefined : this.#byId.get(id);
    if (session !== undefined) this.#byId.set(id!, { ...session, isOver: true });
  }

  /** The environment of a session; undefined if none of its hooks has sent it. */
  envOf(id: string | undefined): SessionEnv | undefined {
    const session = id === undefined ? undefined : this.#byId.get(id);
    return session && { env: this.#envOf(session), isPlain: isPlain(session.variables) };
  }

  /**
   * The session that an MCP client is in, and its environment. A client's process outlives its first session, after
   * `/clear` for example, so the last one of the process counts; without a known one, what the client has given its server.
   */
  ofClient(
    { pid, session: id, variables }: {
      readonly pid: number | undefined;
      readonly session: string | undefined;
      readonly variables: Env;
    },
  ): { readonly env: Env; readonly session?: { id: string; transcript: string | undefined } } {
    const last = [...this.#byId.values()].findLast((each) =>
      pid !== undefined && each.pid === pid && !each.isOver
    );
    const found = last ?? (id === undefined ? undefined : this.#byId.get(id));
    if (found === undefined) return { env: { ...this.#base, ...variables } };
    const { session, transcript } = found;
    return { env: this.#envOf(found), session: { id: session!, transcript } };
  }

  /** The environment for LLM calls about a conversation; undefined if there is none at present. */
  envFor(conversation: SessionConversation): Env | undefined {
    const sessions = [...this.#byId.values()].reverse();
    const own = sessions.find(({ transcript }) => transcript === conversation.transcript);
    if (own !== undefined) return this.#envOf(own);
    if (conversation.isPlain) return this.#plainEnv(conversation);
    const project = this.#projectOf(conversation);
    const next = sessions.find((each) => !each.isOver && this.#projectOf(each) === project);
    return next && this.#envOf(next);
  }

  /** Whether a session that this daemon has answered is still open: its next prompt may come after a long pause. */
  isAnyOpen(): boolean {
    return [...this.#byId.values()].some((session) =>
      session.pid !== undefined && !this.#hasEnded(session) &&
      this.#now() - session.heardAt < OPEN_MS
    );
  }

  /** Forgets the sessions that have ended and have no conversation waiting. */
  sweep(isWaiting: (transcript: string | undefined) => boolean): void {
    for (const [id, session] of this.#byId) {
      if (this.#hasEnded(session) && !isWaiting(session.transcript)) this.#byId.delete(id);
    }
  }

  #projectOf({ cwd, projectDir = cwd, claude }: SessionPlace): string {
    const place = placeIn({ ...this.#paths, claude }, cwd, projectDir);
    return `${claude}\n${projectAt(place)?.root ?? projectDir}`;
  }

  #hasEnded({ isOver, pid, heardAt }: Session): boolean {
    if (isOver) return true;
    return pid === undefined ? this.#now() - heardAt > QUIET_MS : !isAlive(pid);
  }

  #envOf({ variables }: Session): Env {
    return { ...this.#base, ...variables, ...OF_SESSION };
  }

  /** The user's own login to Claude Code, in the configuration folder that the session had. */
  #plainEnv({ claude }: SessionConversation): Env {
    const usual = join(this.#base["HOME"] || homedir(), ".claude");
    return claude === usual ? this.#base : { ...this.#base, CLAUDE_CONFIG_DIR: claude };
  }
}
