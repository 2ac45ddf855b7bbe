// How many memory files each command opens beside a daemon that follows them: the index has what they say.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { createClient } from "@libsql/client";
import { isOwnDisk } from "../../src/core/engine/watched_folders.ts";
import { call } from "../../src/core/link/socket.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, makeHome, PATIENCE, warmUp } from "../support/home.ts";
import { obtainTracer, trace } from "../support/trace.ts";
import { until } from "../support/until.ts";

const tracer = obtainTracer();
if (tracer === undefined) console.error("There is no strace that may trace: its test is ignored");

const NOTES = 30;
const NOTE = /user_n\d+\.md(?=")/;

/** Each command, how many of the notes it opens, and how many it looks at. */
const COMMANDS: readonly (readonly [command: string, opened: number, looked: number])[] = [
  ["list", 0, 0],
  ["list -n 5", 0, 0],
  ["list --json", 0, 0],
  ["show twelve-7", 1, 1], // it prints the file
  ["search body", 0, 0],
  ["search --like twelve-7", 0, 0],
  ["completions --words -- show user_n", 0, 0],
  ["stats --json", 0, 0],
  ["doctor --offline", 0, 0],
  ["dream --dry-run", 0, 0], // it reads the files that it would change
  ["import markdown ../notes --dry-run", 0, 0],
  ["export out", NOTES, NOTES],
  ["forget twelve-8", 1, 1],
  ["add The kiln of shed nine is fired on Tuesdays", 0, 0],
  ["init --yes", 0, NOTES - 1], // it brings the index in step
];

/** A home whose index is large enough to be asked, beside a daemon that follows its notes. */
async function largeHome(home: Home): Promise<void> {
  for (let i = 0; i < NOTES; i++) {
    home.write(`user_n${i}.md`, `---\nname: Note twelve-${i}\n---\nThe body of ${i}\n`);
  }
  home.write("notes/one.md", "A note of elsewhere\n");
  await warmUp(home);
  const { claude, socket, db } = pathsFor(home.env);
  const client = createClient({ url: `file:${db}`, timeout: 60_000 });
  const padding = [
    "CREATE TABLE padding (bytes BLOB)",
    "INSERT INTO padding VALUES (zeroblob(3000000))",
  ];
  await client.batch(padding, "write");
  await until("the index is as large on disk", async () => {
    await client.execute("PRAGMA wal_checkpoint"); // of what no reader still needs
    return statSync(db).size > 3_000_000;
  });
  client.close();
  await until("the daemon follows the folder", async () => {
    const params = { claude, cwd: home.root };
    const answer = await call("current", params, { socket, timeoutMs: 60_000 });
    return (answer as { readonly folders: readonly string[] }).folders.length > 0;
  });
}

Deno.test({
  name: "no command opens memory files that the index has, but for what it prints",
  ignore: tracer === undefined || !isOwnDisk(import.meta.dirname!),
  fn: async () => {
    await using home = makeHome(PATIENCE, { hasModel: true });
    await largeHome(home);
    for (const [command, ...expected] of COMMANDS) {
      const args = command.startsWith("add ") ? ["add", command.slice(4)] : command.split(" ");
      let last = { found: [] as number[], stderr: "" };
      // A command whose daemon is too busy to answer in time looks at the files itself.
      for (let tries = 0; tries < 5 && !isDeepStrictEqual(last.found, expected); tries++) {
        const { stderr, calls } = await trace(home, args, { tracer: tracer!, kind: "file" });
        const files = (kind: RegExp) =>
          new Set(
            calls.filter((each) => kind.test(each)).flatMap((each) => NOTE.exec(each) ?? []),
          );
        last = { found: [files(/ open(?:at)?\(/).size, files(/ /).size], stderr };
      }
      assert.deepEqual(last.found, expected, `${command}: ${last.stderr}`);
    }
  },
});
