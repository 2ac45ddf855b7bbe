import { randomBytes, randomInt } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";

/** Where hooks reach the daemon over http, and the secret that they carry. Claude Code's settings name both, so it is kept. */
export interface Endpoint {
  readonly port: number;
  readonly token: string;
}

/** The only address that is listened on. */
export const LOOPBACK = "127.0.0.1";

/** The endpoint that an install has noted; undefined when there is none, or the file is damaged. */
export function readEndpoint(path: string): Endpoint | undefined {
  try {
    const { port, token } = JSON.parse(readFileSync(path, "utf8")) as Partial<Endpoint>;
    const isPort = Number.isInteger(port) && port! > 0 && port! < 65536;
    return isPort && typeof token === "string" && token.length >= 32
      ? { port: port!, token }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The endpoint that is noted, or a new one; `port` 0 leaves the choice to memo. The file is its owner's alone. */
export async function ensureEndpoint(path: string, port: number): Promise<Endpoint> {
  const noted = readEndpoint(path);
  if (noted !== undefined && (port === 0 || port === noted.port)) return noted;
  const endpoint = {
    port: port || await freePort(),
    token: noted?.token ?? randomBytes(32).toString("base64url"),
  };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, JSON.stringify(endpoint) + "\n", { mode: 0o600 });
  return endpoint;
}

/** Below the range of outgoing connections, so that none of those takes the port while the daemon restarts. */
const PORTS = { from: 20_000, to: 30_000 } as const;

async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`Found no free port from ${PORTS.from} to ${PORTS.to}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}
