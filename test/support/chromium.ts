import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

/** What browsers that take pictures without a screen are called. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** A Chromium on this machine: `CHROMIUM`, or one on the search path. */
export function findChromium(): string | undefined {
  const named = process.env["CHROMIUM"];
  if (named) return named;
  return (process.env["PATH"] ?? "").split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path) && spawnSync(path, ["--version"]).status === 0);
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
