import type { Env } from "../paths.ts";

/** What decides where a session's questions go, with which credentials, under which settings. */
const DECIDES =
  /^(ANTHROPIC_(?!MODEL$|SMALL_|DEFAULT_)\w+|CLAUDE_CODE_(OAUTH_TOKEN|USE_\w+|SKIP_\w+_AUTH)|(HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|MEMO_(?!HOME$|CHILD$|BUILD$|HOOK_DEADLINE_MS$)\w+)$/i;
/** How a cloud is logged in to; it belongs to the session only if that talks to Claude through one. */
const CLOUD = /^(AWS|AZURE|GOOGLE|GCLOUD|CLOUDSDK|CLOUD_ML|VERTEX)_\w+$/;
const THROUGH_CLOUD = /^CLAUDE_CODE_USE_\w+$/;
/** Where executables and Claude Code's own login are found. */
const PLACES = /^(PATH|CLAUDE_CONFIG_DIR)$/i;

/** The variables that belong to a session and to nothing else: its login, its servers, its settings, its search path. */
export function sessionVariables(env: Env): Record<string, string> {
  const throughCloud = Object.keys(env).some((name) => THROUGH_CLOUD.test(name));
  return pick(
    env,
    (name) => DECIDES.test(name) || PLACES.test(name) || throughCloud && CLOUD.test(name),
  );
}

/**
 * Whether a session has nothing of its own that decides where its questions go: they may then be asked without it, as
 * the user is logged in to Claude Code.
 */
export function isPlain(variables: Env): boolean {
  return Object.keys(variables).every((name) => PLACES.test(name));
}

/** What concerns the user and the machine, and is the same in every session. */
const NEUTRAL =
  /^(HOME|USER|LOGNAME|USERNAME|USERPROFILE|USERDOMAIN|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|NIX_LD\w*|SECURITYSESSIONID|__CF_\w+|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES\S*|HOMEDRIVE|HOMEPATH|NO_COLOR|MEMO_HOME)$/i;

/** An environment without anything of the session that it comes from; programs are looked for in the system's folders. */
export function neutralEnv(env: Env): Record<string, string> {
  return { ...pick(env, (name) => NEUTRAL.test(name)), PATH: systemPath(env) };
}

function systemPath(env: Env): string {
  const root = env["SystemRoot"] ?? env["SYSTEMROOT"];
  if (root !== undefined) return `${root}\\System32;${root}`;
  return "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
}

function pick(env: Env, isWanted: (name: string) => boolean): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && isWanted(name)) picked[name] = value;
  }
  return picked;
}
