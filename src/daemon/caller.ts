import { isAbsolute } from "node:path";
import { MemoError } from "../errors.ts";

/** What the fields of a request that say who asks must be, if they are there. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  claude: (value) => typeof value === "string" && isAbsolute(value),
  cwd: (value) => typeof value === "string",
  projectDir: (value) => typeof value === "string",
  session: (value) => typeof value === "string",
  pid: (value) => typeof value === "number",
  variables: (value) => typeof value === "object" && value !== null,
};

/**
 * Checks who asks; throws a `daemon` MemoError. A session with a folder that is none would be remembered, and fail at
 * every later look at the sessions.
 */
export function checkCaller(params: unknown): void {
  const fields = (params ?? {}) as Readonly<Record<string, unknown>>;
  const wrong = Object.entries(FIELDS).find(([name, isRight]) =>
    fields[name] === undefined ? name === "claude" : !isRight(fields[name])
  );
  if (wrong !== undefined) {
    throw new MemoError("daemon", `Invalid request: \`${wrong[0]}\` is missing or malformed`);
  }
}
