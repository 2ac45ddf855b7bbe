// stand-in
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import type { MemoryFile, Scope } from "./memory.ts";
export interface ListedFile { readonly path: string; readonly size: number; readonly mtimeMs: number }
export function listMemoryFiles(folder: string): ListedFile[] {
  try { return readdirSync(folder).filter((n) => n.endsWith(".md") && n !== "MEMORY.md").map((n) => { const path = join(folder, n); const s = statSync(path); return { path, size: s.size, mtimeMs: s.mtimeMs }; }); } catch { return []; }
}
export function readMemoryFile(path: string, scope: Scope): MemoryFile {
  const text = readFileSync(path, "utf8"), s = statSync(path);
  const m = /^---\n([^]*?)\n---\n([^]*)$/.exec(text);
  const f = m ? parse(m[1]!) : {};
  return { path, scope, size: s.size, mtimeMs: s.mtimeMs, name: f.name ?? basename(path, ".md"), description: f.description ?? "", type: f.type ?? "project", body: (m ? m[2]! : text).trim(), triggers: f.triggers ?? [], tags: f.tags ?? [], confidence: f.confidence ?? 1, created: f.created, updated: f.updated, supersedes: [], source: undefined, problems: [] };
}
