// Builds every target and writes dist/release: archives, sums, manifest, notices, bill of materials, installers, npm
// packages. What this machine can run is run, the rest is checked by structure.
//
//   deno run -A tools/release.ts [--target linux-x64,…] [--releases https://…/releases] [--tag v1.2.3] [--no-trial]

import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { VERSION } from "../src/version.ts";
import { HOST, type Target, targetNamed, TARGETS } from "./compile/targets.ts";
import { makeRelease } from "./release/make.ts";
import { trialHere } from "./release/trial.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const { values } = parseArgs({
  options: {
    target: { type: "string", default: TARGETS.map(({ name }) => name).join(",") },
    releases: { type: "string", default: "" },
    tag: { type: "string", default: `v${VERSION}` },
    trial: { type: "boolean", default: true },
  },
  allowNegative: true,
});
if (values.tag !== `v${VERSION}`) {
  throw new Error(`The tag is ${values.tag}, and src/version.ts says ${VERSION}`);
}
const targets: Target[] = values.target.split(",").map(targetNamed);
const folder = join(ROOT, "dist/release");
const manifest = await makeRelease({
  targets,
  folder,
  releases: values.releases,
  trial: values.trial ? trialHere : () => "checked by structure",
});
for (const target of targets.filter(({ name }) => name !== HOST)) { // each is as large as memo itself
  const name = join(ROOT, "dist", `memo-${target.name}`);
  rmSync(target.name.startsWith("win32") ? `${name}.exe` : name, { force: true });
}
if (values.releases === "") {
  console.error("No installers and formulas: give the address of releases with --releases");
}
console.error(`Wrote ${folder}: memo ${manifest.version}, ${targets.length} targets`);
