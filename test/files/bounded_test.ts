import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { readRegular, readStream } from "../../src/core/files/bounded.ts";
import { temporaryFolder } from "../support/temp.ts";

const isWindows = process.platform === "win32";

Deno.test({
  name: "readRegular() names a pipe, a socket, a device and a folder instead of waiting for them",
  ignore: isWindows,
  async fn() {
    using folder = temporaryFolder();
    const [pipe, socket] = ["pipe", "socket"].map((name) => join(folder.path, name));
    execFileSync("mkfifo", [pipe!]);
    const server = createServer().listen(socket);
    await new Promise((ready) => server.once("listening", ready));
    const cases = [
      [pipe!, "it is a named pipe, not a file"],
      [socket!, "it is a socket, not a file"],
      ["/dev/zero", "it is a device, not a file"],
      [folder.path, "it is a folder, not a file"],
    ] as const;
    for (const [path, message] of cases) assert.throws(() => readRegular(path, 9), { message });
    server.close();
  },
});

Deno.test("readRegular() and readStream() read up to the limit, and refuse one byte more", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "a");
  async function* endless() {
    for (;;) yield new Uint8Array(3);
  }
  writeFileSync(path, "12345");
  assert.equal(readRegular(path, 5).toString(), "12345");
  assert.throws(() => readRegular(path, 4), { message: "it is larger than 0 KB" });
  const parts = [Buffer.from("12"), Buffer.from("345")];
  const stream = (async function* () {
    yield* parts;
  })();
  assert.equal((await readStream(stream, 5)).toString(), "12345");
  await assert.rejects(readStream(endless(), 2 ** 20), { message: "it is larger than 1 MB" });
});
