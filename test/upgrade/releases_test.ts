import assert from "node:assert/strict";
import { fetchArchive, fetchRelease, releasesUrl } from "../../src/features/upgrade/releases.ts";
import { serveLoopback } from "../support/loopback.ts";

/** A server that sends a byte now and then, without end, and says so before. */
function serveTrickle() {
  return serveLoopback((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x"), 5);
    response.on("close", () => clearInterval(timer));
  });
}

Deno.test("a server that sends a byte now and then does not keep an upgrade waiting", async () => {
  await using server = await serveTrickle();
  const url = releasesUrl(server.url);
  await assert.rejects(
    fetchArchive(url, {
      version: "1.2.3",
      archive: {
        file: "memo-linux-x64.tar.gz",
        size: 2000,
        sha256: "0".repeat(64),
        executable: { name: "memo", size: 1, sha256: "0".repeat(64) },
      },
      stallMs: 1000,
    }),
    /the server sends too slowly/,
  );
});

Deno.test("a server that stops sending does not keep an upgrade waiting", async () => {
  await using server = await serveLoopback((_request, response) => {
    response.writeHead(200).write("x");
  });
  await assert.rejects(
    fetchRelease(releasesUrl(server.url), { keys: [], stallMs: 200 }),
    /the server stopped sending/,
  );
});
