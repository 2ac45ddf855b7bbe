import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder below the system's temporary one, gone at the end of the `using` scope. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "memo-test-"));
  const again = { maxRetries: 5, retryDelay: 100 }; // a process that is ending may still write
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, ...again }) };
}
