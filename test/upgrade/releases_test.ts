import assert from "node:assert/strict";
import { fetchVersion, installLine, releasesUrl } from "../../src/features/upgrade/releases.ts";
import { serveLoopback } from "../support/loopback.ts";

Deno.test("a server that sends a byte now and then, or none, does not keep an upgrade waiting", async () => {
  await using server = await serveLoopback((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x"), 5);
    response.on("close", () => clearInterval(timer));
  });
  await assert.rejects(
    fetchVersion(releasesUrl(server.url), { keys: [], timeoutMs: 200 }),
    /Cannot fetch/,
  );
});

Deno.test("installLine() names the release's installer, its version, and the folder of this memo", () => {
  const releases = releasesUrl("https://releases.example/memo");
  for (
    const [isWindows, line] of [
      [
        false,
        "curl -fsSL https://releases.example/memo/download/v1.2.3/install.sh | sh -s -- --version 1.2.3 --to '/a b/bin'",
      ],
      [
        true,
        "& ([scriptblock]::Create((irm https://releases.example/memo/download/v1.2.3/install.ps1))) -Version 1.2.3 -To '/a b/bin'",
      ],
    ] as const
  ) assert.equal(installLine(releases, "1.2.3", { folder: "/a b/bin", isWindows }), line);
});
