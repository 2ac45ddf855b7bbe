/** One file inside the executable. */
export interface EmbeddedFile {
  /** Its name on disk, relative to the folder of its group, with `/`. */
  readonly name: string;
  /** Where the executable has it. */
  readonly source: string;
  readonly size: number;
  /** SHA-256 of its content, in hex. */
  readonly sha256: string;
  /** How it lies in the executable: as it is, compressed, or as it is and used from there where that can be. */
  readonly form?: "zstd" | "in place";
  /** The file that its offsets are into, if that is used in place. */
  readonly beside?: string;
  /** Its first bytes, in hex, by which a file that is used in place is found. */
  readonly head?: string;
}

/** Files that are of use only together, and are unpacked together. */
export interface AssetGroup {
  /** Hash of the contents, and of the build if one is used in place: what two builds share is unpacked once. */
  readonly hash: string;
  readonly files: readonly EmbeddedFile[];
}

/** The groups: libSQL's library, ONNX Runtime with its binding, the built-in model, the bench's suites. */
export type GroupName = "libsql" | "onnx" | "model" | "suites";

/** Files in the executable. `tools/compile.ts` inserts the real table; it is empty in development. */
export const EMBEDDED: Readonly<Record<GroupName, AssetGroup>> | undefined = undefined;
