import { isSuspectMemory } from "../../memory/provenance.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** Maximum memories to name. */
const NAMED = 3;

/** Counts captured memories and those held back because they ask for something the user never said. */
export function capturedMemories({ listings }: Patient): Finding {
  const captured = listings().flatMap(({ memories }) => memories)
    .filter(({ source }) => source?.turn !== undefined);
  const suspect = captured.filter(isSuspectMemory);
  if (suspect.length === 0) {
    return ok(captured.length === 0 ? "none yet" : `${captured.length}, none held back`);
  }
  const names = suspect.slice(0, NAMED).map(({ name }) => `\`${name}\``).join(", ");
  const rest = suspect.length > NAMED ? ` and ${suspect.length - NAMED} more` : "";
  return warn(
    `${suspect.length} of ${captured.length} are held back because they request actions you never asked for: ` +
      `${names}${rest}`,
    `Run \`memo show "${
      suspect[0]!.name
    }"\`, then \`memo forget\` it or remove its tag \`suspect\``,
  );
}
