import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ModelRecord, readRecord } from "../../src/core/embed/files.ts";
import { VERSION } from "../../src/version.ts";
import { commit, compile, type Compiled } from "../compile/compile.ts";
import { releaseKeys } from "../compile/release_keys.ts";
import { executableName, type Target } from "../compile/targets.ts";
import { type ArchiveFile, type ArchiveForm, ARCHIVES } from "./archive.ts";
import { documents } from "./documents.ts";
import { type ArchiveRow, type Manifest, sha256, sumsFile } from "./manifest.ts";
import { changesOf, type Contained, releaseNotes } from "./notes.ts";
import { bundleFor } from "./bundle.ts";
import { checkLicences, worksIn } from "./notice.ts";
import { mainPackage, npmArchive, platformPackage } from "./npm.ts";
import { packaging } from "./packaging.ts";
import { sbom } from "./sbom.ts";
import { misfit } from "./binary.ts";
import { wheel } from "./wheel.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** How a release is made. */
export interface ReleaseOptions {
  readonly targets: readonly Target[];
  /** Where it goes; what lies there is deleted. */
  readonly folder: string;
  /** The address of all releases; without it there are no installers, and `memo upgrade` has to be told. */
  readonly releases: string;
  /** Tries an executable where this machine can; says how far. */
  readonly trial: (compiled: Compiled, target: Target) => string;
}

interface Built {
  readonly target: Target;
  readonly compiled: Compiled;
  readonly row: ArchiveRow;
  readonly contained: Contained;
}

/** Builds every target, and writes a folder with all that a release consists of. */
export async function makeRelease(
  { targets, folder, releases, trial }: ReleaseOptions,
): Promise<Manifest> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "npm"), { recursive: true });
  const date = commitDate();
  const texts = licenceFiles();
  const extras = documents();
  const put = (name: string, bytes: Uint8Array | string) =>
    writeFileSync(join(folder, name), bytes);

  const built = await Array.fromAsync(targets, async (target): Promise<Built> => {
    const compiled = compile(target, { releases });
    checkBuild(compiled, target);
    checkLicences(target);
    const executable: ArchiveFile = {
      name: executableName(target),
      data: readFileSync(compiled.path),
      isExecutable: true,
    };
    const files = [executable, ...texts];
    const form: ArchiveForm = target.name.startsWith("win32") ? "zip" : "tar.gz";
    const file = `memo-${target.name}.${form}`;
    const packed = [...files, ...extras];
    const archive = await ARCHIVES[form](packed, date);
    put(file, archive);
    const npm = npmArchive(platformPackage(target, { version: VERSION, files }), VERSION);
    put(`npm/${npm.file}`, await ARCHIVES["tar.gz"](npm.files, date));
    const bundle = bundleFor(target, { version: VERSION, files, releases });
    if (bundle !== undefined) put(bundle.file, ARCHIVES.zip(bundle.files, date));
    const tried = trial(compiled, target);
    console.error(`${file}: ${(archive.length / 1e6).toFixed(1)} MB, ${tried}`);
    return {
      target,
      compiled,
      row: {
        file,
        size: archive.length,
        sha256: sha256(archive),
        ...bundle && {
          bundle: { file: bundle.file, sha256: sha256(readFileSync(join(folder, bundle.file))) },
        },
        executable: {
          name: executable.name,
          size: executable.data.length,
          sha256: sha256(executable.data),
        },
      },
      contained: {
        target: target.name,
        label: target.label,
        archive: file,
        archiveBytes: archive.length,
        files: packed.map(({ name, data }) => ({ name, size: data.length })),
        parts: partsOf(compiled),
        tried,
      },
    };
  });

  const main = npmArchive(
    mainPackage(targets, { version: VERSION, files: texts, releases }),
    VERSION,
  );
  put(`npm/${main.file}`, await ARCHIVES["tar.gz"](main.files, date));
  const python = wheel(VERSION);
  put(python.file, ARCHIVES.zip(python.files, date));
  const manifest: Manifest = {
    name: "memo",
    version: VERSION,
    commit: commit(),
    date: date.toISOString(),
    archives: Object.fromEntries(built.map(({ target, row }) => [target.name, row])),
  };
  put("manifest.json", json(manifest));
  put("sbom.cdx.json", json(contents(built, date)));
  for (const { name, data } of texts.filter(({ name }) => name === "NOTICE")) put(name, data);
  if (releases !== "") {
    const texts = packaging({ manifest, releases, keys: releaseKeys() });
    for (const [name, text] of texts) put(name, text);
  }
  put("SHA256SUMS", sumsFile(filesIn(folder)));
  const changes = changesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), VERSION);
  const contained = built.map((row) => row.contained);
  put("RELEASE_NOTES.md", releaseNotes(VERSION, { changes, contained, releases }));
  return manifest;
}

