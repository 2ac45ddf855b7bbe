import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A repository whose commits are a day apart. */
export function gitHistory(top: string) {
  let day = 0;
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", top, ...args], {
      encoding: "utf8",
      stdio: "pipe",
      env: {
        ...process.env,
        ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@a", GIT_CONFIG_GLOBAL: "/dev/null" },
        ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@a" },
        GIT_AUTHOR_DATE: dateOf(day),
        GIT_COMMITTER_DATE: dateOf(day),
      },
    });
  git("init", "-q", "-b", "main");
  return {
    top,
    git,
    write: (file: string, text: string) => {
      mkdirSync(dirname(join(top, file)), { recursive: true });
      writeFileSync(join(top, file), text);
    },
    move: (from: string, to: string) => {
      mkdirSync(dirname(join(top, to)), { recursive: true });
      renameSync(join(top, from), join(top, to));
    },
    remove: (file: string) => rmSync(join(top, file), { recursive: true }),
    commit: (subject: string, body = "") => {
      day++;
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", subject, ...body === "" ? [] : ["-m", body]);
    },
  };
}

/** When the commit of a day was made. */
export const dateOf = (day: number): string => `2026-03-${String(day).padStart(2, "0")}T12:00:00Z`;
