import { type Home, runMemo } from "./home.ts";

/** A row of `memo list --json`, as far as tests look at it. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly scope: string;
  readonly path: string;
  readonly trusted?: boolean;
  readonly held?: true;
}

/** What `memo list` lists: tests ask for facts, and leave its columns to its snapshot. */
export async function listed(home: Home, ...args: string[]): Promise<readonly Listed[]> {
  return JSON.parse((await runMemo(home, ["list", "--json", ...args])).stdout);
}

/** The names of the memories that `memo list` lists, in its order. */
export async function listedNames(home: Home, ...args: string[]): Promise<string[]> {
  return (await listed(home, ...args)).map(({ name }) => name);
}
