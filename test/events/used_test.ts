import assert from "node:assert/strict";
import { isUsed } from "../../src/core/events/stop.ts";

/** Memories, prompts and replies, and whether the reply used the memory. */
const CASES: readonly (readonly [memory: string, prompt: string, reply: string, used: boolean])[] =
  [
    [
      "Staging runs on `pegasus.internal:8443`",
      "Where is staging?",
      "It is at pegasus.internal:8443.",
      true,
    ],
    ["Staging runs on `pegasus.internal:8443`", "Where is staging?", "Staging runs well.", false],
    ["Staging is on port 8443", "is 8443 taken?", "Port 8443 is taken by nginx.", false],
    ["Tests need port 80", "run it", "Listening on 8080.", false],
    ["Use pnpm, never npm", "install lodash", "Done.\npnpm add lodash", false],
    ["Deploy with `make ship`, then wait for canary", "make ship", "make ship\nDone.", false],
    ["Deploy with `make ship-prod`, then wait", "deploy it", "make ship-prod\nDeployed.", true],
    [
      "Amounts are stored as integerCents",
      "add a discount",
      "I added discount to integerCents.",
      true,
    ],
    [
      "Invoices round half away from zero because of the tax office",
      "fix the totals",
      "The invoices now round half away from zero, as the tax office wants.",
      true,
    ],
    ["Invoices round half away from zero", "hello", "I will round up the usual suspects.", false],
    ["Never force-push to main", "push it", "Pushed to the branch.", false],
  ];

Deno.test("a reply uses a memory whose own values or words it has", () => {
  const found = CASES.map(([body, prompt, reply]) =>
    isUsed({ name: "", description: "", body }, { prompt, reply })
  );
  assert.deepEqual(found, CASES.map(([, , , used]) => used));
});
