import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sweep } from "../../src/core/daemon/watch.ts";
import { Engine } from "../../src/core/engine/engine.ts";
import { FEATURES } from "../../src/features.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeHome } from "../support/home.ts";

const KILN = "---\nname: Kiln\ntype: tool\n---\nThe kiln service has port 7070.\n";
const DAY_MS = 86_400_000;

Deno.test("what a folder held is forgotten a week after it went, and what kills left is deleted", async () => {
  await using home = makeHome();
  const paths = pathsFor(home.env);
  home.write("tool_kiln.md", KILN);
  home.write("gone/tool_kiln.md", KILN);
  const left = home.write(".claude/memory/.0123456789abcdef.tmp", "half");
  const old = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(left, old, old);
  const folders: MemoryFolder[] = [
    { scope: "user", path: join(home.claude, "memory") },
    { scope: "project", path: join(home.root, "gone") },
  ];
  const lines: unknown[] = [];
  const log = (event: string, details = {}) => void lines.push([event, details]);
  const engine = new Engine({ paths, env: home.env, log, background: false, features: FEATURES });
  const memories = async () => (await (await engine.index()).statistics()).memories;
  try {
    for (const folder of folders) await engine.sync(folder);
    assert.equal(await memories(), 2);
    rmSync(folders[1]!.path, { recursive: true });
    const day = (n: number) => new Date(Date.now() + n * DAY_MS);
    await sweep(engine, { log, now: day(0) });
    assert.equal(existsSync(left), false);
    assert.equal(await memories(), 2, "the disk may be back tomorrow");
    await sweep(engine, { log, now: day(6) });
    assert.equal(await memories(), 2);
    mkdirSync(folders[1]!.path);
    writeFileSync(join(folders[1]!.path, "tool_kiln.md"), KILN);
    await sweep(engine, { log, now: day(6.5) });
    rmSync(folders[1]!.path, { recursive: true });
    await sweep(engine, { log, now: day(8) });
    assert.equal(await memories(), 2, "it was back meanwhile");
    await sweep(engine, { log, now: day(16) });
    assert.equal(await memories(), 1);
    assert.deepEqual(lines.at(-1), ["sweep", {
      temporaries: 0,
      forgotten: 1,
      kept: 0,
      markers: 0,
      chats: 0,
    }]);
  } finally {
    await engine.close();
  }
});
