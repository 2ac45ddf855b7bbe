// What memo knows of programs whose commands are guarded: how their options are written. Of a program that is not in
// the table only what is written out is recognized.

/** How a program takes its options. */
export interface Program {
  /** Options before the subcommand that take the next word as their value. */
  readonly values?: readonly string[];
  /** Its short options can stand together (`-rf`). */
  readonly clusters?: true;
  /** It has no subcommand: an operand may stand anywhere. */
  readonly isFlat?: true;
}

export const PROGRAMS: Readonly<Record<string, Program>> = {
  git: {
    values: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"],
    clusters: true,
  },
  npm: { values: ["--prefix", "-C", "-w", "--workspace", "--registry", "--loglevel"] },
  pnpm: { values: ["-C", "--dir", "--filter", "-F", "--loglevel"] },
  yarn: { values: ["--cwd"] },
  bun: { values: ["--cwd"] },
  cargo: { values: ["--manifest-path", "--color", "--config", "-C", "-Z"] },
  docker: { values: ["-H", "--host", "-c", "--context", "--config", "-l", "--log-level"] },
  podman: { values: ["-c", "--connection", "--url", "--log-level"] },
  kubectl: {
    values: ["-n", "--namespace", "--context", "--cluster", "--kubeconfig", "-s", "--server"],
  },
  helm: { values: ["-n", "--namespace", "--kube-context", "--kubeconfig"] },
  terraform: {},
  aws: { values: ["--profile", "--region", "--output", "--endpoint-url"] },
  gcloud: { values: ["--project", "--account", "--configuration", "--format"] },
  gh: { values: ["-R", "--repo"] },
  heroku: {},
  systemctl: { values: ["-H", "--host", "-M", "--machine"] },
  rm: { clusters: true, isFlat: true },
  cp: { clusters: true, isFlat: true },
  mv: { clusters: true, isFlat: true },
  ln: { clusters: true, isFlat: true },
  chmod: { clusters: true, isFlat: true },
  chown: { clusters: true, isFlat: true },
  make: { isFlat: true },
  just: { isFlat: true },
  psql: { isFlat: true },
  mysql: { isFlat: true },
  mongosh: { isFlat: true },
  "redis-cli": { isFlat: true },
  ssh: { isFlat: true },
  scp: { isFlat: true },
  curl: { isFlat: true },
  wget: { isFlat: true },
  sed: { isFlat: true },
  python: { isFlat: true },
  python3: { isFlat: true },
  node: { isFlat: true },
};

/** Other ways to write an option, by program and subcommand; `+` is git's mark of a forced ref. */
export const ALIASES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "git push": [["--force", "-f", "+"], ["--delete", "-d"], ["--force-with-lease"]],
  "git commit": [["--no-verify", "-n"], ["--all", "-a"]],
  "git add": [["--all", "-A"], ["--force", "-f"]],
  "git branch": [["--delete", "-d"]],
  "git checkout": [["--force", "-f"]],
  "git switch": [["--force", "-f", "--discard-changes"]],
  "git clean": [["--force", "-f"]],
  "git tag": [["--force", "-f"], ["--delete", "-d"]],
  "git stash": [["--include-untracked", "-u"]],
  rm: [["-r", "-R", "--recursive"], ["-f", "--force"]],
  cp: [["-r", "-R", "--recursive", "-a"], ["-f", "--force"]],
  chmod: [["-R", "--recursive"]],
  chown: [["-R", "--recursive"]],
  npm: [["-g", "--global"], ["-f", "--force"]],
  pnpm: [["-g", "--global"]],
  sed: [["-i", "--in-place"]],
  curl: [["-k", "--insecure"]],
};

/** Short options of git that take the rest of their cluster, or the next word, as a value. */
export const GIT_VALUES: Readonly<Record<string, string>> = {
  commit: "mFCctSu",
  push: "o",
  tag: "mFu",
  merge: "mFXs",
  stash: "m",
  branch: "u",
  checkout: "bB",
  switch: "cC",
  clean: "e",
  clone: "obujc",
  log: "nSGL",
};

/** A program's row in a table; no program is found by what every object has, such as `constructor`. */
export function rowOf<Row>(
  table: Readonly<Record<string, Row>>,
  program: string,
): Row | undefined {
  return Object.hasOwn(table, program) ? table[program] : undefined;
}
