import assert from "node:assert/strict";
import { isUsed } from "../../src/core/events/stop.ts";

/** Memory | prompt | reply: whether the reply used the memory. */
const USED = `
Staging runs on \`pegasus.internal:8443\` | Where is staging? | It is at pegasus.internal:8443.
Deploy with \`make ship-prod\`, then wait | deploy it | make ship-prod Deployed.
Amounts are stored as integerCents | add a discount | I added discount to integerCents.
Invoices round half away from zero because of the tax office | fix the totals | The invoices now round half away from zero, as the tax office wants.
`;
const UNUSED = `
Staging runs on \`pegasus.internal:8443\` | Where is staging? | Staging runs well.
Staging is on port 8443 | is 8443 taken? | Port 8443 is taken by nginx.
Tests need port 80 | run it | Listening on 8080.
Use pnpm, never npm | install lodash | Done. pnpm add lodash
Deploy with \`make ship\`, then wait for canary | make ship | make ship Done.
Invoices round half away from zero | hello | I will round up the usual suspects.
Never force-push to main | push it | Pushed to the branch.
`;

for (const [isExpected, cases] of [[true, USED], [false, UNUSED]] as const) {
  for (const line of cases.trim().split("\n")) {
    Deno.test(`a reply uses a memory whose own values or words it has: ${isExpected}, ${line}`, () => {
      const [body, prompt, reply] = line.split(" | ") as [string, string, string];
      assert.equal(isUsed({ name: "", description: "", body }, { prompt, reply }), isExpected);
    });
  }
}
