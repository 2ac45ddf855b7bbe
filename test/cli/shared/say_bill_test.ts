import assert from "node:assert/strict";
import { inParts } from "../../../src/surfaces/cli/shared/say_bill.ts";

const BILL = {
  ...{ requests: 30, input: 60_000, standing: 2000, isMeasured: true },
  tokens: { titles: 60_000, blocks: 3000, tools: 0, results: 0, instructions: 0 },
};

Deno.test("a bill says what was sent anew, what came from the cache, and the price", () => {
  const said = inParts({ ...BILL, cached: 58_000, usd: 0.041 });
  assert.equal(
    said,
    "titles 60,000, blocks 3,000, 5,000 sent anew, 58,000 read from the cache, $0.04",
  );
  assert.equal(inParts({ ...BILL, cached: 0, usd: undefined }), "titles 60,000, blocks 3,000");
});
