import type { ListedMemory } from "../listed.ts";
import { wayTo } from "../../memory/archive.ts";
import { realPath } from "../../memory/project.ts";
import type { FileIn } from "../../memory/versions.ts";

/** A memory's place among the versions of its folder. */
export function placeOf({ path, folder }: ListedMemory): FileIn {
  return { folder, file: wayTo(realPath(path), realPath(folder.path)) };
}
