import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../../src/core/engine/engine.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { repositoryIn, sync } from "../../src/features/sync/mod.ts";
import type { CallContext } from "../../src/surfaces/ui/calls/call.ts";
import { CALLS } from "../../src/surfaces/ui/calls/mod.ts";
import { Listed } from "../../src/surfaces/ui/listed.ts";
import { type Home, makeHome } from "../support/home.ts";

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
    const row = CALLS.find((call) => call.name === name);
    assert.ok(row, name);
    const reply = JSON.parse(
      JSON.stringify(await row.run(row.params.parse(params) as never, context)),
    );
    // As the page does: what is looked for may take longer than an answer waits.
    return reply.isLooking ? await call(name, params) : reply;
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

/** A memory file. */
export function note(name: string, body: string): string {
  return `---\nname: ${name}\ntype: tool\ncreated: 2026-11-01\n---\n${body}\n`;
}

/** Two machines of one person, with a remote between them. */
export async function twoMachines(folder: string) {
  const remote = join(folder, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", remote]);
  const homes = [makeHome(), makeHome()] as const;
  for (const { env } of homes) await repositoryIn(pathsFor(env), env).make(remote);
  const syncOn = ({ env }: Home) => {
    const about = { paths: pathsFor(env), env, roots: [], patterns: [], machine: "m" };
    return sync({ ...about, now: new Date() });
  };
  return {
    homes,
    syncOn,
    async [Symbol.asyncDispose]() {
      for (const home of homes) await home.dispose();
    },
  };
}

const dated = (body: string, day: string) =>
  note("Kiln", body).replace("---\nT", `updated: ${day}\n---\nT`);
/** What the memory that is edited twice says. */
export const PORT = "The kiln has port ";

/** Both machines have edited one memory, and both have synced: the first one's version applies. */
export async function editedTwice(folder: string) {
  const machines = await twoMachines(folder);
  const { homes: [a, b], syncOn } = machines;
  const path = a.write("tool_kiln.md", dated(`${PORT}1.\n\nIt is hot.`, "2026-11-02"));
  await syncOn(a);
  await syncOn(b);
  writeFileSync(path, dated(`${PORT}2.\n\nIt is hot.`, "2026-11-04"));
  b.write("tool_kiln.md", dated(`${PORT}3.\n\nIt is hot.`, "2026-11-03"));
  await syncOn(a);
  await syncOn(b);
  await syncOn(a);
  return machines;
}
