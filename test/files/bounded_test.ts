import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { readRegular, readStream } from "../../src/files/bounded.ts";
import { filesOfTar, tarOf } from "../../src/files/tar.ts";
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

const FILES = [
  { name: "a.md", data: Buffer.from("A"), modified: 0 },
  { name: `${"deep/".repeat(30)}b.md`, data: Buffer.alloc(5000, "b"), modified: 0 },
  { name: "empty.md", data: Buffer.alloc(0), modified: 0 },
];
const LIMITS = { maxFile: 5000, maxBytes: 20_000 };

Deno.test("filesOfTar() reads what tarOf() writes, whatever pieces it comes in", async () => {
  const bytes = tarOf(FILES);
  for (const size of [1, 100, 512, 700, bytes.length]) {
    const pieces = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, i) => bytes.subarray(i * size, (i + 1) * size),
    );
    const found = await Array.fromAsync(filesOfTar(pieces, LIMITS));
    assert.deepEqual(
      found.map(({ name, data }) => [name, Buffer.from(data).toString()]),
      FILES.map(({ name, data }) => [name, data.toString()]),
    );
  }
});

Deno.test("filesOfTar() reads no further than the first file or sum that is too large", async () => {
  let taken = 0;
  function* zeros(header: Uint8Array) {
    yield header;
    for (;; taken += 512) yield new Uint8Array(512);
  }
  const header = (size: string, type = "0") => {
    const head = Buffer.from(tarOf([{ name: "bomb.md", data: Buffer.alloc(0), modified: 0 }]));
    head.write(size.padStart(11), 124);
    head.write(type, 156);
    return head.subarray(0, 512);
  };
  const read = (head: Uint8Array) => Array.fromAsync(filesOfTar(zeros(head), LIMITS));
  await assert.rejects(read(header("77777777777")), {
    message: "`bomb.md`: it is larger than 5 KB",
  });
  await assert.rejects(read(header("77777777777", "x")), /larger/);
  assert.equal(taken, 0);
  await assert.rejects(read(header("-1000")), { message: "`bomb.md` has no size" });
  const many = tarOf(Array.from({ length: 50 }, () => FILES[1]!));
  await assert.rejects(Array.fromAsync(filesOfTar([many], LIMITS)), {
    message: "unpacked, it is larger than 20 KB",
  });
});

Deno.test(
  "filesOfTar() reads archives of tar itself, with long names in its own form and in POSIX's",
  {
    ignore: isWindows,
  },
  async () => {
    using folder = temporaryFolder();
    const name = `${"n".repeat(150)}.md`;
    writeFileSync(join(folder.path, name), "text");
    for (const format of ["gnu", "pax"]) {
      const bytes = execFileSync("tar", [`--format=${format}`, "-cf", "-", `./${name}`], {
        cwd: folder.path,
      });
      const found = await Array.fromAsync(filesOfTar([bytes], LIMITS));
      assert.deepEqual(found.map(({ name }) => name), [name]);
    }
  },
);
