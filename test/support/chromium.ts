import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { unpackDebian } from "./debian.ts";

/** What browsers that take pictures without a screen are called. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** Debian's smallest Chromium, for machines that have Debian's packages and no browser. */
const PACKAGE = "chromium-headless-shell";
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/chromium", import.meta.url));

/** A Chromium: `CHROMIUM`, one on the search path, or Debian's, unpacked beside the other packages; undefined: none. */
export function obtainChromium(): string | undefined {
  const named = process.env["CHROMIUM"];
  if (named) return named;
  const installed = (process.env["PATH"] ?? "").split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...installed, join(CACHE, PACKAGE)].find(works) ?? unpackChromium();
}

function works(path: string): boolean {
  return existsSync(path) && spawnSync(path, ["--version"]).status === 0;
}

/** Debian's Chromium with its libraries, as one command. */
function unpackChromium(): string | undefined {
  const folder = unpackDebian(PACKAGE, CACHE);
  if (folder === undefined) return undefined;
  const libraries = "$here/usr/lib/$(uname -m)-linux-gnu";
  writeFileSync(
    join(folder, PACKAGE),
    `#!/bin/sh\nhere=$(dirname "$0")\nLD_LIBRARY_PATH="${libraries}:${libraries}/pulseaudio" ` +
      `exec "$here/usr/lib/chromium/${PACKAGE}" "$@"\n`,
    { mode: 0o755 },
  );
  return [join(folder, PACKAGE)].find(works);
}

export interface ScreenshotOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Keeps the picture here. */
  readonly output?: string;
}

/** A picture of a page, as PNG, and what the browser had to say about the page. */
export async function screenshot(
  chromium: string,
  page: string,
  { width = 1000, height = 1400, dark = false, output }: ScreenshotOptions = {},
): Promise<{ readonly png: Uint8Array; readonly log: string }> {
  const folder = mkdtempSync(join(tmpdir(), "memo-chromium-"));
  const file = output ?? join(folder, "page.png");
  try {
    const child = spawn(chromium, [
      "--headless",
      "--no-sandbox",
      "--hide-scrollbars",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--enable-logging=stderr",
      ...dark ? ["--blink-settings=preferredColorScheme=0"] : [],
      `--user-data-dir=${folder}`,
      `--window-size=${width},${height}`,
      `--screenshot=${file}`,
      pathToFileURL(page).href,
    ], { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: folder } });
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => log += text);
    const code = await new Promise((done, fail) => child.on("error", fail).on("close", done));
    if (code !== 0) throw new Error(`${chromium} ended with ${code}: ${log}`);
    return { png: new Uint8Array(readFileSync(file)), log };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
