import { readFileSync } from "node:fs";
import tls from "node:tls";
import type { Env } from "../../paths.ts";
import { MAX_REPLY_BYTES, tooLarge } from "./provider.ts";

/** The platform's fetch with a session's proxy and certificates. Too large a reply ends with an error. */
export function fetchFor(
  env: Env,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const options = { ...init, ...proxyOption(url, env), ...tlsOption(env) };
    return capped(await fetch(input, options));
  };
}

/** The executable's fetch takes a proxy with each request; in development only the process's own proxy is used. */
function proxyOption({ protocol, hostname }: URL, env: Env): { readonly proxy?: string } {
  const variable = (name: string) => env[name] || env[name.toLowerCase()];
  const excepted = (variable("NO_PROXY") ?? "").split(",").map((host) => host.trim());
  const isExcepted = excepted.some((host) =>
    host === "*" || host !== "" && isWithin(hostname, host)
  );
  const proxy = variable(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") ??
    variable("ALL_PROXY");
  return proxy === undefined || isExcepted ? {} : { proxy };
}

function isWithin(hostname: string, domain: string): boolean {
  const name = domain.replace(/^\*?\./, "").replace(/:\d+$/, "");
  return hostname === name || hostname.endsWith(`.${name}`);
}

function tlsOption(env: Env): { readonly tls?: { readonly ca: readonly string[] } } {
  const path = env["NODE_EXTRA_CA_CERTS"];
  if (!path) return {};
  return { tls: { ca: [...tls.rootCertificates, readFileSync(path, "utf8")] } };
}

function capped(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > MAX_REPLY_BYTES) controller.error(tooLarge());
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}
