// stand-in
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MemoryFolder } from "./memory.ts";
export function memoryFolders({ cwd, claude }: { cwd: string; claude: string }): MemoryFolder[] {
  const folders: MemoryFolder[] = [];
  for (let at = cwd;; at = dirname(at)) {
    if (join(at, ".claude") !== claude && existsSync(join(at, ".claude/memory"))) { folders.push({ scope: "project", path: join(at, ".claude/memory") }); break; }
    if (dirname(at) === at) break;
  }
  folders.push({ scope: "user", path: join(claude, "memory") });
  return folders;
}
