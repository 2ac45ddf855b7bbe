import { type Loopback, serveLoopback } from "./loopback.ts";

/**
 * A loopback server that has one release, as GitHub has them: `/latest/download/FILE` and `/download/v1.2.3/FILE`. With
 * `elsewhere` it sends every request on to another address.
 */
export function serveReleases(
  files: ReadonlyMap<string, Uint8Array>,
  version: string,
  elsewhere?: string,
): Promise<Loopback> {
  return serveLoopback(({ path }, response) => {
    if (elsewhere !== undefined) return void response.writeHead(302, { location: elsewhere }).end();
    const [, place, file] = /^\/(latest\/download|download\/v[^/]+)\/([^/]+)$/.exec(path) ?? [];
    const isThere = place === "latest/download" || place === `download/v${version}`;
    const bytes = isThere ? files.get(file!) : undefined;
    if (bytes === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  });
}
