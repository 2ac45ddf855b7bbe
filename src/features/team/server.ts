// A team's table on a libSQL server. The server may be slow, gone or hostile: replies are bounded in time and size, and
// nothing leads to another server, because the token goes along.

import { type Client, createClient, LibsqlError } from "@libsql/client/http";
import { readStream } from "../../core/files/bounded.ts";
import { MemoError, messageOf } from "../../errors.ts";
import { entryOf, MOST_BYTES, type NewEntry, type TeamEntry } from "./entry.ts";
import { createPrivateKey, sign } from "node:crypto";

/** The first bytes of a reply are there within this time, and its last ones too. */
const TIMEOUT_MS = 15_000;
/** Rows of a page; with the largest notes a page still is a fraction of `MOST_REPLY`. */
const PAGE = 200;
const MOST_REPLY = 3 * PAGE * MOST_BYTES;

/** The one table. Rows are added and never changed: two people's writes cannot conflict. */
const SCHEMA = [
  `CREATE TABLE entry (
    seq INTEGER PRIMARY KEY AUTOINCREMENT CHECK (seq BETWEEN 1 AND ${Number.MAX_SAFE_INTEGER}),
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    author TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('proposed', 'approved', 'retired')),
    supersedes TEXT,
    origin TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (id, sha256, state, author, at)
  )`,
  `CREATE TRIGGER entry_stays BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END`,
  `CREATE TRIGGER entry_remains BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END`,
];

/** A number comes as text: one that JavaScript cannot hold would end the whole reply. */
const COLUMNS =
  "CAST(seq AS TEXT) AS seq, id, kind, body, sha256, author, state, supersedes, origin, at";

/** Where a team's table is, and what opens it. */
export interface Address {
  readonly url: string;
  readonly token: string | undefined;
}

/** A page of rows, and whether there may be more. */
export interface EntryPage {
  readonly entries: readonly TeamEntry[];
  /** The number of the last row of the page, sound or not. */
  readonly last: number;
  readonly isLast: boolean;
}

/**
 * A team's server. Every method rejects with a MemoError that says what the server answered, a `usage` one for what the
 * token does not allow.
 */
export class TeamServer {
  readonly #client: Client;
  readonly #host: string;

  constructor({ url, token }: Address) {
    this.#host = new URL(url).host;
    this.#client = createClient({
      url,
      ...token !== undefined && { authToken: token },
      fetch: (request: Request) => bounded(request, new URL(url).origin),
    });
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }

  /** Makes the table; rejects if there is one. */
  async create(first: NewEntry): Promise<void> {
    await this.#run("create the team", async () => {
      await this.#client.batch([...SCHEMA, insert(first)], "write");
    });
  }

  /** Whether there is a table of a team. */
  async exists(): Promise<boolean> {
    return await this.#run("look for the team", async () => {
      const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'entry'";
      return (await this.#client.execute(sql)).rows.length > 0;
    });
  }

  /** The rows from a number on, at most `most`. */
  async page(from: number, most: number = PAGE): Promise<EntryPage> {
    return await this.#run("read the team's memories", async () => {
      const sql = `SELECT ${COLUMNS} FROM entry WHERE entry.seq BETWEEN ? AND ?
        ORDER BY entry.seq LIMIT ${most}`;
      const args = [from, Number.MAX_SAFE_INTEGER];
      const found = (await this.#client.execute({ sql, args })).rows;
      const numbers = found.map(({ seq }) => Number(seq)).filter(Number.isSafeInteger);
      return {
        entries: found.flatMap((row) => entryOf({ ...row, seq: Number(row["seq"]) }) ?? []).sort((
          a,
          b,
        ) => a.seq - b.seq),
        last: Math.max(from, ...numbers),
        isLast: found.length < most,
      };
    });
  }

  /**
   * Adds rows, with numbers above one; a row that is there already, because its first reply was lost, is added once.
   */
  async append(entries: readonly NewEntry[], above = 0): Promise<void> {
    for (let at = 0; at < entries.length; at += PAGE) {
      const page = entries.slice(at, at + PAGE).map((entry) => insert(entry, above));
      await this.#run("write to the team", () => this.#client.batch(page, "write"));
    }
  }

  async #run<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#explained(what, error);
    }
  }

  #explained(what: string, error: unknown): MemoError {
    const status = statusOf(error);
    const said = messageOf(error);
    const cannot = `Cannot ${what} at \`${this.#host}\`:`;
    if (status === 401 || status === 403 || /blocked|unauthorized/i.test(said)) {
      return new MemoError("usage", `${cannot} the token does not allow it`, {
        hint: "Ask whoever runs the server for a token that does, and run `memo team join` with it",
        cause: error,
      });
    }
    const because = status === 404 ? "no such database" : said;
    return new MemoError("daemon", `${cannot} ${because}`, {
      hint: "Run `memo team status` for details; what was read before is kept",
      cause: error,
    });
  }
}

