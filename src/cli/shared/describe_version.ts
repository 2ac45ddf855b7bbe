import { COMMIT, MODEL, TARGET, VERSION } from "../../version.ts";

/** The output of `memo --version`: version, platform and built-in model. */
export function describeVersion(): string {
  const { bun, deno } = process.versions as Readonly<Record<string, string | undefined>>;
  const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${process.versions.node}`;
  return [
    `memo ${VERSION} (${COMMIT ? `commit ${COMMIT}` : "from its sources"})`,
    `runtime  ${runtime}, ${TARGET}`,
    ...MODEL ? [`model    ${MODEL}`] : [],
  ].join("\n");
}
