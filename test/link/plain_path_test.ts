import assert from "node:assert/strict";
import * as os from "node:os";
import * as path from "node:path";
import fc from "fast-check";
import { dirname, homedir, isAbsolute, join, resolve } from "../../src/core/link/plain_path.ts";

const part = fc.oneof(
  fc.constantFrom("", ".", "..", "/", "a", ".a", "..a", "a/", "/a", "//", "a b", "C:\\x", "\n"),
  fc.string({ maxLength: 8 }),
);
const somePath = fc.array(part, { maxLength: 5 }).map((parts) => parts.join("/"));

Deno.test("plain paths are what node:path makes of them, and all others too", () => {
  fc.assert(
    fc.property(somePath, part, part, (folder, name, file) => {
      assert.equal(join(folder, name, file), path.join(folder, name, file));
      assert.equal(join("/" + folder, name), path.join("/" + folder, name));
      assert.equal(resolve(folder), path.resolve(folder));
      assert.equal(isAbsolute(folder), path.isAbsolute(folder));
      assert.equal(dirname(folder), path.dirname(folder));
      assert.equal(dirname("/" + folder), path.dirname("/" + folder));
    }),
    { numRuns: 500 },
  );
});

Deno.test("the home folder is the system's", () => {
  assert.equal(homedir(), os.homedir());
});
