import { MANIFESTS } from "./manifests.ts";

/** What the owner of a release does by hand, in order: each is a thing that no task may do, or that is not done yet. */
export function ownersSteps({ repository, keys, version }: {
  /** `who/memo`; empty: unknown. */
  readonly repository: string;
  /** The public keys of releases. */
  readonly keys: readonly string[];
  readonly version: string;
}): string[] {
  const named = repository === "" ? "WHO/memo" : repository;
  return [
    ...repository === ""
      ? [
        "Write the repository's name, `who/memo`, into packaging/repository, then `deno task plugin`",
      ]
      : [],
    ...keys.length === 0
      ? [
        "Make the release key: `deno task release:key release.pem` (see CONTRIBUTING.md); packaging/release.pub is " +
        "empty, so nothing is signed and `memo upgrade` accepts no release",
      ]
      : [],
    `Push once: \`git remote add origin git@github.com:${named}.git && git push -u origin main\``,
    `Release: \`git tag v${version} && git push origin v${version}\`; the workflow builds, tests, signs and publishes`,
    ...MANIFESTS.filter(({ template }) => template !== undefined)
      .map(({ name, where }) => `Submit ${name}. ${where}`),
  ];
}
