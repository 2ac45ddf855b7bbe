import { isMarked } from "../../capture/suspect.ts";
import { readMemories } from "../../memory/list.ts";
import { memoryFolders } from "../../memory/scopes.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** So many are named. */
const NAMED = 3;

/** What conversations have written, and what of it asks for something that the user has not said. */
export function capturedMemories({ cwd, paths }: Patient): Finding {
  const captured = memoryFolders({ cwd, claude: paths.claude })
    .flatMap((folder) => readMemories(folder).memories)
    .filter(({ source }) => source?.turn !== undefined);
  const suspect = captured.filter(isMarked);
  if (suspect.length === 0) {
    return ok(captured.length === 0 ? "there are none yet" : `${captured.length}, none suspect`);
  }
  const names = suspect.slice(0, NAMED).map(({ name }) => `\`${name}\``).join(", ");
  const rest = suspect.length > NAMED ? ` and ${suspect.length - NAMED} more` : "";
  return warn(
    `${suspect.length} of ${captured.length} want something done that the user did not ask for, and are kept from the ` +
      `model: ${names}${rest}`,
    `Run \`memo show "${
      suspect[0]!.name
    }"\`, then \`memo forget\`; or take the tag \`suspect\` out`,
  );
}
