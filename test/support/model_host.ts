import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** How a host misbehaves, by path of the file. */
export interface Misbehaviour {
  /** Ends the connection after so many bytes, once. */
  readonly cutAfter?: number;
  /** Sends the whole file whatever part was asked for. */
  readonly ignoresRange?: boolean;
  /** Announces the checksum of something else. */
  readonly wrongHash?: boolean;
  /** Sends the reader to this place, unless the address has a query. */
  readonly redirect?: string;
}

/** A loopback host that serves `/<owner>/<name>/resolve/<revision>/<file>` from a folder. */
export interface ModelHost {
  readonly url: string;
  /** Every request so far: `GET /path`, and the range where one was asked for. */
  readonly requests: readonly string[];
  misbehave(file: string, how: Misbehaviour): void;
  close(): Promise<void>;
}

/** The commit that the host says its files belong to. */
export const COMMIT = "0123456789abcdef0123456789abcdef01234567";

/** Serves the model in `folder` as `repo`. */
export async function serveModel(folder: string, repo: string): Promise<ModelHost> {
  const requests: string[] = [];
  const faults = new Map<string, Misbehaviour>();
  const prefix = new RegExp(`^/${repo}/resolve/[^/]+/`);

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const range = request.headers.range;
    requests.push(`${request.url}${range ? ` ${range}` : ""}`);
    const [path, query] = request.url!.split("?") as [string, string | undefined];
    const file = prefix.test(path) ? path.replace(prefix, "") : undefined;
    if (file === undefined || !existsSync(join(folder, file))) {
      response.writeHead(404).end();
      return;
    }
    const fault = faults.get(file) ?? {};
    if (fault.redirect !== undefined && query === undefined) {
      response.writeHead(302, { location: fault.redirect }).end();
      return;
    }
    const content = readFileSync(join(folder, file));
    const etag = `"${hashOf(fault.wrongHash ? Buffer.from("else") : content)}"`;
    const start = fault.ignoresRange || request.headers["if-range"] !== etag
      ? 0
      : Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const headers = { etag, "x-repo-commit": COMMIT };
    if (start >= content.length) {
      response.writeHead(416, { ...headers, "content-range": `bytes */${content.length}` }).end();
      return;
    }
    const part = content.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      ...headers,
      "content-length": part.length,
      ...(start > 0 && {
        "content-range": `bytes ${start}-${content.length - 1}/${content.length}`,
      }),
    });
    if (fault.cutAfter === undefined) {
      response.end(part);
      return;
    }
    faults.delete(file);
    response.write(part.subarray(0, fault.cutAfter), () => response.destroy());
  }

  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    misbehave: (file, how) => faults.set(file, how),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
