import { MemoError } from "../../errors.ts";

/** Package runners: they fetch memo into a cache of theirs, which they empty when they like. */
const RUNNERS = [
  { name: "npx", path: /[\\/]_npx[\\/]/, instead: "npm install --global claude-code-memo" },
  { name: "bunx", path: /[\\/]bunx-[^\\/]+[\\/]/, instead: "bun add --global claude-code-memo" },
  {
    name: "pnpm dlx",
    path: /[\\/]dlx(-[^\\/]+)?[\\/]/,
    instead: "pnpm add --global claude-code-memo",
  },
] as const;

/** The package runner whose cache an executable is in. */
export type Runner = typeof RUNNERS[number];

/** The package runner whose cache an executable is in; undefined if it is in none. */
export function runnerOf(executable: string): Runner | undefined {
  return RUNNERS.find(({ path }) => path.test(executable));
}

/** Why hooks must not name an executable in the cache of a package runner. */
export function inCache({ name }: Runner, executable: string): string {
  return `\`${executable}\` is in the cache of ${name}, which may be emptied at any time`;
}

/** Throws if hooks would name an executable in the cache of a package runner. */
export function refuseRunner(executable: string): void {
  const runner = runnerOf(executable);
  if (runner === undefined) return;
  throw new MemoError("usage", `Cannot add hooks: ${inCache(runner, executable)}`, {
    hint: `Run \`${runner.instead}\`, then \`memo init\`; or let \`memo init --yes\` copy it`,
  });
}
