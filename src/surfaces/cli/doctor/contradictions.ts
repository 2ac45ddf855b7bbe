import { changedOn } from "../../../core/memory/age.ts";
import { distinctIn } from "../../../core/relation/distinct.ts";
import { mayChange, type MemoryFile } from "../../../core/memory/memory.ts";
import { contradictionsIn } from "../../../core/relation/relate.ts";
import { areOfOneTalk } from "../../../core/memory/source_sessions.ts";
import { isLater } from "../../../core/recall/overtaken.ts";
import { counted } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { idHere } from "../shared/find.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

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
