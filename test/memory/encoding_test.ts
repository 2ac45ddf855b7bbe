import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMemoryFile } from "../../src/core/memory/folder.ts";
import { temporaryFolder } from "../support/temp.ts";

const NOTE = "---\nname: Deploy\n---\n\nThe staging box is heron\n";
/** `部署在海伦机器上`, in GBK. */
const GBK = Buffer.from("b2bfcaf0d4dabaa3c2d7bbfac6f7c9cf", "hex");

/** Bytes of a file, the body that is used, and what is said of the file. */
const FILES: readonly (readonly [what: string, bytes: Uint8Array, body: string, said: RegExp])[] = [
  ["UTF-8", Buffer.from(NOTE), "The staging box is heron", /^$/],
  ["UTF-8 with a character that stands for none", Buffer.from("a \ufffd b"), "a \ufffd b", /^$/],
  ["UTF-8 of such characters alone", Buffer.from("\ufffd\ufffd"), "\ufffd\ufffd", /^$/],
  ["UTF-16", Buffer.from(`\ufeff${NOTE}`, "utf16le"), "", /held back until it is saved as UTF-8/],
  ["UTF-16 without a mark", Buffer.from(NOTE, "utf16le"), "", /held back/],
  ["GBK", GBK, "", /held back/],
  [
    "Latin-1",
    Buffer.from("The caf\xe9 has the key of the box", "latin1"),
    "The caf\ufffd has the key of the box",
    /is shown as/,
  ],
];

Deno.test("a memory in another encoding is held back, and one with a few such characters is used", () => {
  using folder = temporaryFolder();
  for (const [what, bytes, body, said] of FILES) {
    const path = join(folder.path, "note.md");
    writeFileSync(path, bytes);
    const memory = readMemoryFile(path, "user");
    assert.equal(memory.body, body, what);
    assert.match(memory.problems.map(({ message }) => message).join(), said, what);
    if (body === "") assert.deepEqual([memory.name, memory.confidence], ["note", 0], what);
  }
});
