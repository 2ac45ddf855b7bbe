import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const FETCH_MS = 120_000;

/**
 * Unpacks a package of Debian's, and those it needs and the machine has not, into a folder, once, without installing
 * anything. Returns the folder; undefined: no Debian, or no network.
 */
export function unpackDebian(name: string, into: string): string | undefined {
  if (existsSync(into)) return into;
  if (process.platform !== "linux") return undefined;
  const folder = `${into}-${process.pid}`;
  const archives = join(folder, "archives"); // what lies in the machine's own would be left out of the list
  mkdirSync(join(archives, "partial"), { recursive: true });
  const run = (command: string, ...args: string[]) => {
    const { status, stdout } = spawnSync(command, args, { cwd: folder, timeout: FETCH_MS });
    if (status !== 0) throw new Error(`${command} ended with ${status}`);
    return stdout.toString();
  };
  try {
    const options = ["-o", "Debug::NoLocking=1", "-o", `Dir::Cache::archives=${archives}`];
    const wanted = ["--print-uris", "--yes", "--no-install-recommends", "install", name];
    const uris = run("apt-get", "-qq", ...options, ...wanted);
    const names = [...uris.matchAll(/\/([^/'_]+)_[^/']+\.deb'/g)].map((match) => match[1]!);
    run("apt-get", "-qq", "download", ...names);
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".deb"))) {
      run("dpkg-deb", "--extract", file, ".");
      rmSync(join(folder, file));
    }
    if (!existsSync(into)) renameSync(folder, into);
    return into;
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
