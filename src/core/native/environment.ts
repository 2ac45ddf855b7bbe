/**
 * Sets a variable where native libraries look for it. Deno and Node pass an assignment on to the process itself; the
 * executable has `tools/compile/bun_environment.ts` in place of this file.
 */
export function setVariable(name: string, value: string): void {
  process.env[name] = value;
}
