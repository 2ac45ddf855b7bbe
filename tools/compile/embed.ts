import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AssetGroup, EmbeddedFile, GroupName } from "../../src/core/native/embedded.ts";
import { outsideOf, readRecord, UNSIGNED, WEIGHTS, WORDS } from "../../src/core/embed/files.ts";
import { HEAD_BYTES } from "../../src/core/native/unpack.ts";
import { libsqlFolder, onnxFolder } from "./locate.ts";
import type { Target } from "./targets.ts";

/** The files that go into the executable of a target; here `source` is where they are on this machine. */
export function assetsOf(
  target: Target,
  folders: { readonly model: string; readonly suites: string },
  build: string,
): Record<GroupName, AssetGroup> {
  const { files } = readRecord(folders.model);
  if (files === undefined) throw new Error("There is no model in dist/model: run deno task setup");
  return {
    libsql: group(libsqlFolder(target), ["index.node"]),
    onnx: group(onnxFolder(target), target.onnx.files),
    model: mapped(
      group(folders.model, [...files.map(({ path }) => path), "memo.json"]),
      { target, build },
    ),
    suites: group(folders.suites, suiteFiles(folders.suites)),
  };
}

/** Beyond this level of zstd the libraries become hardly smaller, and the first build takes minutes. */
export const PACK_LEVEL = 19;

/** Where the compressed form of an asset is kept. */
export function packedPath(folder: string, sha256: string): string {
  return join(folder, `${sha256}.zst`);
}

/** The module that takes the place of `src/core/native/embedded.ts`: each file is imported as a file. */
export function embeddedModule(assets: Record<GroupName, AssetGroup>): string {
  const imports: string[] = [];
  const groups = Object.entries(assets).map(([name, { hash, files }]) => {
    const entries = files.map(({ source, ...facts }) => {
      const variable = `file${imports.length}`;
      imports.push(`import ${variable} from ${JSON.stringify(source)} with { type: "file" };`);
      return `{ ...${JSON.stringify(facts)}, source: ${variable} }`;
    });
    return `${name}: { hash: "${hash}", files: [${entries.join(", ")}] }`;
  });
  return `${imports.join("\n")}\nexport const EMBEDDED = { ${groups.join(", ")} };\n`;
}

/** The data of every suite that `memo bench` reads; what is written about it stays out. */
function suiteFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) =>
      /\.(jsonl|from)$/.test(name) && existsSync(join(folder, dirname(name), "queries.jsonl"))
    )
    .sort();
}

/** Files of numbers, which do not become smaller worth mentioning, by the file that says where in them is what. */
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ...WEIGHTS.map(({ path }) => [path, outsideOf(path)] as const),
  [UNSIGNED.path, outsideOf(WEIGHTS[0].path)],
  [WORDS.place, WORDS.rows],
]);

/**
 * The model with its numbers used from the executable, where ONNX Runtime maps them from any place of a file: WebAssembly
 * maps none, and Windows only at every 64th kilobyte.
 */
function mapped(
  { hash, files }: AssetGroup,
  { target, build }: { readonly target: Target; readonly build: string },
): AssetGroup {
  const names = new Set(files.map(({ name }) => name));
  const numbers = new Set(NUMBERS.values()).intersection(names);
  const isMapped = target.engine === "native" && !target.name.startsWith("win32") &&
    numbers.size > 0;
  const plain = ({ form: _, ...file }: EmbeddedFile): EmbeddedFile => file;
  if (!isMapped) {
    return { hash, files: files.map((file) => numbers.has(file.name) ? plain(file) : file) };
  }
  return {
    hash: createHash("sha256").update(`${hash} ${build}`).digest("hex").slice(0, 8),
    files: files.map((file) => {
      const beside = NUMBERS.get(file.name);
      if (beside !== undefined && numbers.has(beside)) return { ...file, beside };
      if (!numbers.has(file.name)) return file;
      const head = readFileSync(file.source).subarray(0, HEAD_BYTES).toString("hex");
      return { ...file, form: "in place" as const, head };
    }),
  };
}

function group(folder: string, names: readonly string[]): AssetGroup {
  const hash = createHash("sha256");
  const files = names.map((name) => {
    const source = join(folder, name);
    const content = readFileSync(source);
    hash.update(`${name}\n${content.length}\n`).update(content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    return { name, source, size: content.length, sha256, form: "zstd" as const };
  });
  return { hash: hash.digest("hex").slice(0, 8), files };
}
