import { readFileSync } from "node:fs";
import { MemoError } from "../errors.ts";
import { takeLock } from "../files/lock.ts";

/** A slow download takes hours; a lock of this age belongs to a reused process id. */
const FRESH_MS = 24 * 3_600_000;

/** Keeps other processes from pulling the same model until the end of the `using` scope. */
export function lockPull(name: string, path: string): Disposable {
  const release = takeLock(path, FRESH_MS);
  if (release !== undefined) return { [Symbol.dispose]: release };
  throw new MemoError(
    "model",
    `Cannot pull \`${name}\`: process ${ownerOf(path)} is already pulling it`,
    {
      hint: `Wait for it to finish, or remove \`${path}\` if that process is not memo`,
    },
  );
}

function ownerOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "unknown"; // it has just finished
  }
}
