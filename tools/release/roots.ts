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
const WHEEL = "pyzmq==27.3.0";

/** What processors are called by musl and wheels, and by Debian. */
const PROCESSORS = {
  x64: { name: "x86_64", debian: "amd64" },
  arm64: { name: "aarch64", debian: "arm64" },
} as const;

type Processor = keyof typeof PROCESSORS;

/** The command that runs programs of a target for another processor. */
export function emulatorFor(target: string): readonly string[] {
  if (!target.startsWith("linux-arm64") || process.arch !== "x64") {
    throw new Error("no emulator");
  }
  const cross = ["libc6", "libstdc++6", "libgcc-s1"].map((name) => `${name}-arm64-cross`);
  const root = obtain("arm64", (folder) => unpackDebian(["qemu-user", ...cross], folder));
  const libraries = target.endsWith("-musl")
    ? muslRoot("arm64")
    : join(root, "usr/aarch64-linux-gnu");
  return [join(root, "usr/bin/qemu-aarch64"), "-L", libraries];
}

/** A folder that is the whole file system of a program for musl. */
export function muslRoot(processor: Processor): string {
  const { name: machine, debian } = PROCESSORS[processor];
  return obtain(`musl-${processor}`, (folder) => {
    unpackDebian(["musl"], join(folder, "debian"), debian);
    for (const name of ["lib", "usr/lib", "tmp", "dev", "proc", "etc"]) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    copyFileSync(
      join(folder, `debian/usr/lib/${machine}-linux-musl/libc.so`),
      join(folder, `lib/ld-musl-${machine}.so.1`),
    );
    symlinkSync(`ld-musl-${machine}.so.1`, join(folder, `lib/libc.musl-${machine}.so.1`));
    takeLibraries(folder, `musllinux_1_2_${machine}`);
    // Outside a container nothing may make devices; a file does for what is written to `/dev/null`.
    writeFileSync(join(folder, "dev/null"), "");
    rmSync(join(folder, "debian"), { recursive: true });
  });
}

/** libstdc++ and libgcc, which musl's systems have as packages of their own. */
function takeLibraries(folder: string, platform: string): void {
  const wheels = join(folder, "wheels");
  const only = ["--no-deps", "--only-binary", ":all:", "--python-version", "3.12"];
  run(["pip", "download", "--quiet", ...only, "--platform", platform, "--dest", wheels, WHEEL]);
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
function unpackDebian(packages: readonly string[], folder: string, processor = "amd64"): void {
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
    `APT::Architecture=${processor}`,
    `APT::Architectures=${processor}`,
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
  if (site === undefined) throw new Error("no Debian packages here");
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
