import { tilde } from "../../../paths.ts";
import { repositoryFiles } from "../../../core/memory/repository_files.ts";
import { counted } from "../../../core/text/counted.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** Checks that the repository's files are trusted, or reports that they wait for consent. */
export function trust({ env, place }: Patient): Finding {
  const found = repositoryFiles(place);
  if (found === undefined || found.files.length + found.refused.length === 0) {
    return ok("this repository brings nothing");
  }
  const [refused] = found.refused;
  if (refused !== undefined) {
    return warn(
      `\`${tilde(refused.path, env)}\` is not read: ${refused.because}`,
      "Make it a folder of yours inside the repository",
    );
  }
  const waiting = found.files.filter(({ trusted }) => !trusted).length;
  if (waiting === 0) {
    return ok(`${counted(found.files.length, "file")} of this repository trusted`);
  }
  return warn(
    `${counted(waiting, "file")} of this repository not trusted, and not read`,
    "Run `memo trust --show`, then `memo trust`",
  );
}
