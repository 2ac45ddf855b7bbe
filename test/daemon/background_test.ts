// What the daemon does for nobody in particular: many notes are embedded in processes that give way to everybody else, and
// prompts are answered meanwhile, of another model too.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { daemonPid, type Home, makeHome, PATIENCE, succeed, warmUp } from "../support/home.ts";
import { MINILM } from "../support/minilm.ts";
import { askHook, sendHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

const WHICH = "which port has the kiln";
/** Has no word of the note's. */
const MEANT = "how hot does the furnace get";

/** A home with a warm daemon, which then gets a kiln and so many ovens. */
async function withOvens(count: number): Promise<Home> {
  const home = makeHome(PATIENCE, { hasModel: true });
  await warmUp(home);
  const note = (name: string, body: string) =>
    home.write(`tool_${name}.md`, `---\nname: ${name}\ntype: tool\n---\n${body}\n`);
  for (let i = 0; i < count; i++) note(`oven_${i}`, `Its bricks are of kind ${i * 7}. `.repeat(40));
  note("kiln", "The kiln listens on port 7070, and burns at 900 degrees.");
  await sendHook(home, "SessionStart.startup", { session_id: "s0" });
  return home;
}

/** The fields of a `stat` file of Linux behind the name, the state the first of them. */
function statOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split(") ").at(-1)!.split(" ");
  } catch {
    return []; // it has ended
  }
}

/** The nice value of a process's first thread, which computes. */
const niceOf = (pid: number) => Number(statOf(`/proc/${pid}/stat`)[16]);

function childrenOf(pid: number): number[] {
  return readdirSync("/proc").map(Number)
    .filter((child) => child > 0 && Number(statOf(`/proc/${child}/stat`)[1]) === pid);
}

Deno.test({
  name: "many notes are embedded at the lowest priority, and prompts are answered at their own",
  ignore: process.platform !== "linux",
  async fn() {
    await using home = await withOvens(100);
    const daemon = daemonPid(home.memoHome)!;
    const children = await until("processes embed, at the lowest priority", () => {
      const all = childrenOf(daemon);
      return all.length > 0 && all.every((child) => niceOf(child) === 19) && all;
    });
    // Empty where a control group takes its place.
    const hasGroups = existsSync("/proc/self/autogroup") &&
      /nice/.test(readFileSync("/proc/self/autogroup", "utf8"));
    const isLow = (child: number) =>
      /nice 19$/m.test(readFileSync(`/proc/${child}/autogroup`, "utf8"));
    if (hasGroups) await until("their sessions too", () => children.every(isLow));
    assert.equal(niceOf(daemon), niceOf(process.pid));
    assert.match(await askHook(home, WHICH), /7070/);
    await succeed(home, ["daemon", "stop"]); // which waits for none of them
    await until(
      "they have ended",
      () => children.every((pid) => statOf(`/proc/${pid}/stat`).length === 0),
    );
  },
});

Deno.test("while another model makes all vectors anew every prompt is answered, and then by these", async () => {
  await using home = await withOvens(6);
  const embedded = async () => {
    const { pending, model } = JSON.parse(await succeed(home, ["daemon", "status", "--json"]));
    return pending === 0 && String(model);
  };
  const before = await until("all are embedded", embedded);
  assert.match(await askHook(home, MEANT, "s1"), /kiln/);
  await succeed(home, ["config", "set", `model=${MINILM}`]);
  let prompts = 0;
  await until("all are embedded again", async () => {
    assert.match(await askHook(home, WHICH, `w${prompts++}`), /7070/);
    const model = await embedded();
    return model && model !== before;
  }, { patienceMs: 180_000 });
  assert.match(await askHook(home, MEANT, "s2"), /kiln/);
});
