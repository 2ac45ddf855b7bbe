// Run by Bun, with an `Order` as its only argument: compiles memo into one executable.

import { readFileSync } from "node:fs";
import { embeddedModule } from "./embed.ts";
import { rewrite, REWRITES } from "./rewrites.ts";
import type { AssetGroup, GroupName } from "../../src/native/embedded.ts";

/** What is to be built. */
export interface Order {
  readonly entry: string;
  readonly outfile: string;
  /** Bun's name of the runtime that is put in. */
  readonly runtime: string;
  /** What `BUILD` is in the executable. */
  readonly build: string;
  readonly assets: Record<GroupName, AssetGroup>;
}

/** As much of Bun's types as is used here. */
declare const Bun: {
  build(options: Record<string, unknown>): Promise<{ success: boolean; logs: unknown[] }>;
};

interface Builder {
  onLoad(
    options: { filter: RegExp },
    load: (file: { path: string }) => { contents: string; loader: "js" | "ts" },
  ): void;
}

const BUN_IO = new URL("bun_io.ts", import.meta.url);
const order = JSON.parse(process.argv[2]!) as Order;

const nativeParts = {
  name: "native-parts",
  setup(builder: Builder): void {
    builder.onLoad({ filter: /[\\/]src[\\/]native[\\/]embedded\.ts$/ }, () => ({
      contents: embeddedModule(order.assets),
      loader: "js",
    }));
    if (!order.runtime.includes("windows")) { // Bun's sockets are not known to reach named pipes
      builder.onLoad({ filter: /[\\/]src[\\/]link[\\/]io\.ts$/ }, () => ({
        contents: readFileSync(BUN_IO, "utf8"),
        loader: "ts",
      }));
    }
    const files = new Set(REWRITES.map(({ file }) => file.source));
    for (const source of files) {
      builder.onLoad({ filter: new RegExp(source) }, ({ path }) => ({
        contents: rewrite(path, readFileSync(path, "utf8")),
        loader: "js",
      }));
    }
  },
};

const { success, logs } = await Bun.build({
  entrypoints: [order.entry],
  target: "bun",
  format: "esm",
  minify: true,
  // The hook client must not pay for parsing the rest: chunks are loaded on demand, and precompiled.
  splitting: true,
  bytecode: true,
  define: { "process.env.MEMO_BUILD": JSON.stringify(order.build) },
  plugins: [nativeParts],
  throw: false,
  compile: {
    target: order.runtime,
    outfile: order.outfile,
    // The folder that memo happens to run in has no say in how it runs.
    autoloadDotenv: false,
    autoloadBunfig: false,
    autoloadTsconfig: false,
    autoloadPackageJson: false,
  },
});
for (const log of logs) console.error(log);
process.exit(success ? 0 : 1);
