import { readMemories } from "../../memory/list.ts";
import { isOthers } from "../../memory/memory.ts";
import { memoryFolders } from "../../memory/scopes.ts";
import { visible } from "../../text/neutralise.ts";
import type { CliContext } from "../shared/command.ts";

/** What to do first: a prompt that one of the user's own memories answers, or a first memory. */
export function promptsToTry({ place }: CliContext): [title: string, ...next: string[]] {
  const memories = memoryFolders(place)
    .filter(({ scope }) => !isOthers(scope)) // what a repository brings may not be trusted yet, and a team's note is none of theirs
    .flatMap((folder) => readMemories(folder).memories);
  const [trigger] = memories.flatMap(({ triggers }) => triggers);
  const title = "memo is set up. Undo: memo uninstall --purge";
  if (trigger !== undefined) {
    return [
      title,
      `Try it: start \`claude\` and ask "${visible(trigger)}"`,
      `See what that prompt gets, and why: memo recall "${visible(trigger)}" --explain`,
    ];
  }
  return [
    title,
    'Try it: memo add "Use pnpm, never npm, to install packages"',
    'Then start `claude` and ask "how do I install the dependencies?"',
    "See what a prompt got: memo recall --log",
  ];
}