/** When the commit was made that lies here: the same sources make the same archives. */
function commitDate(): Date {
  const { status, stdout } = spawnSync("git", ["log", "-1", "--format=%cI"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return status === 0 ? new Date(stdout.trim()) : new Date(0);
}

/** What goes with every executable. */
function licenceFiles(): ArchiveFile[] {
  const names = [
    "LICENSE",
    "NOTICE",
    ...readdirSync(join(ROOT, "licenses")).sort().map((name) => `licenses/${name}`),
  ];
  return names.map((name) => ({ name, data: readFileSync(join(ROOT, name)) }));
}

/** What an executable consists of, in bytes. */
function partsOf({ path, runtimeBytes, assets }: Compiled): Contained["parts"] {
  const groups = Object.entries(assets).map(([name, { files }]) => ({
    name: PARTS[name as keyof typeof PARTS],
    size: files.reduce((sum, { size }) => sum + size, 0),
  }));
  const rest = statSync(path).size - groups.reduce((sum, { size }) => sum + size, runtimeBytes);
  return [
    { name: "Bun, the runtime", size: runtimeBytes },
    ...groups,
    { name: "memo and its packages, as bytecode", size: rest },
  ];
}

const PARTS = {
  libsql: "libSQL",
  onnx: "ONNX Runtime",
  model: "the embedding model",
  suites: "the bench's suites",
} as const;

function contents(built: readonly Built[], date: Date): object {
  const [first] = built;
  return sbom({
    version: VERSION,
    date: date.toISOString(),
    works: first === undefined ? [] : worksIn(first.compiled.packages()),
    packages: new Map(built.map(({ target, compiled }) => [target, compiled.packages()])),
    model: readRecord(join(ROOT, "dist/model")) as ModelRecord,
  });
}

/** Every file of a release that people download. */
function filesIn(folder: string): Map<string, Uint8Array> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(names.map(({ name }) => [name, readFileSync(join(folder, name))]));
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}

const LIBRARY = /\.(node|so(\.\d+)*|dylib|dll)$/;
const WEBASSEMBLY = 0x0061736d;

/** Checks by structure that an executable and every native part in it are a target's; throws with all that is wrong. */
function checkBuild({ path, assets, embedded }: Compiled, target: Target): void {
  const whole = readFileSync(path);
  const wrong = [`memo: ${misfit(whole, target.name) ?? ""}`];
  for (const file of Object.values(assets).flatMap(({ files }) => files)) {
    const { name } = file;
    const part = readFileSync(file.source);
    if (LIBRARY.test(name)) wrong.push(`${name}: ${misfit(part, target.name) ?? ""}`);
    if (name.endsWith(".wasm") && part.readUInt32BE(0) !== WEBASSEMBLY) {
      wrong.push(`${name}: it is not WebAssembly`);
    }
    if (!whole.includes(readFileSync(embedded(file)))) {
      wrong.push(`${name}: it is missing from the executable`);
    }
  }
  const found = wrong.filter((line) => !line.endsWith(": "));
  if (found.length > 0) {
    throw new Error(`The build for ${target.name} is broken:\n${found.join("\n")}`);
  }
}
