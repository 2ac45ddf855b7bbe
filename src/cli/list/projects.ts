import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { journalDays } from "../../journal/journal.ts";
import { JOURNAL, listMemoryFiles } from "../../memory/folder.ts";
import { knownProjects } from "../../memory/project.ts";
import { privateFolder } from "../../memory/scopes.ts";
import { tilde } from "../../paths.ts";
import { counted } from "../../text/counted.ts";
import type { CliContext } from "../shared/command.ts";
import { columns, out, outJson, paint, say } from "../shared/output.ts";

/** Lists the projects that memo has notes of. */
export function listProjects(
  { json }: { readonly json?: boolean },
  { paths, env }: CliContext,
): void {
  const projects = knownProjects(paths.claude).map(({ root, folder }) => ({
    ...{ name: basename(root), root, folder },
    exists: existsSync(root),
    memories: listMemoryFiles(privateFolder({ root, folder })).length,
    days: journalDays(join(folder, JOURNAL)).length,
  }));
  if (json) return outJson(projects);
  if (projects.length === 0) return say("No projects yet");
  out(columns(projects.map(({ name, root, exists, memories, days }) => [
    name,
    counted(memories, "memory", "memories"),
    `${counted(days, "day")} of journal`,
    tilde(root, env) +
    (exists
      ? ""
      : paint("yellow", "  ! gone; if it has moved, run `memo doctor --moved OLD` there")),
  ])));
}
