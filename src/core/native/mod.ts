// Where the parts that are not JavaScript are on disk: beside the sources in development, unpacked
// once into the state folder by the executable. Not for the hot path.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MemoError, messageOf } from "../../errors.ts";
import { freeBytes, isOneDisk } from "../files/real_path.ts";
import { TELEMETRY_OFF } from "../link/spawn.ts";
import { type Paths, pathsFor } from "../../paths.ts";
import { EMBEDDED } from "./embedded.ts";
import { setVariable } from "./environment.ts";
import { groupFolder, unpackGroup } from "./unpack.ts";

/** The folder of the built-in embedding model. */
export function builtinModelFolder(paths: Paths): string {
  return EMBEDDED === undefined
    ? fileURLToPath(new URL("../../../dist/model", import.meta.url))
    : unpackGroup("model", EMBEDDED.model, paths.runtime);
}

/** Whether the built-in model has a file; nothing is unpacked. */
export function hasBuiltinModelFile(name: string, paths: Paths): boolean {
  return EMBEDDED === undefined
    ? existsSync(join(builtinModelFolder(paths), name))
    : EMBEDDED.model.files.some((file) => file.name === name);
}

/** The folder of the bench's own suites, a folder each. */
export function suitesFolder(paths: Paths): string {
  return EMBEDDED === undefined
    ? fileURLToPath(new URL("../../../bench/suites", import.meta.url))
    : unpackGroup("suites", EMBEDDED.suites, paths.runtime);
}

/** Unpacks what prompts take, best in a process that ends soon: 80 MB of the executable stay with who reads them. */
export function unpackForPrompts(paths: Paths): void {
  if (EMBEDDED === undefined) return;
  refuseSmallDisk(paths);
  for (const group of FOR_PROMPTS) unpackGroup(group, EMBEDDED[group], paths.runtime);
}

const FOR_PROMPTS = ["libsql", "onnx", "model"] as const;
/** What an index and the files of a first session take. */
const BESIDE_BYTES = 10e6;

/** Throws unless there is room for what is still to be unpacked: half of it is of no use. */
export function refuseSmallDisk({ runtime }: Pick<Paths, "runtime">): void {
  if (EMBEDDED === undefined) return;
  const missing = FOR_PROMPTS.map((name) => [name, EMBEDDED![name]] as const)
    .filter(([name, group]) => !existsSync(groupFolder(name, group, runtime)));
  if (missing.length === 0) return;
  const needed = BESIDE_BYTES +
    missing.flatMap(([, { files }]) => files)
      .filter(({ form }) => form !== "in place" || !isOneDisk(process.execPath, runtime))
      .reduce((sum, { size }) => sum + size, 0);
  const free = freeBytes(runtime);
  if (free === undefined || free >= needed) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  throw new MemoError(
    "file",
    `Cannot unpack memo's parts into \`${runtime}\`: they need ${megabytes(needed)}, and ${
      megabytes(free)
    } is free`,
    { hint: "Free up space there, or set `MEMO_HOME` to a folder on another disk" },
  );
}

/**
 * The path of a native library. Called inside the executable by the packages that load one at once, where
 * `tools/compile` rewrites them; in development they find their own.
 */
export function nativeLibrary(group: "libsql" | "onnx", file: string): string {
  if (EMBEDDED === undefined) throw new Error(`No ${group} is embedded in development`);
  const embedded = EMBEDDED[group];
  try {
    return join(unpackGroup(group, embedded, pathsFor().runtime), file);
  } catch (error) {
    // Words need libSQL alone, which is small: without a state folder a prompt can still be answered by them.
    if (group !== "libsql") throw error;
    return join(unpackGroup(group, embedded, passingFolder()), file);
  }
}

/** A temporary folder for what is loaded at once, which is gone as soon as it is loaded, or the process has ended. */
function passingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "memo-"));
  const remove = () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Windows keeps what is loaded
    }
  };
  setImmediate(remove);
  process.once("exit", remove); // a hook may end before anything else is done
  return folder;
}

/** Turns off ONNX Runtime's telemetry; throws where that cannot be done: then its library must not be loaded. */
export function turnTelemetryOff(): void {
  for (const [name, value] of Object.entries(TELEMETRY_OFF)) {
    if (process.env[name] === value) continue; // set by the parent process
    try {
      setVariable(name, value);
    } catch (cause) {
      throw new Error(`its telemetry cannot be turned off: ${messageOf(cause)}`, { cause });
    }
  }
}
