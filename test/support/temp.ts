import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A new folder below the system's temporary one, gone at the end of the `using` scope. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "memo-test-"));
  const again = { maxRetries: 5, retryDelay: 100 }; // a process that is ending may still write
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, ...again }) };
}

/** Writes files below a folder, with the folders that they are in. */
export function layFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}
