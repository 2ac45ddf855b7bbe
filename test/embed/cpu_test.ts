import assert from "node:assert/strict";
import { addsBytesExactly } from "../../src/core/embed/cpu.ts";

Deno.test("a processor adds products of bytes exactly if Linux lists an instruction for it", () => {
  for (
    const [flags, expected] of [
      ["fpu sse4_1 avx2 avx512f avx512_vnni", true],
      ["fpu avx2 avx_vnni", true],
      ["fpu avx2 avx512f", false],
      ["fpu avx2 avx512_vnni_of_tomorrow", false],
    ] as const
  ) {
    const info = `processor\t: 0\nvmx flags\t: vnmi avx_vnni\nflags\t\t: ${flags}\nbugs\t\t:\n`;
    assert.equal(addsBytesExactly(() => info), expected, flags);
  }
});

Deno.test("a processor that is not described is taken for one that does not", () => {
  assert.equal(addsBytesExactly(() => ""), false);
});
