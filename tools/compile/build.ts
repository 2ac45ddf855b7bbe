// Run by Bun, with an `Order` as its only argument: compiles memo into one executable.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, zstdCompressSync } from "node:zlib";
import { embeddedModule, PACK_LEVEL, packedPath } from "./embed.ts";
import type { Metafile } from "./graph.ts";
import { rewrite, rewritesFor } from "./rewrites.ts";
import { blankVariables } from "./runtime.ts";
import type { Engine } from "./targets.ts";
import type { AssetGroup, EmbeddedFile, GroupName } from "../../src/core/native/embedded.ts";

/** The options of a build. */
export interface Order {
  readonly entry: string;
  readonly outfile: string;
  /** Bun's name of the platform. */
  readonly platform: string;
  /** Bun's executable for that platform, which is put in. */
  readonly runtime: string;
  readonly engine: Engine;
  /** What the variables of `src/version.ts` are in the executable. */
  readonly about: Readonly<Record<`MEMO_${string}`, string>>;
  /** Where the record of the modules goes that the executable is made from. */
  readonly metafile: string;
  readonly assets: Record<GroupName, AssetGroup>;
  /** Where compressed assets are kept for the next build, by the hash of what they were made from. */
  readonly packed: string;
}

/** As much of Bun's types as is used here. */
declare const Bun: { build(options: Record<string, unknown>): Promise<Built> };

interface Built {
  readonly success: boolean;
  readonly logs: readonly unknown[];
  readonly metafile?: Metafile;
  readonly outputs: readonly { text(): Promise<string> }[];
}

interface Source {
  readonly contents: string;
  readonly loader: "js" | "ts";
}

interface Builder {
  onLoad(
    options: { filter: RegExp },
    load: (file: { path: string }) => Source | Promise<Source>,
  ): void;
  onResolve(
    options: { filter: RegExp },
    resolve: (found: { path: string; kind: string }) =>
      | { path: string; external: true }
      | undefined,
  ): void;
}

/** Files that have a twin for the executable, and for which of them. */
const TWINS: readonly { source: RegExp; twin: string; isFor(order: Order): boolean }[] = [
  {
    source: /[\\/]src[\\/]core[\\/]link[\\/]io\.ts$/,
    twin: "bun_io.ts",
    // Bun's sockets are not known to reach the named pipes of Windows.
    isFor: ({ platform }) => !platform.includes("windows"),
  },
  {
    source: /[\\/]src[\\/]core[\\/]native[\\/]environment\.ts$/,
    twin: "bun_environment.ts",
    isFor: ({ engine }) => engine === "native", // WebAssembly has no library that reads the environment
  },
];
const order = JSON.parse(process.argv[2]!) as Order;
const about = Object.entries(order.about)
  .map(([name, text]) => [`process.env.${name}`, JSON.stringify(text)]);
const define = {
  ...Object.fromEntries(about),
  // Where a package was when it was compiled: the executable has no use for it, and it differs between checkouts.
  __dirname: '"."',
  __filename: '"memo"',
};

const twins = {
  name: "twins",
  setup(builder: Builder): void {
    for (const { source, twin } of TWINS.filter(({ isFor }) => isFor(order))) {
      // It stands a folder higher than what it replaces.
      const contents = readFileSync(new URL(twin, import.meta.url), "utf8")
        .replaceAll('"../../', '"../../../');
      builder.onLoad({ filter: source }, () => ({ contents, loader: "ts" }));
    }
  },
};

/** The daemon's threads, each of which begins with a file of its own. */
const WORKERS = ["embed/embed_worker.ts", "recall/own_worker.ts"]
  .map((file) => fileURLToPath(new URL(`../../src/core/${file}`, import.meta.url)));

/** The hook client, and all that it imports statically. */
const HOOK_CLIENT = fileURLToPath(new URL("../../hooks/client.ts", import.meta.url));

/**
 * The hook client is one module in the executable: in chunks that are shared with the commands, it takes 1 ms longer to
 * load. What it imports dynamically stays with the rest.
 */
const hotPath = {
  name: "hot-path",
  async setup(builder: Builder): Promise<void> {
    const contents = await bundled(HOOK_CLIENT, {
      ...{ target: "bun", define },
      plugins: [twins, staysOut(/^\./)],
    });
    builder.onLoad({ filter: /[\\/]hooks[\\/]client\.ts$/ }, () => ({ contents, loader: "js" }));
  },
};

/** The page. */
const PAGE = fileURLToPath(new URL("../../src/surfaces/ui/page/main.js", import.meta.url));

/**
 * The page is one module in the executable: a browser would ask for twenty, one round after the other, before it could
 * show anything.
 */
