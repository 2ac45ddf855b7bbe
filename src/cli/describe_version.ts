import { COMMIT, MODEL, TARGET, VERSION } from "../version.ts";

/** What `memo --version` says: which memo this is, what it runs on, and the model inside. */
export function describeVersion(): string {
  const { bun, deno } = process.versions as Readonly<Record<string, string | undefined>>;
  const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${process.versions.node}`;
  return [
    `memo ${VERSION} (${COMMIT ? `commit ${COMMIT}` : "from its sources"})`,
    `runtime  ${runtime}, ${TARGET}`,
    ...MODEL ? [`model    ${MODEL}`] : [],
  ].join("\n");
}
