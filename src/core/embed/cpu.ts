import { textAt } from "../files/there.ts";

/** Instructions of x86 that add products of bytes in 32 bits (`VPDPBUSD`, AMX), in the words of Linux. */
const EXACT: ReadonlySet<string> = new Set(["avx512_vnni", "avx_vnni", "amx_int8"]);

/**
 * Whether this processor is known to multiply bytes with and without a sign both quickly and exactly. ONNX Runtime
 * itself cannot tell: without those instructions it takes `VPMADDUBSW`, whose sums of 16 bits overflow.
 */
export function addsBytesExactly(read = () => textAt("/proc/cpuinfo")): boolean {
  const flags = /^flags\s*:(?<flags>.*)$/m.exec(read() ?? "")?.groups?.["flags"] ?? "";
  return flags.split(" ").some((flag) => EXACT.has(flag));
}
