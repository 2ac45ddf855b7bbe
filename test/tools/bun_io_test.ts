import assert from "node:assert/strict";
import * as development from "../../src/link/io.ts";
import * as executable from "../../tools/compile/bun_io.ts";

Deno.test("what the executable has in place of src/link/io.ts is the same to those who call it", () => {
  const stand: typeof development = executable;
  assert.deepEqual(Object.keys(stand), Object.keys(development));
});
