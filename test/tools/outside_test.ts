import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { splitModel } from "../../tools/model/outside.ts";
import { WEIGHTS } from "../../tools/model/sources.ts";
import { MINILM } from "../support/minilm.ts";

Deno.test("splitModel() moves the large constants to places that any system can map", () => {
  const whole = readFileSync(join(MINILM, WEIGHTS));
  const { graph, outside } = splitModel(whole, "beside");
  assert.ok(graph.length < whole.length / 20, `${graph.length} of ${whole.length} bytes are left`);
  const offsets = [...new TextDecoder("latin1").decode(graph).matchAll(/offset\W{2}(\d+)/g)];
  assert.ok(offsets.length > 20);
  for (const [, offset] of offsets) assert.equal(Number(offset) % 65_536, 0);
  assert.ok(Math.abs(graph.length + outside.length - whole.length) < offsets.length * 66_000);
});
