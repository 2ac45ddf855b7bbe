// Serves a release on this machine, installs from it as its users do, tries what was installed, and uninstalls it.
//
//   deno run -A tools/release/try_installer.ts dist/release linux-x64

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { executableName, targetNamed } from "../compile/targets.ts";
import { smoke } from "./smoke.ts";

const [release = "dist/release", name = ""] = process.argv.slice(2);
const target = targetNamed(name);
const isWindows = name.startsWith("win32");
const folder = mkdtempSync(join(tmpdir(), "memo-installed-"));
const memo = join(folder, executableName(target));

const server = createServer(({ url = "" }, response) => {
  const file = join(resolve(release), url.split("/").at(-1)!);
  if (!url.startsWith("/latest/download/") || !existsSync(file)) response.writeHead(404).end();
  else response.end(readFileSync(file));
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const env = {
  ...process.env,
  MEMO_RELEASES: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  MEMO_INSTALL: folder,
};

/** Runs the installer of this system. */
function installer(...args: string[]): Promise<void> {
  const [command, ...first] = isWindows
    ? ["powershell", "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", "install.ps1"]
    : ["sh", "install.sh"];
  const child = spawn(command!, [...first, ...args], { env, stdio: "inherit" });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) done();
      else fail(new Error(`The installer exited with ${code}`));
    });
  });
}

try {
  await installer();
  console.log(smoke(memo));
  await installer(isWindows ? "-Uninstall" : "--uninstall");
  assert.ok(!existsSync(memo), "the installer removes memo");
  console.log("ok");
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
