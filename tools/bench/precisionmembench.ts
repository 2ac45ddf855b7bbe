// memo as a provider of PrecisionMemBench (bench/README.md says how to run it): a belief is a memory, its aliases are triggers,
// a scope is a project, and what is true of the user everywhere is of type `user`. A query is the first prompt of a session
// that has begun, through the hooks of the executable; a note that comes as a title counts as retrieved.
//
//   deno run -A tools/bench/precisionmembench.ts [PORT]

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryFolders, placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { MEMO } from "./executable.ts";
import { memoriesIn } from "./sessions/serve.ts";

const UNIVERSAL = "user:universal";

/** What the harness sends; which fields there are depends on the path. */
interface Asked {
  readonly user_id: string;
  readonly text: string;
  readonly aliases?: readonly string[];
  readonly beliefId?: string;
  readonly metadata: { readonly beliefId: string; readonly scope?: string };
  readonly query: string;
  readonly scope?: string;
  readonly limit?: number;
}

/** A user's home, with the beliefs in it by their titles. */
class Home {
  readonly #root = mkdtempSync(join(tmpdir(), "memo-pmb-"));
  readonly #env = {
    PATH: process.env["PATH"] ?? "",
    HOME: this.#root,
    CLAUDE_CONFIG_DIR: join(this.#root, ".claude"),
    MEMO_HOME: join(this.#root, "memo"),
    XDG_RUNTIME_DIR: this.#root,
    MEMO_RECALL_DEADLINE_MS: "2000",
  };
  readonly #ids = new Map<string, string>();
  /** What each belief says, and its aliases. */
  readonly #known = new Map<
    string,
    { readonly body: string; readonly aliases: readonly string[] }
  >();

  put(
    { text, aliases: given, metadata: { beliefId, scope = UNIVERSAL } }: Pick<
      Asked,
      "text" | "aliases" | "metadata"
    >,
  ): void {
    const [first = "", ...rest] = text.split(" ");
    let title = first.replaceAll("_", " ");
    const taken = this.#ids.get(title);
    if (taken !== undefined && taken !== beliefId) title += ` ${beliefId}`;
    this.#ids.set(title, beliefId);
    // The harness puts the aliases before what the belief says, and an update has them only there.
    const said = rest.join(" "), known = this.#known.get(beliefId);
    const before = `${(given ?? known?.aliases ?? []).join(" ")} `;
    const after = said.startsWith(before) ? said.slice(before.length) : said;
    const isMore = given === undefined && known !== undefined && after.endsWith(known.body);
    const body = isMore ? known.body : after;
    const more = isMore ? after.slice(0, -body.length).trim() : "";
    const aliases = [...given ?? known?.aliases ?? [], ...more === "" ? [] : [more]];
    this.#known.set(beliefId, { body, aliases });
    const head = { name: title, type: scope === UNIVERSAL ? "user" : "reference", origin: "user" };
    const lines = Object.entries({ ...head, confidence: 0.9, triggers: aliases })
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    const folder = this.#folderOf(scope);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${beliefId}.md`),
      `---\n${lines.join("\n")}\ncreated: 2026-11-20\n---\n${body}\n`,
    );
  }

  search({ query, scope = UNIVERSAL, limit = 20 }: Asked): string[] {
    const base = { session_id: randomUUID(), cwd: this.#cwdOf(scope) };
    this.#run(base.cwd, ["index"]);
    this.#hook({ ...base, hook_event_name: "SessionStart", source: "startup" });
    const block = this.#hook({ ...base, hook_event_name: "UserPromptSubmit", prompt: query });
    const titles = [...this.#ids.keys()].sort((a, b) => b.length - a.length);
    const found = memoriesIn(block).flatMap(({ text }) => {
      const heading = text.replace(/^(?:## |- )/, "");
      return titles.find((title) => heading.startsWith(title)) ?? [];
    });
    return [...new Set(found)].slice(0, limit).map((title) => this.#ids.get(title)!);
  }

  remove(): void {
    this.#run(this.#root, ["daemon", "stop"]);
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  #hook(event: { readonly cwd: string; readonly [field: string]: unknown }): string {
    const out = this.#run(event.cwd, ["hook"], JSON.stringify(event));
    return out === "" ? "" : JSON.parse(out).hookSpecificOutput?.additionalContext ?? "";
  }

  #run(cwd: string, args: readonly string[], input = ""): string {
    return execFileSync(MEMO, args, { cwd, env: this.#env, input, encoding: "utf8" });
  }

  #cwdOf(scope: string): string {
    const cwd = join(this.#root, "code", scope.replaceAll(/\W/g, "-"));
    mkdirSync(join(cwd, ".git"), { recursive: true });
    return cwd;
  }

  #folderOf(scope: string): string {
    const wanted = scope === UNIVERSAL ? "user" : "project";
    const folders = memoryFolders(placeIn(pathsFor(this.#env), this.#cwdOf(scope)));
    return folders.find((folder) => folder.scope === wanted)!.path;
  }
}

const homes = new Map<string, Home>();

function homeOf(user: string): Home {
  const home = homes.get(user) ?? new Home();
  homes.set(user, home);
  return home;
}

function answer(path: string, asked: Asked): object {
  if (path.startsWith("/add")) homeOf(asked.user_id).put(asked);
  if (path.startsWith("/update")) {
    const metadata = { ...asked.metadata, beliefId: asked.beliefId! };
    homeOf(asked.user_id).put({ ...asked, metadata });
  }
  if (path.startsWith("/search")) {
    const ids = homeOf(asked.user_id).search(asked);
    return { results: ids.map((id, i) => ({ id, memory: id, score: 1 - i / 100 })) };
  }
  if (path.startsWith("/reset")) {
    for (const home of homes.values()) home.remove();
    homes.clear();
  }
  return {};
}

async function bodyOf(request: IncomingMessage): Promise<Asked> {
  const chunks = await Array.fromAsync(request);
  return JSON.parse(Buffer.concat(chunks).toString() || "{}");
}

const port = Number(process.argv[2] ?? 8099);
createServer(async (request, response) => {
  const text = JSON.stringify(answer(request.url ?? "", await bodyOf(request)));
  response.setHeader("content-type", "application/json").end(text);
}).listen(port, "127.0.0.1", () => console.log(`memo at http://127.0.0.1:${port}`));
