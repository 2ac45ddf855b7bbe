// A process that dreams about a folder, and ends itself with SIGKILL before a step that it is told.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { surroundings } from "../../support/change.ts";
import { dream } from "../../../src/upkeep/dream/dream.ts";

const [root, moment] = Deno.args as [string, string];
let at = 0;
const result = await dream({ scope: "user", path: join(root, "memory") }, {
  ...{ paths: { dreams: join(root, "dreams") }, patterns: [], ...surroundings(new Date()) },
  // Both of two processes get as far as the lock while one of them thinks.
  ask: async () => {
    await sleep(moment === "slow" ? 1500 : 0);
    return { operations: [] };
  },
  onStep: () => {
    if (at++ === Number(moment)) process.kill(process.pid, "SIGKILL");
  },
});
console.log(result === undefined ? "busy" : `done ${result.steps.length}`);
