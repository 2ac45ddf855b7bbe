import { isHeldBack } from "../../../core/memory/attributed.ts";
import { isOthers } from "../../../core/memory/memory.ts";
import { counted } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { idHere } from "../shared/find.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** Maximum memories to name. */
const NAMED = 3;

/** Counts captured memories, and those held back, of others too, because they ask for something the user never said. */
export function capturedMemories(patient: Patient): Finding {
  const all = patient.listings().flatMap(({ folder, memories }) =>
    memories.map((memory) => ({
      memory,
      folder,
      isHeld: isHeldBack(memory, folder),
    }))
  );
  const captured = all.filter(({ memory }) => memory.source?.turn !== undefined);
  const held = all.filter(({ isHeld }) => isHeld);
  const [first] = held;
  if (first === undefined) {
    return ok(captured.length === 0 ? "none yet" : `${captured.length}, none held back`);
  }
  const names = held.slice(0, NAMED).map(({ memory }) => `\`${visible(memory.name)}\``).join(", ");
  const rest = held.length > NAMED ? ` and ${held.length - NAMED} more` : "";
  const then = isOthers(first.folder.scope)
    ? "have its file reworded if it is harmless"
    : "`memo forget` it or remove its tag `suspect`";
  return warn(
    `held back: ${held.length} of ${
      counted(all.length, "memory", "memories")
    }, for requesting actions you never asked for: ${names}${rest}`,
    `Run \`memo show ${idHere(first.memory, patient)}\`, then ${then}`,
  );
}
