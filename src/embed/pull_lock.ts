import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { codeOf, MemoError } from "../errors.ts";
import { isAlive } from "../files/lock.ts";

/** Keeps other processes from pulling the same model until the end of the `using` scope. */
export function lockPull(name: string, path: string): Disposable {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const owner = Number(readFileSync(path, "utf8"));
    if (isAlive(owner)) {
      throw new MemoError(
        "model",
        `Cannot pull \`${name}\`: process ${owner} is already pulling it`,
        {
          hint: `Wait for it to finish, or remove \`${path}\` if that process is not memo`,
        },
      );
    }
    writeFileSync(path, String(process.pid)); // whoever held it is gone
  }
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}
