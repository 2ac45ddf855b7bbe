// What it takes to run executables for other Linuxes on a Debian: packages are unpacked into node_modules/.cache, and
// nothing is installed. They are of Debian 13: ONNX Runtime crashes under the emulator of 12, and Bun's musl build needs
// relocations that the musl of 12 does not know.

import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/roots", import.meta.url));
const FETCH_MS = 300_000;

/** A wheel for musl: the one place among package registries that has libstdc++ for it. */
const WHEEL = ["pyzmq==27.3.0", "musllinux_1_2_x86_64"] as const;

/** The command that runs programs for another processor, with glibc. */
export function emulatorFor(target: string): readonly string[] {
  if (target !== "linux-arm64") throw new Error("no emulator for it");
  const cross = ["libc6", "libstdc++6", "libgcc-s1"].map((name) => `${name}-arm64-cross`);
  const root = obtain("arm64", (folder) => unpackDebian(["qemu-user", ...cross], folder));
  return [join(root, "usr/bin/qemu-aarch64"), "-L", join(root, "usr/aarch64-linux-gnu")];
}

/** A folder that is the whole file system of a program for musl, on this processor. */
export function muslRoot(): string {
  if (process.arch !== "x64") throw new Error("no root with musl for this processor");
  return obtain("musl", (folder) => {
    unpackDebian(["musl"], join(folder, "debian"));
    for (const name of ["lib", "usr/lib", "tmp", "dev", "proc", "etc"]) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    copyFileSync(
      join(folder, "debian/usr/lib/x86_64-linux-musl/libc.so"),
      join(folder, "lib/ld-musl-x86_64.so.1"),
    );
    symlinkSync("ld-musl-x86_64.so.1", join(folder, "lib/libc.musl-x86_64.so.1"));
    takeLibraries(folder);
    // Outside a container nothing may make devices; a file does for what is written to `/dev/null`.
    writeFileSync(join(folder, "dev/null"), "");
    rmSync(join(folder, "debian"), { recursive: true });
  });
}

/** libstdc++ and libgcc, which musl's systems have as packages of their own. */
function takeLibraries(folder: string): void {
  const [wheel, platform] = WHEEL;
  const wheels = join(folder, "wheels");
  const only = ["--no-deps", "--only-binary", ":all:", "--python-version", "3.12"];
  run(["pip", "download", "--quiet", ...only, "--platform", platform, "--dest", wheels, wheel]);
  const [file] = readdirSync(wheels);
  run(["unzip", "-q", join(wheels, file!), "pyzmq.libs/*", "-d", wheels]);
  for (const name of readdirSync(join(wheels, "pyzmq.libs"))) {
    const from = join(wheels, "pyzmq.libs", name);
    if (/^lib(gcc_s|stdc\+\+)/.test(name)) copyFileSync(from, join(folder, "usr/lib", name));
    if (name.startsWith("libstdc++")) copyFileSync(from, join(folder, "usr/lib/libstdc++.so.6"));
    if (name.startsWith("libgcc_s")) copyFileSync(from, join(folder, "usr/lib/libgcc_s.so.1"));
  }
  rmSync(wheels, { recursive: true });
}

/** Fetches packages of Debian 13, with a list of sources of their own, and unpacks them into a folder. */
function unpackDebian(packages: readonly string[], folder: string): void {
  const apt = join(folder, "apt");
  mkdirSync(join(apt, "lists/partial"), { recursive: true });
  mkdirSync(join(apt, "cache/archives/partial"), { recursive: true });
  writeFileSync(join(apt, "sources.list"), sources());
  const options = [
    `Dir::Etc::sourcelist=${join(apt, "sources.list")}`,
    "Dir::Etc::sourceparts=-",
    `Dir::State::lists=${join(apt, "lists")}`,
    `Dir::Cache=${join(apt, "cache")}`,
    "Debug::NoLocking=1",
    ...process.getuid?.() === 0 ? ["APT::Sandbox::User=root"] : [],
  ].flatMap((option) => ["-o", option]);
  run(["apt-get", "-qq", ...options, "update"]);
  run(["apt-get", "-qq", ...options, "download", ...packages], apt);
  for (const file of readdirSync(apt).filter((name) => name.endsWith(".deb"))) {
    run(["dpkg-deb", "--extract", join(apt, file), folder]);
  }
  rmSync(apt, { recursive: true });
}

/** Debian 13 from wherever this machine has its Debian. */
function sources(): string {
  const { stdout } = spawnSync("apt-get", ["indextargets", "--format", "$(SITE)"], {
    encoding: "utf8",
  });
  const site = stdout.split("\n").find((line) => /^https?:.*\/debian\/?$/.test(line));
  if (site === undefined) throw new Error("no packages of Debian here");
  return `deb ${site} trixie main\n`;
}

/** A folder of the cache, made in one step unless it is there. */
function obtain(name: string, fill: (folder: string) => void): string {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.`);
  try {
    fill(fresh);
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

function run([command, ...args]: readonly string[], cwd?: string): void {
  const { status, stderr, error } = spawnSync(command!, args, {
    cwd,
    timeout: FETCH_MS,
    encoding: "utf8",
  });
  if (error || status !== 0) {
    throw new Error(`${command} failed: ${error?.message ?? stderr.trim().split("\n").at(-1)}`);
  }
}
