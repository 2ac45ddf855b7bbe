import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { isCompiled, selfCommand } from "../../src/core/link/self.ts";

Deno.test("selfCommand() in development runs the main file by its whole path", () => {
  assert.equal(isCompiled, false);
  const { command, args } = selfCommand();
  assert.equal(command, process.execPath);
  assert.match(args.at(-1)!, /src.main\.ts$/);
  assert.ok(existsSync(args.at(-1)!));
});
