import assert from "node:assert/strict";
import * as developmentEnvironment from "../../src/core/native/environment.ts";
import * as development from "../../src/core/link/io.ts";
import * as executableEnvironment from "../../tools/compile/bun_environment.ts";
import * as executable from "../../tools/compile/bun_io.ts";

Deno.test("what the executable has in place of src/core/link/io.ts is the same to those who call it", () => {
  const stand: typeof development = executable;
  assert.deepEqual(Object.keys(stand), Object.keys(development));
});

Deno.test("so is what it has in place of src/core/native/environment.ts", () => {
  const stand: typeof developmentEnvironment = executableEnvironment;
  assert.deepEqual(Object.keys(stand), Object.keys(developmentEnvironment));
});
