import { Engine } from "../../src/core/engine/engine.ts";
import { followHead } from "../../src/features/head/follow_head.ts";
import { memoryFolders, placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { startBlock } from "../../src/core/recall/start_block.ts";
import { dateOf, gitHistory } from "../support/git_history.ts";
import { makeHome } from "../support/home.ts";

/** The text of a note. */
export const note = (
  name: string,
  body: string,
  { type = "project", created = dateOf(1) } = {},
) => `---\nname: ${name}\ntype: ${type}\ncreated: ${created}\n---\n${body}\n`;

/** An engine, a repository of three files, and the notes of it, by name. */
export function engineWith(
  notes: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
) {
  const home = makeHome(env);
  const paths = pathsFor(home.env), end = new Date(dateOf(9));
  const engine = new Engine({ paths, env: home.env, log: () => {}, background: false });
  const repository = gitHistory(home.project);
  repository.write("src/cart.ts", "export const cart = 1;\n".repeat(20));
  repository.write("src/tax.ts", "export const tax = 2;\n".repeat(20));
  repository.write("main.ts", "export {};\n");
  repository.commit("First");
  for (const [name, body] of Object.entries(notes)) {
    home.keep(`${name.replaceAll(/\W/g, "_")}.md`, note(name, body));
  }
  const jobIn = (cwd = home.project, now = end) => ({
    ...{ engine, now, place: placeIn(paths, cwd), env: home.env, log: () => {} },
    ...{ signal: new AbortController().signal, after: "SessionStart" as const },
  });
  const follow = async (cwd = home.project, now = end) => {
    const job = jobIn(cwd, now), folders = memoryFolders(job.place);
    for (const folder of folders) await engine.sync(folder);
    await followHead(job);
    return folders;
  };
  const start = async (cwd = home.project, now = end) => {
    const folders = await follow(cwd, now), config = engine.config();
    const { block = "" } = await engine.withIndex((index) =>
      startBlock({ index, config, folders, now, journal: [] })
    );
    return block;
  };
  return {
    ...{ home, engine, repository, jobIn, follow, start, now: end },
    async [Symbol.asyncDispose]() {
      await engine.close();
      await home[Symbol.asyncDispose]();
    },
  };
}
