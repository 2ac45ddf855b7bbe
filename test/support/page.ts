import { connect } from "node:net";
import { type Home, succeed } from "./home.ts";

/** Opens the page of a home without a browser. */
export async function openPage(home: Home): Promise<PageAt> {
  return pageAt((await succeed(home, ["ui", "--no-open"])).trim());
}

/** Where `memo ui` serves the page: `host` is what its requests name as their host, `token` that in the address. */
export type PageAt = ReturnType<typeof pageAt>;

/** The parts of an address. */
export function pageAt(address: string) {
  const { port, host, hash } = new URL(address);
  return { port: Number(port), host, token: hash.slice(1) };
}

/** Sends bytes as they are and collects what comes back until the connection ends; `ms` is how long that may take. */
export function exchangeRaw(port: number, bytes: string, ms = 20_000): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No end within ${ms} ms after: ${text.slice(0, 200)}`));
    }, ms);
    socket.setEncoding("utf8").on("data", (part: string) => text += part);
    socket.on("error", () => {}); // it was reset, which is an end
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

/** A request with headers as they are given, in their order. */
export function requestText(
  line: string,
  headers: readonly (readonly [string, string])[],
  body = "",
): string {
  const all = [
    ...headers,
    ["Connection", "close"],
    ...body === "" ? [] : [["Content-Length", String(Buffer.byteLength(body))]],
  ];
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${line} HTTP/1.1\r\n${head}\r\n${body}`;
}

/** A reply, as it came over the wire. */
export type Reply = ReturnType<typeof readReply>;

/** A reply from its bytes; throws if there is none. Of a header that came twice both values are there, with a comma between. */
export function readReply(text: string) {
  const end = text.indexOf("\r\n\r\n");
  const [line = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
  if (end < 0 || Number.isNaN(status)) throw new Error(`No reply: ${text.slice(0, 200)}`);
  const headers = new Map<string, string>();
  for (const each of lines) {
    const colon = each.indexOf(":");
    const name = each.slice(0, colon).toLowerCase(), value = each.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  const rest = text.slice(end + 4);
  const body = headers.get("transfer-encoding") === "chunked" ? unchunked(rest) : rest;
  return { status, headers, body, text };
}

function unchunked(text: string): string {
  let bytes = Buffer.from(text), whole = "";
  for (;;) {
    const end = bytes.indexOf("\r\n");
    const size = parseInt(bytes.subarray(0, end).toString(), 16);
    if (!(size > 0)) return whole;
    whole += bytes.subarray(end + 2, end + 2 + size).toString();
    bytes = bytes.subarray(end + 4 + size);
  }
}

/** What the page sends with a call. */
export function callHeaders(
  { host }: Pick<PageAt, "host">,
  token: string | undefined,
): [string, string][] {
  return [
    ["Host", host],
    ["Origin", `http://${host}`],
    ["Sec-Fetch-Site", "same-origin"],
    ["Sec-Fetch-Mode", "cors"],
    ["Content-Type", "application/json"],
    ...token === undefined ? [] : [["Authorization", `Bearer ${token}`] as [string, string]],
  ];
}

/** Calls as the page does. */
export async function callPage(
  at: PageAt,
  name: string,
  params: unknown,
  token: string | undefined,
): Promise<Reply> {
  const request = requestText(`POST /api/${name}`, callHeaders(at, token), JSON.stringify(params));
  return readReply(await exchangeRaw(at.port, request));
}

/** Exchanges the token of the address, and returns the one that the page works with. */
export async function enter(at: PageAt): Promise<string> {
  const { status, body } = await callPage(at, "session", {}, at.token);
  if (status !== 200) throw new Error(body);
  return JSON.parse(body).token;
}

/** The page of a home, opened and entered; `read` calls it, and gives the answer. */
export async function enterPage(home: Home) {
  const at = await openPage(home), token = await enter(at);
  return {
    ...{ at, token, headers: callHeaders(at, token) },
    // deno-lint-ignore no-explicit-any
    async read(name: string, params: object = {}): Promise<any> {
      const { status, body } = await callPage(at, name, params, token);
      if (status !== 200) throw new Error(`${status}: ${body}`);
      return JSON.parse(body);
    },
  };
}
