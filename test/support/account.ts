import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Finished, run } from "./run.ts";

/** A user account that nothing has been done with yet. */
export interface Account extends AsyncDisposable {
  /** A folder that everybody may read, with the home and the temporary folder in it. */
  readonly root: string;
  readonly home: string;
  /** Whether it is a user of its own, and not an empty home of the one who runs the tests. */
  readonly isUser: boolean;
  /** Runs a line for the shell in the home, with nothing of the caller's environment. */
  run(line: string, env?: Readonly<Record<string, string>>): Promise<Finished>;
  /** Every folder and file in the home and the temporary folder, with mode and content. */
  snapshot(): Map<string, string>;
  /** The processes of the user; only where it is one of its own. */
  processes(): string[];
}

/** Makes an account: a real one where the caller is root and may, else an empty home. */
export function makeAccount(): Account {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "memo-account-")));
  chmodSync(root, 0o755);
  const home = join(root, "home");
  const user = addUser(home);
  if (user === undefined) mkdirSync(home);
  const temporary = join(root, "tmp");
  mkdirSync(temporary, { mode: 0o700 });
  if (user !== undefined) chownSync(temporary, user.uid, user.uid);
  const as = user === undefined ? [] : ["runuser", "-u", user.name, "--"];
  const processes = () =>
    user === undefined
      ? []
      : spawnSync("pgrep", ["-a", "-u", user.name], { encoding: "utf8" }).stdout
        .split("\n").filter(Boolean);
  return {
    root,
    home,
    isUser: user !== undefined,
    processes,
    run(line, env = {}) {
      const own = { HOME: home, PATH: "/usr/bin:/bin", TMPDIR: temporary, NO_COLOR: "1", ...env };
      const variables = Object.entries(own).map(([name, value]) => `${name}=${value}`);
      const [command, ...args] = [...as, "env", "-i", ...variables, "sh", "-c", line];
      return run(command!, args, { cwd: home });
    },
    snapshot: () =>
      new Map(
        [home, temporary].flatMap((folder) =>
          readdirSync(folder, { recursive: true, encoding: "utf8" })
            .map((name) => join(folder, name))
            .map((path) => [path.slice(root.length + 1), describe(path)] as const)
        ),
      ),
    async [Symbol.asyncDispose]() {
      for (let tries = 0; tries < 50 && processes().length > 0; tries++) {
        spawnSync("pkill", ["-KILL", "-u", user!.name]);
        await sleep(100);
      }
      if (user !== undefined) spawnSync("userdel", [user.name]);
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Adds a user whose home is a folder; undefined where the caller may not. */
function addUser(home: string): { readonly name: string; readonly uid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const name = `memo${process.pid}`;
  const { status } = spawnSync("useradd", ["--create-home", "--home-dir", home, name]);
  if (status !== 0) return undefined;
  return { name, uid: lstatSync(home).uid };
}

function describe(path: string): string {
  const stat = lstatSync(path);
  const mode = (stat.mode & 0o777).toString(8);
  if (stat.isDirectory()) return `folder ${mode}`;
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!stat.isFile()) return "neither file nor folder";
  return `file ${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}
