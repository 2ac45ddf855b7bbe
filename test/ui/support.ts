import assert from "node:assert/strict";
import { Engine } from "../../src/core/engine/engine.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { type CallContext, Listed } from "../../src/surfaces/ui/calls/call.ts";
import { CALLS } from "../../src/surfaces/ui/calls/mod.ts";
import type { Home } from "../support/home.ts";

/** The calls of a page on a home, with a real index and the files. */
export interface Calls extends AsyncDisposable {
  readonly context: CallContext;
  /** Calls as the server does, with what the schema makes of the parameters. */
  // deno-lint-ignore no-explicit-any
  call(name: string, params?: object): Promise<any>;
  /** The ids of the memories that are listed, by name. */
  ids(params?: object): Promise<Record<string, string>>;
}

/** Calls on a home; `cwd` is where `memo ui` was run. */
export function callsOn(home: Home, cwd: string = home.project): Calls {
  const paths = pathsFor(home.env);
  const log = () => {};
  const engine = new Engine({ paths, env: home.env, log, background: false });
  const context: CallContext = {
    ...{ engine, paths, log, env: home.env, place: placeIn(paths, cwd), listed: new Listed() },
    now: () => new Date(),
  };
  const call: Calls["call"] = async (name, params = {}) => {
    const row = CALLS.get(name);
    assert.ok(row, name);
    return JSON.parse(
      JSON.stringify(await row.run(row.params.parse(params) as never, context)),
    );
  };
  return {
    context,
    call,
    async ids(params = {}) {
      const { rows } = await call("memories", { limit: 500, ...params });
      return Object.fromEntries(rows.map(({ name, id }: Record<string, string>) => [name, id]));
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
}
