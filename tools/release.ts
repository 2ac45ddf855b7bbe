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
import { releaseKeys } from "./compile/release_keys.ts";
import { makeRelease } from "./release/make.ts";
import { repository } from "./release/repository.ts";
import { ownersSteps } from "./release/steps.ts";
import { trialHere } from "./release/trial.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const { values } = parseArgs({
  options: {
    target: { type: "string", default: TARGETS.map(({ name }) => name).join(",") },
    releases: { type: "string", default: addressOf(repository()) },
    tag: { type: "string", default: `v${VERSION}` },
    trial: { type: "boolean", default: true },
  },
  allowNegative: true,
});
if (values.tag !== `v${VERSION}`) {
  throw new Error(`The tag is ${values.tag}, but src/version.ts has ${VERSION}`);
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
console.error(`Wrote ${folder}: memo ${manifest.version}, ${targets.length} targets`);
if (values.releases === "") {
  console.error("No installers or manifests: pass `--releases`, or fill in packaging/repository");
}
const steps = ownersSteps({ repository: repository(), keys: releaseKeys(), version: VERSION });
console.error(
  ["", "What you still have to do:", ...steps.map((step, i) => `${i + 1}. ${step}`)].join("\n"),
);

/** The address of a repository's releases. */
function addressOf(name: string): string {
  return name === "" ? "" : `https://github.com/${name}/releases`;
}
