// The page of `memo ui`, which the daemon serves while it is open. What serves it stands above the daemon and is loaded
// when somebody asks for it: until then the daemon pays nothing.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../engine/engine.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import type { Log } from "../files/log.ts";
import { sessionVariables } from "../link/session_env.ts";
import { type Place, placeIn } from "../memory/scopes.ts";
import type { Env, Paths } from "../../paths.ts";
import type { Sessions } from "./sessions.ts";

/** Who opens the page. */
export interface PageParams {
  /** Claude Code's configuration folder. */
  readonly claude: string;
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Whether a browser is to open it: then the address is put into a file. */
  readonly inFile?: boolean | undefined;
}

/** Where the page is. */
export interface PageAddress {
  /** It works once. */
  readonly address: string;
  /** A file that leads there; it is removed when the page has come. */
  readonly file?: string;
}

/** What serves the page: `src/surfaces/ui/serve.ts`. */
export interface PageModule {
  servePage(options: {
    readonly context: {
      readonly engine: Engine;
      readonly paths: Paths;
      readonly place: Place;
      readonly env: Env;
      readonly log: Log;
      now(): Date;
    };
    readonly onEvent: (event: "came" | "closed") => void;
  }): Promise<{ readonly address: string; close(): Promise<void> }>;
}

interface PageOptions {
  /** Loads what serves it. */
  load(): Promise<PageModule>;
  readonly engine: Engine;
  readonly sessions: Sessions;
  readonly log: Log;
}

/** The one page that is open at a time: another `memo ui` closes the address of the one before. */
export class OpenPage {
  readonly #options: PageOptions;
  #close: (() => Promise<void>) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** Whether somebody has it open. */
  get isOpen(): boolean {
    return this.#close !== undefined;
  }

  /** Serves it at a new address. */
  open(params: PageParams): Promise<PageAddress> {
    const step = this.#last.then(() => this.#open(params));
    this.#last = step.catch(() => {}); // the caller has it
    return step;
  }

  /** Ends it, and whatever leads to it. */
  async close(): Promise<void> {
    const close = this.#close;
    this.#close = undefined;
    rmSync(this.#options.engine.paths.page, { force: true });
    await close?.();
  }

  async #open({ claude, cwd, variables, inFile = false }: PageParams): Promise<PageAddress> {
    const { load, engine, sessions, log } = this.#options;
    await this.close();
    const paths = { ...engine.paths, claude, userMemory: join(claude, "memory") };
    const given = { pid: undefined, session: undefined, variables: sessionVariables(variables) };
    const { servePage } = await load();
    const { address, close } = await servePage({
      context: {
        ...{ engine, log, paths, now: () => new Date() },
        place: placeIn(paths, cwd),
        env: sessions.ofClient(given).env,
      },
      onEvent: (event) => {
        if (event === "came") rmSync(paths.page, { force: true });
        else if (this.#close === close) void this.close();
      },
    });
    this.#close = close;
    if (!inFile) return { address };
    writeFileAtomic(paths.page, leadingTo(address), { mode: 0o600, durable: false });
    return { address, file: paths.page };
  }
}

/** A document that leads to an address, which other users would see among a browser's arguments. */
function leadingTo(address: string): string {
  return `<!doctype html><meta charset="utf-8"><title>memo</title>
<meta name="referrer" content="no-referrer">
<script>location.replace(${JSON.stringify(address)})</script>
<noscript>memo's page needs JavaScript.</noscript>
`;
}
