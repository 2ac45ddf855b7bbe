/** What the head of a program or library says of it. */
export interface Binary {
  readonly format: "elf" | "macho" | "pe";
  readonly arch: "x64" | "arm64";
  /** Of a program for Linux: its loader, which tells glibc from musl. */
  readonly loader?: string;
}

const PE_OFFSET = 0x3c;
const ELF_INTERPRETER = 3;

/** Reads a program's or library's head; undefined for what is none of a platform that memo knows. */
export function readBinary(bytes: Uint8Array): Binary | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 64) return undefined;
  if (view.getUint32(0) === 0x7f454c46) return elf(view);
  if (view.getUint32(0, true) === 0xfeedfacf) return macho(view);
  if (view.getUint16(0) === 0x4d5a) return pe(view);
  return undefined;
}

function elf(view: DataView): Binary | undefined {
  const arch = ({ 0x3e: "x64", 0xb7: "arm64" } as const)[view.getUint16(18, true)];
  if (arch === undefined) return undefined;
  const loader = interpreter(view);
  return { format: "elf", arch, ...(loader !== undefined && { loader }) };
}

/** The text of an ELF program's segment `PT_INTERP`. */
function interpreter(view: DataView): string | undefined {
  const [table, size, count] = [
    Number(view.getBigUint64(32, true)),
    view.getUint16(54, true),
    view.getUint16(56, true),
  ];
  for (let i = 0; i < count; i++) {
    const at = table + i * size;
    if (view.getUint32(at, true) !== ELF_INTERPRETER) continue;
    const start = Number(view.getBigUint64(at + 8, true));
    const length = Number(view.getBigUint64(at + 32, true));
    const text = new Uint8Array(view.buffer, view.byteOffset + start, length - 1); // ends in NUL
    return new TextDecoder().decode(text);
  }
  return undefined;
}

function macho(view: DataView): Binary | undefined {
  const arch = ({ 0x01000007: "x64", 0x0100000c: "arm64" } as const)[view.getUint32(4, true)];
  return arch && { format: "macho", arch };
}

function pe(view: DataView): Binary | undefined {
  const start = view.getUint32(PE_OFFSET, true);
  if (start + 6 > view.byteLength || view.getUint32(start) !== 0x50450000) return undefined;
  const arch = ({ 0x8664: "x64", 0xaa64: "arm64" } as const)[view.getUint16(start + 4, true)];
  return arch && { format: "pe", arch };
}

const FORMATS = { linux: "elf", darwin: "macho", win32: "pe" } as const;

/** What is wrong with a program or library for a target; undefined when it fits. */
export function misfit(bytes: Uint8Array, target: string): string | undefined {
  const [platform, arch, libc] = target.split("-") as [keyof typeof FORMATS, string, string?];
  const found = readBinary(bytes);
  if (found === undefined) return "it is not a program or library";
  if (found.format !== FORMATS[platform] || found.arch !== arch) {
    return `it is ${found.format} for ${found.arch}`;
  }
  if (found.loader !== undefined && /musl/.test(found.loader) !== (libc === "musl")) {
    return `its loader is ${found.loader}`;
  }
  return undefined;
}
