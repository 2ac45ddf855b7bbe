import { tilde } from "../../../paths.ts";
import { repositoryFiles } from "../../../core/memory/list.ts";
import { counted } from "../../../core/text/counted.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";
import { changedOn } from "../../../core/memory/age.ts";
import { contradictionsIn, distinctIn } from "../../../core/relation/relate.ts";
import { areOfOneTalk, mayChange, type MemoryFile } from "../../../core/memory/memory.ts";
import { isLater } from "../../../core/recall/overtaken.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { idHere } from "../shared/find.ts";

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

/** Counts memories that a later one has overtaken by its words, or says otherwise of, and that wait for a decision. */
export function contradictions(patient: Patient): Finding {
  const own = patient.listings().filter(({ folder }) => mayChange(folder.scope));
  const folders = own.map(({ folder }) => folder);
  const found = own.flatMap(({ memories }) =>
    contradictionsIn(
      memories,
      (older, later) => isLater(later, older) && !areOfOneTalk(older, later),
    )
  ).filter(({ older, later }) => !distinctIn(folders).has(older, later));
  const [first] = found;
  if (first === undefined) return ok("none");
  const { older, later } = first;
  const name = (memory: MemoryFile) => `“${visible(memory.name)}” from ${changedOn(memory)}`;
  return warn(
    `${counted(found.length, "memory", "memories")} that a later one contradicts: ${
      name(older)
    }, ` +
      `later ${name(later)}`,
    `Run \`memo forget ${idHere(older, patient)}\` if it is over, or decide in \`memo ui\`, Review`,
  );
}
