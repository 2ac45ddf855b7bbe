// Secrets as arguments of commands: `mysql -pX`, `curl -u a:X`, `sshpass -p X`.

import { isLikelySecret } from "./likely.ts";
import type { Span } from "./spans.ts";

interface CommandForm {
  /** Commands that take a secret this way, separated by commas. */
  readonly commands: string;
  /** The text before the secret. */
  readonly option: RegExp;
}

/** Every known command that takes a secret as an argument. */
const COMMANDS: readonly CommandForm[] = [
  {
    commands: "mysql, mysqldump, mysqladmin, mysqlimport, mariadb, mariadb-dump, mycli",
    option: / -p(?=\S)/g,
  },
  { commands: "7z, 7za, 7zz, rar, unrar", option: / -h?p(?=\S)/g },
  { commands: "sshpass", option: / -p ?/g },
  {
    commands: "curl, http, https, wget, xh, kcat, smbclient, ab, lftp",
    option: / (?:-u|--user|-U|--proxy-user|-a|--auth|-A)[ =]?["']?[^\s:%,"']{0,100}[:%,]/g,
  },
  {
    commands:
      "docker login, podman login, oc login, az login, az acr login, helm registry login, mongo, mongosh, mongodump, mongorestore, twurl, vsce publish, gh secret set, certutil, security unlock-keychain, twine upload, cqlsh, evil-winrm, ncftpput, ncftpget",
    option: / (?:-p|-b|--body)[ =]/g,
  },
  { commands: "redis-cli", option: / -a /g },
  { commands: "sqlcmd, bcp, isql", option: / -P ?/g },
  { commands: "zip, unzip, zipcloak, mosquitto_pub, mosquitto_sub, ipmitool", option: / -P /g },
  {
    commands: "ldapsearch, ldapmodify, ldapadd, ldapwhoami, security add-generic-password",
    option: / -w /g,
  },
  { commands: "ssh-keygen", option: / -[NP] ?/g },
  { commands: "openssl, dotnet nuget push", option: / (?:-pass(?:in|out)? (?:pass:)?|-k |-K )/g },
  {
    commands: "keytool, jarsigner, apksigner",
    option: / -{1,2}(?:store|key|ks-|src|dest)\w{0,8}pass(?: pass:| )/g,
  },
  { commands: "htpasswd", option: / -\w{0,6}b\w{0,6} (?:[^\s-]\S* ){1,2}/g },
  { commands: "xfreerdp, rdesktop, wfreerdp", option: / (?:\/p:|-p )/g },
  {
    commands: "psexec, winrs, net use, net user, plink, pscp",
    option: / (?:-p|-pw|\/user:\S{1,60}|-u \S{1,60} -p) /g,
  },
  { commands: "net user", option: /^net user (?:"[^"\n]{1,60}"|[^\s/]\S{0,60}) (?!\/)/g },
  { commands: "rabbitmqctl", option: /^rabbitmqctl (?:add_user|change_password) \S{1,60} /g },
  { commands: "snmpwalk, snmpget", option: / -[AXc] /g },
  { commands: "mc alias set, mc config host add", option: / \S+ https?:\S+ \S+ /g },
  { commands: "aws configure set", option: / [\w.]{0,60}(?:secret_access_key|session_token) /g },
  {
    commands: "npm config set, pnpm config set, yarn config set",
    option: / \S{0,200}(?:_auth\w*|_password|npmAuth\w*)[ =]/g,
  },
  {
    commands:
      "gh auth login, vault login, doppler login, snyk auth, ngrok config add-authtoken, ngrok authtoken, ngc config set, heroku auth:token, flyctl auth login, doctl auth init, influx auth create",
    option: / (?:--with-token |-t )?(?=[\w.-]*\d)(?=[\w.-]{16})/g,
  },
  { commands: "useradd, usermod", option: / -p /g },
  { commands: "cryptsetup, gpg, iwctl", option: / --passphrase[ =]/g },
  {
    commands:
      "ssm put-parameter, secretsmanager create-secret, secretsmanager put-secret-value, secretsmanager update-secret, az keyvault secret set",
    option: / --(?:value|secret-string)[ =]/g,
  },
  { commands: "nmcli, mysqladmin", option: / password /g },
  // At once, after one word, or after two.
  {
    commands: "bw unlock, rclone obscure, vncviewer -passwd, x11vnc -passwd",
    option: /^\S+ \S+ /g,
  },
  {
    commands: "wpa_passphrase, bw login, dotnet user-secrets set, pulumi config set --secret",
    option:
      /^(?:wpa_passphrase|bw login|dotnet user-secrets set|pulumi config set --secret) (?:"[^"\n]{1,60}"|[^\s"-]\S{0,60}) /g,
  },
  {
    commands: "networksetup -setairportnetwork, poetry config, composer config",
    option: / (?:en\d|http-basic\.\S{1,80}) (?:"[^"\n]{1,60}"|\S{1,60}) /g,
  },
  { commands: "bundle config", option: / [\w.-]{1,80} [\w.-]{1,60}:/g },
  { commands: "sqlplus, impdp, expdp", option: /^\w+(?: -\w{1,8}){0,4} [\w$]{1,40}\//g },
  {
    commands: "sudo -S, passwd --stdin, kinit, read -s, vercel env add",
    option: /^[^<]{1,300}<<< ?/g,
  },
];

/** One line, up to the length of a command, with those that continue it. */
const LINE = /(?:\\\r?\n|[^\n]){1,4000}/g;
const ARGUMENT =
  /(?:"(?<double>[^"\n]{1,300})"|'(?<single>[^'\n]{1,300})'|(?<plain>[^\s"'`|&;<>)]{1,300}))/y;
const OPTIONS = Map.groupBy(
  COMMANDS.flatMap(({ commands, option }) =>
    commands.split(", ").map((name) => ({ name, option }))
  ),
  ({ name }) => name,
);
const ANY = new RegExp(
  `(?<![\\w-])(?:${[...OPTIONS.keys()].join("|")})(?:\\.exe)?(?= )`,
  "g",
);

/** The secrets in the commands of a text. */
export function commandSecrets(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: line, index } of text.matchAll(LINE)) {
    for (const { 0: name, index: at } of line.matchAll(ANY)) {
      const command = name.replace(/\.exe$/, "");
      const rest = line.slice(at, at + 1000);
      for (const { option } of OPTIONS.get(command) ?? []) {
        spans.push(...argumentsIn(rest, option, index + at));
      }
    }
  }
  return spans;
}

function argumentsIn(rest: string, option: RegExp, from: number): Span[] {
  return [...rest.matchAll(option)].flatMap((match) => {
    ARGUMENT.lastIndex = match.index + match[0].length;
    const argument = ARGUMENT.exec(rest);
    const { double, single, plain } = argument?.groups ?? {};
    const value = double ?? single ?? plain;
    if (argument === null || value === undefined || !isSecret(value)) return [];
    const start = from + argument.index + (plain === undefined ? 1 : 0);
    return [{ kind: "command", start, end: start + value.length }];
  });
}

/** Whether a value is a secret, unlike `-p$PASS`, `-pPASSWORD` and the port in `-p 8080:80`. */
function isSecret(value: string): boolean {
  if (/^\d{1,5}(?:[:/].*)?$/.test(value) || /^-/.test(value)) return false;
  return isLikelySecret(value.length < 4 ? value.padEnd(4, "0") : value, {
    isPassword: true,
    isQuoted: true,
    isGlued: true,
    endsClause: true,
  });
}
