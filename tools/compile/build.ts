// Run by Bun, with an `Order` as its only argument: compiles memo into one executable.

import { readFileSync, writeFileSync } from "node:fs";
import { embeddedModule } from "./embed.ts";
import type { Metafile } from "./graph.ts";
import { rewrite, rewritesFor } from "./rewrites.ts";
import type { Engine } from "./targets.ts";
import type { AssetGroup, GroupName } from "../../src/native/embedded.ts";

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
}

/** As much of Bun's types as is used here. */
declare const Bun: {
  build(
    options: Record<string, unknown>,
  ): Promise<{ success: boolean; logs: unknown[]; metafile?: Metafile }>;
};

interface Builder {
  onLoad(
    options: { filter: RegExp },
    load: (file: { path: string }) => { contents: string; loader: "js" | "ts" },
  ): void;
}

/** Files that have a twin for the executable, and for which of them. */
const TWINS: readonly { source: RegExp; twin: string; isFor(order: Order): boolean }[] = [
  {
    source: /[\\/]src[\\/]link[\\/]io\.ts$/,
    twin: "bun_io.ts",
    // Bun's sockets are not known to reach the named pipes of Windows.
    isFor: ({ platform }) => !platform.includes("windows"),
  },
  {
    source: /[\\/]src[\\/]native[\\/]environment\.ts$/,
    twin: "bun_environment.ts",
    isFor: ({ engine }) => engine === "native", // WebAssembly has no library that reads the environment
  },
];
const order = JSON.parse(process.argv[2]!) as Order;

const nativeParts = {
  name: "native-parts",
  setup(builder: Builder): void {
    builder.onLoad({ filter: /[\\/]src[\\/]native[\\/]embedded\.ts$/ }, () => ({
      contents: embeddedModule(order.assets),
      loader: "js",
    }));
    for (const { source, twin } of TWINS.filter(({ isFor }) => isFor(order))) {
      const contents = readFileSync(new URL(twin, import.meta.url), "utf8");
      builder.onLoad({ filter: source }, () => ({ contents, loader: "ts" }));
    }
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

const { success, logs, metafile } = await Bun.build({
  entrypoints: [order.entry],
  target: "bun",
  format: "esm",
  minify: true,
  // The hook client must not pay for parsing the rest: chunks are loaded on demand, and precompiled.
  splitting: true,
  bytecode: true,
  define: Object.fromEntries(
    Object.entries(order.about).map((
      [name, value],
    ) => [`process.env.${name}`, JSON.stringify(value)]),
  ),
  metafile: true,
  plugins: [nativeParts],
  throw: false,
  compile: {
    target: order.platform,
    executablePath: order.runtime,
    outfile: order.outfile,
    // The folder that memo happens to run in has no say in how it runs.
    autoloadDotenv: false,
    autoloadBunfig: false,
    autoloadTsconfig: false,
    autoloadPackageJson: false,
  },
});
for (const log of logs) console.error(log);
if (metafile !== undefined) writeFileSync(order.metafile, JSON.stringify(metafile));
process.exit(success ? 0 : 1);
