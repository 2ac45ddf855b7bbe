import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILE = fileURLToPath(new URL("../../packaging/repository", import.meta.url));

/** The repository on GitHub, `who/memo`, written only in packaging/repository; empty until its owner fills it in. */
export function repository(): string {
  const name = readFileSync(FILE, "utf8").trim();
  if (name === "" || /^[\w.-]+\/[\w.-]+$/.test(name) && !isPlaceholder(name)) return name;
  throw new Error(`packaging/repository has \`${name}\`; expected \`who/memo\``);
}

/** Whether a text stands for an owner who has not been named. */
export function isPlaceholder(text: string): boolean {
  return /\bOWNER\b/.test(text);
}
