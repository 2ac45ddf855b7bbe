import assert from "node:assert/strict";
import { Engine } from "../../src/core/engine/engine.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { PageListing } from "../../src/surfaces/ui/calls/call.ts";
import { type PageServerOptions, servePage } from "../../src/surfaces/ui/serve.ts";
import type { Log } from "../../src/core/files/log.ts";
import { CALLS } from "../../src/surfaces/ui/calls/mod.ts";
import type { Home } from "../support/home.ts";

/** The calls of a page on a home, with a real index and the files; `cwd` is where `memo ui` was run. */
export function callsOn(home: Home, cwd: string = home.project) {
  const context = { ...contextOf(home, () => {}, cwd), listed: new PageListing() };
  /** Calls as the server does, with what the schema makes of the parameters. */
  // deno-lint-ignore no-explicit-any
  const call = async (name: string, params: object = {}): Promise<any> => {
    const row = CALLS.get(name);
    assert.ok(row, name);
    return JSON.parse(
      JSON.stringify(await row.run(row.params.parse(params) as never, context)),
    );
  };
  return {
    context,
    call,
    /** The ids of the memories that are listed, by name. */
    async ids(params: object = {}): Promise<Record<string, string>> {
      const { rows } = await call("memories", { limit: 500, ...params });
      return Object.fromEntries(rows.map(({ name, id }: Record<string, string>) => [name, id]));
    },
    [Symbol.asyncDispose]: () => context.engine.close(),
  };
}

function contextOf(home: Home, log: Log, cwd: string = home.project) {
  const paths = pathsFor(home.env), place = placeIn(paths, cwd);
  const engine = new Engine({ paths, env: home.env, log, background: false });
  return { engine, paths, log, env: home.env, place, now: () => new Date() };
}

/** Serves the page of a home in this process; `more` is what differs from the daemon's own way. */
export async function serve(
  home: Home,
  { now, ...options }: Partial<PageServerOptions> & { readonly now?: () => Date } = {},
) {
  const logged: string[] = [];
  const log: Log = (event, fields) => void logged.push(JSON.stringify({ event, ...fields }));
  const context = { ...contextOf(home, log), ...now && { now } }, { engine } = context;
  const { address, close } = await servePage({ context, onEvent: () => {}, ...options });
  return {
    ...{ address, engine, logged },
    async [Symbol.asyncDispose]() {
      await close();
      await engine.close();
    },
  };
}