const page = {
  name: "page",
  async setup(builder: Builder): Promise<void> {
    const modules = { "/main.js": await bundled(PAGE, { target: "browser", minify: true }) };
    builder.onLoad({ filter: /[\\/]src[\\/]surfaces[\\/]ui[\\/]modules\.ts$/ }, () => ({
      contents: `export const MODULES = ${JSON.stringify(modules)};`,
      loader: "js",
    }));
  },
};

/** What modules were made from that are in the executable as text. */
const asText: Record<string, { readonly bytes: number }> = {};

/** A module with all that it imports statically. */
async function bundled(entry: string, options: Record<string, unknown>): Promise<string> {
  const { outputs, logs, success, metafile } = await Bun.build({
    entrypoints: [entry],
    format: "esm",
    metafile: true,
    throw: false,
    ...options,
  });
  if (!success) throw new Error(logs.join("\n"));
  if (options["target"] === "browser") Object.assign(asText, metafile?.inputs);
  return await outputs[0]!.text();
}

/** Has dynamic imports stay what they are. */
function staysOut(filter: RegExp) {
  return {
    name: "stays-out",
    setup: (builder: Builder) =>
      builder.onResolve(
        { filter },
        ({ path, kind }) => kind === "dynamic-import" ? { path, external: true } : undefined,
      ),
  };
}

const nativeParts = {
  name: "native-parts",
  setup(builder: Builder): void {
    builder.onLoad({ filter: /[\\/]src[\\/]core[\\/]native[\\/]embedded\.ts$/ }, () => ({
      contents: embeddedModule(packed(order.assets)),
      loader: "js",
    }));
    const rewrites = rewritesFor(order.engine);
    const files = new Set(rewrites.map(({ file }) => file.source));
    for (const source of files) {
      builder.onLoad({ filter: new RegExp(source) }, ({ path }) => ({
        contents: rewrite(path, readFileSync(path, "utf8"), rewrites),
        loader: "js",
      }));
    }
  },
};

/** The files that the compressed ones were made from, for the record of the modules. */
const originals = new Map<string, Pick<EmbeddedFile, "source" | "size">>();

/** A record of the modules with what was put in before it was compressed. */
function unpackedInputs({ inputs, ...metafile }: Metafile): Metafile {
  const entries = Object.entries({ ...inputs, ...asText }).map(([path, input]) => {
    const original = originals.get(path);
    if (original === undefined) return [path, input];
    return [relative(process.cwd(), original.source), { ...input, bytes: original.size }];
  });
  return { ...metafile, inputs: Object.fromEntries(entries) };
}

/** The assets, with compressed copies of those that are unpacked; it takes half a minute, and is kept for the next build. */
function packed(assets: Order["assets"]): Order["assets"] {
  mkdirSync(order.packed, { recursive: true });
  const pack = ({ source, size, sha256 }: EmbeddedFile) => {
    const path = packedPath(order.packed, sha256);
    if (!existsSync(path)) {
      const params = { [constants.ZSTD_c_compressionLevel]: PACK_LEVEL };
      writeFileSync(`${path}.${process.pid}`, zstdCompressSync(readFileSync(source), { params }));
      renameSync(`${path}.${process.pid}`, path);
    }
    originals.set(relative(process.cwd(), path), { source, size });
    return path;
  };
  const groups = Object.entries(assets).map(([name, group]) => [name, {
    ...group,
    files: group.files.map((file) => file.form === "zstd" ? { ...file, source: pack(file) } : file),
  }]);
  return Object.fromEntries(groups) as Order["assets"];
}

const runtime = `${order.outfile}-runtime`;
blankVariables(order.runtime, runtime);
const { success, logs, metafile } = await Bun.build({
  entrypoints: [order.entry, ...WORKERS],
  naming: { entry: "[name].[ext]" }, // a worker is looked for beside the chunk that starts it
  target: "bun",
  format: "esm",
  minify: true,
  // The hook client must not pay for parsing the rest: chunks are loaded on demand, and precompiled.
  splitting: true,
  bytecode: true,
  define,
  metafile: true,
  plugins: [hotPath, page, twins, nativeParts],
  throw: false,
  compile: {
    target: order.platform,
    executablePath: runtime,
    outfile: order.outfile,
    // The folder that memo happens to run in has no say in how it runs.
    autoloadDotenv: false,
    autoloadBunfig: false,
    autoloadTsconfig: false,
    autoloadPackageJson: false,
  },
}).finally(() => rmSync(runtime));
for (const log of logs) console.error(log);
if (metafile !== undefined) {
  writeFileSync(order.metafile, JSON.stringify(unpackedInputs(metafile)));
}
process.exit(success ? 0 : 1);