function insert(
  { id, kind, body, sha256, author, state, supersedes, origin, at }: NewEntry,
  above = 0,
) {
  return {
    sql:
      `INSERT OR IGNORE INTO entry (seq, id, kind, body, sha256, author, state, supersedes, origin, at)
      SELECT MAX(IFNULL(MAX(seq), 0), ?) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM entry`,
    args: [
      above,
      ...[id, kind, body, sha256, author, state, supersedes ?? null, JSON.stringify(origin), at],
    ],
  };
}

function statusOf(error: unknown): number | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { status } = each as { status?: unknown };
    if (typeof status === "number") return status;
    if (!(each instanceof LibsqlError) && each.cause === undefined) break;
  }
  const [, status] = /HTTP status (\d{3})/.exec(messageOf(error)) ?? [];
  return status === undefined ? undefined : Number(status);
}

/**
 * A request whose reply is at most so large and comes in time, from the very address: the protocol lets a server name
 * another one for what follows.
 */
async function bounded(request: Request, origin: string): Promise<Response> {
  if (new URL(request.url).origin !== origin) throw new Error("it redirects to another server");
  const response = await fetch(request, {
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = await readStream(response.body ?? ReadableStream.from([]), MOST_REPLY);
  const type = response.headers.get("content-type");
  const headers = type === null ? undefined : { "content-type": type };
  return new Response(new Uint8Array(body), { status: response.status, headers });
}

/** Schemes of a libSQL server, and the one that is spoken. */
const SCHEMES: Readonly<Record<string, string>> = { "libsql:": "https:", "https:": "https:" };
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A server's address as it is used: TLS, unless it is this machine. Throws a `usage` MemoError for any other. */
export function serverUrl(text: string): string {
  const refuse = (why: string) =>
    new MemoError("usage", `Cannot use \`${text}\` as a team address: ${why}`, {
      hint: "Pass one such as `libsql://notes.example.com`",
    });
  const url = URL.parse(text);
  if (url === null) throw refuse("it is not a URL");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw refuse("it contains a login or options; pass the token with `--token-file`");
  }
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) {
    throw refuse("without TLS, others could read the token and the memories");
  }
  const scheme = url.protocol === "http:" ? "http:" : SCHEMES[url.protocol];
  if (scheme === undefined) throw refuse("it is neither `libsql:` nor `https:`");
  return `${scheme}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

/**
 * A token for a libSQL server: a JWT (RFC 7519) with `id` and `a`, signed with the server's Ed25519 key (RFC 8037).
 * Throws a `usage` MemoError for a text that holds no such key.
 */
export function makeToken(
  pem: string,
  { access, namespace, now, days }: {
    /** Reading alone, or reading and writing. */
    readonly access: "ro" | "rw";
    /** The namespace of the server that it is for. */
    readonly namespace: string;
    readonly now: Date;
    readonly days: number;
  },
): string {
  let key;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    throw refuse(messageOf(error));
  }
  if (key.asymmetricKeyType !== "ed25519") throw refuse(`its type is ${key.asymmetricKeyType}`);
  const issued = Math.floor(now.getTime() / 1000);
  const claims = { id: namespace, a: access, iat: issued, exp: issued + days * 86_400 };
  const signed = `${encode({ alg: "EdDSA", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function refuse(because: string): MemoError {
  return new MemoError("usage", `Cannot sign a token with this key: ${because}`, {
    hint: "Create one with `openssl genpkey -algorithm ed25519 -out team-key.pem`",
  });
}
