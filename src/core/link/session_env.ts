import type { Env } from "../../paths.ts";

/** Set to 1 for processes that memo starts: a session run by memo does not call memo. */
export const GUARDS = ["CLAUDE_HEADLESS", "MEMO_CHILD"] as const;

/** What Claude Code sets for all that a session runs. */
export const OF_SESSION = { CLAUDECODE: "1" } as const;

/** Whether an environment is a session's, in which a project's settings can have set variables. */
export function isOfSession(env: Env): boolean {
  return env["CLAUDECODE"] === OF_SESSION.CLAUDECODE;
}

/** Variables that decide where a session's LLM calls go, with which credentials and settings. */
const DECIDES =
  /^(ANTHROPIC_(?!MODEL$|SMALL_|DEFAULT_)\w+|CLAUDE_CODE_(OAUTH_TOKEN|USE_\w+|SKIP_\w+_AUTH)|(HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|MEMO_(?!HOME$|CHILD$|BUILD$|HOOK_DEADLINE_MS$)\w+)$/i;
/** Cloud credentials; they belong to the session only if it reaches Claude through that cloud. */
const CLOUD = /^(AWS|AZURE|GOOGLE|GCLOUD|CLOUDSDK|CLOUD_ML|VERTEX)_\w+$/;
const THROUGH_CLOUD = /^CLAUDE_CODE_USE_\w+$/;
/** The locations of executables, of Claude Code's own login, of the agent that git signs in with, and who is there. */
const PLACES = /^(PATH|CLAUDE_CONFIG_DIR|SSH_AUTH_SOCK|CLAUDE_CODE_SESSION_ATTENDED)$/i;

/** The variables specific to a session: its login, servers, settings and search path. */
export function sessionVariables(env: Env): Record<string, string> {
  const throughCloud = Object.keys(env).some((name) => THROUGH_CLOUD.test(name));
  return pick(
    env,
    (name) => DECIDES.test(name) || PLACES.test(name) || throughCloud && CLOUD.test(name),
  );
}

/** Whether a session has no say in where LLM calls go: they can be made without it, with the user's own login. */
export function isPlain(variables: Env): boolean {
  return Object.keys(variables).every((name) => PLACES.test(name));
}

/** Whether a person sees what a session prints: in `claude -p` nobody does. */
export function isAttended(env: Env): boolean {
  return env["CLAUDE_CODE_SESSION_ATTENDED"] !== "0";
}

/** Variables of the user and the machine, the same in every session. */
const NEUTRAL =
  /^(HOME|USER|LOGNAME|USERNAME|USERPROFILE|USERDOMAIN|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|NIX_LD\w*|SECURITYSESSIONID|__CF_\w+|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES\S*|HOMEDRIVE|HOMEPATH|NO_COLOR|MEMO_HOME)$/i;

/** An environment without session variables; programs are looked up in the system's folders. */
export function neutralEnv(env: Env): Record<string, string> {
  return { ...pick(env, (name) => NEUTRAL.test(name)), PATH: systemPath(env) };
}

function systemPath(env: Env): string {
  const root = env["SystemRoot"] ?? env["SYSTEMROOT"];
  if (root !== undefined) return `${root}\\System32;${root}`;
  return "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
}

function pick(env: Env, isWanted: (name: string) => boolean): Record<string, string> {
  const picked = Object.entries(env).filter(([name, value]) =>
    value !== undefined && isWanted(name)
  );
  return Object.fromEntries(picked) as Record<string, string>;
}
