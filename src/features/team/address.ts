import { MemoError } from "../../errors.ts";

/** Schemes of a libSQL server, and the one that is spoken. */
const SCHEMES: Readonly<Record<string, string>> = { "libsql:": "https:", "https:": "https:" };
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A server's address as it is used: TLS, unless it is this machine. Throws a `usage` MemoError for any other. */
export function serverUrl(text: string): string {
  const refuse = (why: string) =>
    new MemoError("usage", `Cannot use \`${text}\` as the address of a team: ${why}`, {
      hint: "Pass one such as `libsql://notes.example.com`",
    });
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refuse("it is not a URL");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw refuse("it holds a login or options; the token goes into a file, `--token-file`");
  }
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) {
    throw refuse("without TLS the token and the notes could be read on the way");
  }
  const scheme = url.protocol === "http:" ? "http:" : SCHEMES[url.protocol];
  if (scheme === undefined) throw refuse("it is neither `libsql:` nor `https:`");
  return `${scheme}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}
