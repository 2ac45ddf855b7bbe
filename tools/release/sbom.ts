import { type CompiledPackage, idOf } from "../compile/graph.ts";
import type { Target } from "../compile/targets.ts";
import { idsInLock, lockedPackage } from "../compile/fetch_package.ts";
import type { Work } from "./notice.ts";

/** What a list of contents is made from. */
export interface Contents {
  readonly version: string;
  readonly date: string;
  readonly works: readonly Work[];
  /** Packages by target, and the model in all of them. */
  readonly packages: ReadonlyMap<Target, readonly CompiledPackage[]>;
  readonly model: { readonly repo: string; readonly revision: string };
}

/** The software bill of materials of a release, in CycloneDX 1.6. */
export function sbom({ version, date, works, packages, model }: Contents): object {
  const licences = new Map(works.map((work) => [idOf(work), work.licence.spdx]));
  const targetsOf = new Map<string, string[]>();
  for (const [target, all] of packages) {
    const platform = [target.runtime, target.libsql].map((name) => lockedPackage(name).id);
    for (const id of new Set([...all.map(idOf), ...platform])) {
      targetsOf.set(id, [...targetsOf.get(id) ?? [], target.name]);
    }
  }
  const sums = idsInLock();
  const components = [...targetsOf].sort().map(([id, targets]) =>
    npmComponent(id, {
      licence: licences.get(id) ?? "MIT",
      integrity: sums.get(id),
      targets: targets.length === packages.size ? [] : targets,
    })
  );
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { timestamp: date, component: application(version) },
    components: [...components, modelComponent(model)],
    dependencies: [{
      ref: `memo@${version}`,
      dependsOn: [...components.map((row) => row["bom-ref"]), "model"],
    }],
  };
}

function application(version: string) {
  return {
    type: "application",
    "bom-ref": `memo@${version}`,
    name: "memo",
    version,
    licenses: [{ license: { id: "MIT" } }],
  };
}

interface Facts {
  readonly licence: string;
  readonly integrity: string | undefined;
  /** None for a package that is in every executable. */
  readonly targets: readonly string[];
}

function npmComponent(id: string, { licence, integrity, targets }: Facts) {
  const [, name, version] = /^(.+)@([^@]+)$/.exec(id)!;
  const purl = `pkg:npm/${name!.replace("@", "%40")}@${version}`;
  const content = integrity?.replace(/^sha512-/, "");
  return {
    type: "library",
    "bom-ref": purl,
    name: name!,
    version: version!,
    purl,
    licenses: [licence.includes(" ") ? { expression: licence } : { license: { id: licence } }],
    ...(content && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }],
    }),
    ...(targets.length > 0 && {
      properties: targets.map((value) => ({ name: "memo:target", value })),
    }),
  };
}

function modelComponent({ repo, revision }: Contents["model"]) {
  return { type: "machine-learning-model", "bom-ref": "model", name: repo, version: revision };
}
