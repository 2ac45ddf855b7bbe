// The servers that a session's environment may send to: those that the person's own settings name.

import type { Env } from "../../paths.ts";

/** The variables that name a server for Claude, of the API and of clouds. */
const NAMES_SERVER = /^ANTHROPIC_(\w+_)?BASE_URL$/;
/** It needs nobody's permission. */
const USUAL_HOST = "api.anthropic.com";
/** A host that can be repeated in a command for a shell. */
const HOST = /^[\w.:[\]-]+$/;

/** Whether an address is on one of these hosts, which are separated by commas, or on Anthropic's own. */
export function isOnHost(address: string, hosts: string): boolean {
  const { host = "", hostname } = URL.parse(address) ?? {};
  const named = hosts.split(",").map((name) => name.trim()).filter((name) => name !== "");
  return [USUAL_HOST, ...named].some((name) => name === host || name === hostname);
}

/** Why nothing may be sent with an environment: it names a server that is on none of the hosts. */
export function whyServerRefused(env: Env, hosts: string): string | undefined {
  const found = unknownServer(env, hosts);
  if (found === undefined) return undefined;
  const { variable, host } = found;
  return host === undefined
    ? `\`${variable}\` is not the address of a server`
    : `\`${variable}\` names \`${host}\`; to allow it: \`memo config set llm.hosts=${
      withHost(hosts, host)
    }\``;
}

/** The server that an environment names and no setting allows. */
export function unknownServer(env: Env, hosts: string) {
  const variable = Object.keys(env).find((name) =>
    NAMES_SERVER.test(name) && env[name] && !isOnHost(env[name], hosts)
  );
  if (variable === undefined) return undefined;
  const host = URL.parse(env[variable]!)?.host ?? "";
  return { variable, host: HOST.test(host) ? host : undefined };
}

/** The hosts with one more. */
export function withHost(hosts: string, host: string): string {
  return hosts === "" ? host : `${hosts},${host}`;
}
