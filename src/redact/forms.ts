// Secrets recognized by their form: token prefixes of providers, armoured keys, credentials in URLs.

import { MultiSearch } from "./multi_search.ts";
import { type Span, spansOf } from "./spans.ts";
import tokensTable from "./tokens.tsv" with { type: "text" };

/** A kind of secret and its pattern. */
interface SecretForm {
  readonly kind: string;
  /** Every such secret contains one of these, so most texts need not be searched. */
  readonly starts: readonly string[];
  /**
   * The secret is the group `secret`, else the whole match. Lengths are bounded, so that hostile text cannot take long.
   */
  readonly pattern: RegExp;
  /** The specification of the form, or the gitleaks rule for it. */
  readonly source: string;
}

/** Tokens with a prefix and a fixed number of characters: kind, prefixes, the rest, source. */
const TOKENS = tokensTable.trimEnd().split("\n").map((line) =>
  line.split("\t") as [kind: string, starts: string, rest: string, source: string]
);

/** Forms with more than a prefix. */
const OTHERS: readonly SecretForm[] = [
  {
    kind: "mailchimp",
    starts: ["-us"],
    pattern: /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/g,
    source: "gitleaks mailchimp-api-key",
  },
  {
    kind: "terraform",
    starts: [".atlasv1."],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/g,
    source: "gitleaks hashicorp-tf-api-token",
  },
  {
    kind: "private-key",
    starts: ["-----BEGIN "],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,20}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[^]){0,8192}-----END [A-Z0-9 ]{0,20}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\s|\\[nr]){0,8}[A-Za-z0-9+/=]{16,8192}){0,200})/g,
    source: "RFC 7468",
  },
  {
    kind: "private-key",
    starts: ["PuTTY-User-Key-File"],
    pattern:
      /PuTTY-User-Key-File-\d:[^]{0,4000}?Private-Lines: \d+(?:\r?\n[A-Za-z0-9+/=]{1,64}){1,100}/g,
    source: "PuTTY's key files",
  },
  {
    kind: "private-key",
    starts: ["prv", "5", "K", "L", "-"],
    pattern:
      /(?<![\w+-])(?:[tuvxyz]prv[A-Za-z0-9]{90,120}|5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51}|\d{6}(?:-\d{6}){7})(?![\w+/=-])/g,
    source:
      "BIP 32 extended private keys, Bitcoin's wallet import format, BitLocker's recovery keys",
  },
  {
    kind: "private-key",
    starts: ["client-key-data", "client_key_data", ".key", "0x"],
    pattern:
      /(?:client[-_]key[-_]data["']?\s{0,4}[:=]\s{0,4}["']?|(?:master|credentials\/\w{1,40})\.key\b[^\w\n]{0,20}\n?[^\w\n]{0,8}(?:is )?(?=[0-9a-f]{32}(?!\w))|(?:(?:priv(?:ate)?|deployer|owner|operator|validator|relayer|minter)[_ -]?key|(?<![a-z])pk|wallet|signer|accounts\W)[^\n]{0,60}?(?=0x[0-9a-f]{64}(?!\w)))(?<secret>[A-Za-z0-9+/]{20,8000}={0,2})/gi,
    source: "kubeconfig, Rails' credentials, Ethereum's keys",
  },
  {
    kind: "authorization",
    starts: ['auth"'],
    pattern: /"auth":\s{0,4}"(?<secret>(?=[a-z0-9+/]{0,80}[A-Z])[A-Za-z0-9+/]{12,800}={0,2})"/g,
    source: "Docker's config.json",
  },
  {
    kind: "api-key",
    starts: ["Client"],
    pattern:
      /Client(?:V\d)?\(\s{0,4}["'](?<secret>(?=[\w-]{0,100}\d)(?=[\w-]{0,100}[A-Za-z])[\w-]{32,100})["']/g,
    source: "a client's only argument",
  },
  {
    kind: "secret-key",
    starts: ["SECRET_KEY", "crypt"],
    pattern:
      /(?:SECRET_KEY["']?\s{0,2}[:=]\s{0,2}|["']crypt["']\s{0,4}=>\s{0,4}(?:\[|array\()\s{0,40}["']key["']\s{0,4}=>\s{0,4})["'](?<secret>(?!<|\{|\$[{(A-Z_a-z])[^"'\s]{32,120})["']/g,
    source: "Django's settings.py, Magento's env.php",
  },
  {
    kind: "salt",
    starts: ["_KEY", "_SALT"],
    pattern:
      /(?:(?:SECURE_)?AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)(?:["'],\s{1,20}|=)'(?<secret>[^'\n]{32,200})'/g,
    source: "WordPress' wp-config.php and .env",
  },
  {
    kind: "jwt",
    starts: ["eyJ"],
    pattern:
      /(?<![A-Za-z0-9])eyJ[\w-]{10,1000}\.(?:[\w-]{0,1000}\.[\w-]{10,200}\.[\w-]{10,8000}\.[\w-]{10,100}|eyJ[\w-]{10,8000}\.[\w-]{10,2000})/g,
    source: "RFC 7516, five parts, and RFC 7519",
  },
  {
    kind: "telegram",
    starts: [":AA"],
    pattern: /(?<!\d)\d{8,10}:AA[\w-]{33}/g,
    source: "gitleaks telegram-bot-api-token",
  },
  {
    kind: "discord",
    starts: ["."],
    pattern: /(?<![\w.-])[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])/g,
    source: "Discord bot tokens",
  },
  {
    kind: "azure",
    starts: ["AccountKey=", "SharedAccessKey=", "SharedSecretValue="],
    pattern:
      /\b(?:AccountKey|SharedAccessKey|SharedSecretValue)=(?<secret>[A-Za-z0-9+/]{40,100}={0,2})/g,
    source: "Azure connection strings",
  },
  {
    kind: "azure",
    starts: ["Q~"],
    pattern: /(?<![\w~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/g,
    source: "gitleaks azure-ad-client-secret",
  },
  {
    kind: "signature",
    starts: ["sig=", "Signature=", "signature="],
    pattern:
      /[?&;](?:amp;)?(?:sig|X-Amz-Signature|X-Goog-Signature|Signature)=(?<secret>[A-Za-z0-9%+/_~-]{20,1000}={0,2})/gi,
    source: "Azure SAS, AWS and Google signed URLs",
  },
  {
    kind: "webhook",
    starts: ["hook", "hc-ping.com/", "maker.ifttt.com/"],
    pattern:
      /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|hooks\.zapier\.com\/hooks\/\w{1,20}\/|hook\.(?:\w{2,4}\.)?(?:make|integromat)\.com\/|discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/|\.webhook\.office\.com\/webhookb2\/|\/with\/key\/|hc-ping\.com\/|\/webhook(?:-test)?\/(?=[a-f0-9]{8}-)|\/hooks\/(?=[a-z0-9]{26}(?!\w)))(?<secret>(?=[\w@+/-]{0,100}\d)[\w@+/-]{10,300})/g,
    source: "addresses of webhooks, which are their own keys",
  },
  {
    kind: "twilio",
    starts: ["AC"],
    // The auth token has no form of its own; it occurs near its account's id.
    pattern:
      /(?<![A-Za-z0-9])AC[0-9a-f]{32}(?![0-9a-f])[^]{1,120}?(?<![0-9a-zA-Z])(?<secret>[0-9a-f]{32})(?![0-9a-zA-Z])/g,
    source: "Twilio auth tokens",
  },
  {
    kind: "twilio",
    starts: ["twilio", "Twilio", "TWILIO"],
    pattern: /twilio[^\n]{0,60}?(?<![0-9a-z])(?<secret>[0-9a-f]{32})(?![0-9a-z])/gi,
    source: "Twilio auth tokens",
  },
  {
    kind: "aws",
    starts: ["AKIA", "ASIA"],
    pattern:
      /(?:AKIA|ASIA)[A-Z0-9]{16}[^]{1,200}?(?<![A-Za-z0-9/+=])(?<secret>(?=[A-Za-z0-9/+]{0,39}[a-z])(?=[A-Za-z0-9/+]{0,39}[A-Z])[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    source: "AWS secret access keys, beside their ids",
  },
  {
    kind: "aws",
    starts: ["AKIA", "ASIA"],
    pattern:
      /(?<![A-Za-z0-9/+=])(?<secret>(?=[A-Za-z0-9/+]{0,39}[a-z])(?=[A-Za-z0-9/+]{0,39}[A-Z])[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])[^]{1,100}?(?:AKIA|ASIA)[A-Z0-9]{16}/g,
    source: "AWS secret access keys, beside their ids",
  },
  {
    kind: "url-password",
    starts: ["://"],
    pattern: /:\/\/[^\s:@/[\]]{0,100}:(?<secret>[^\s@/[\]]{1,200})@/g,
    source: "RFC 3986 §3.2.1",
  },
  {
    kind: "url-password",
    starts: ["://"],
    // A token alone before the @; user names do not mix letters and digits this way.
    pattern: /:\/\/(?<secret>(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Za-z])[\w-]{20,200})@/g,
    source: "RFC 3986 §3.2.1",
  },
  {
    kind: "url-token",
    starts: ["?", "&"],
    pattern:
      /[?&](?:amp;)?(?:key|apikey|api_key|appid|access_token|refresh_token|id_token|auth|auth_token|token|code|client_secret|secret|password|pwd|pass|signature|session|sessionid|sid)=(?<secret>(?=[^\s&#"'<>]{0,200}\d)[^\s&#"'<>[\]{}$]{8,2000})/gi,
    source: "RFC 6750 §2.3",
  },
  {
    kind: "authorization",
    starts: ["uthorization", "UTHORIZATION"],
    pattern:
      /\b(?:proxy-)?authorization["'`]?\s{0,4}[:=]\s{0,4}["'`]?(?:(?:bearer|basic|token|digest|apikey|bot)\s{1,4}|(?=[\w.~+/=-]{0,200}\d))(?<secret>(?!bearer|basic|token|digest|negotiate)[\w.~+/=-]{8,4000})(?![\w([])/gi,
    source: "RFC 6750, RFC 7617",
  },
  {
    kind: "authorization",
    starts: ["earer", "EARER"],
    pattern: /\bbearer\s{1,4}(?=[\w.~+/=-]{0,200}\d)(?<secret>[\w.~+/=-]{16,4000})/gi,
    source: "RFC 6750",
  },
  {
    kind: "authorization",
    starts: ["asic "],
    pattern:
      /\bBasic\s{1,4}(?<secret>(?=[A-Za-z0-9+/]{0,100}[a-z0-9])(?=[A-Za-z0-9+/]{0,100}[A-Z])[A-Za-z0-9+/]{10,400}={1,2})/g,
    source: "RFC 7617",
  },
  {
    kind: "header",
    starts: ["x-", "X-", "PRIVATE-", "private-"],
    pattern:
      /\b(?:x-[\w-]{0,40}(?:key|token|secret|auth|password|signature)|private-token|job-token)["'`]?\s{0,4}[:=,]\s{0,4}["'`]?(?<secret>(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{8,2000})/gi,
    source: "gitleaks curl-auth-header",
  },
  {
    kind: "cookie",
    starts: ["ookie", "OOKIE"],
    pattern:
      /\b(?:set-)?cookie["'`]?\s{0,2}[:=]\s{0,4}["'`]?(?<secret>[\w.-]{1,100}=[^\s"'`;]{6,4000}(?:;\s?[\w.-]{1,100}=[^\s"'`;]{1,4000}){0,50})/gi,
    source: "RFC 6265",
  },
  {
    kind: "cookie",
    starts: ["sess", "SESS", "Sess", "sid", "SID", "auth", "remember", "csrf", "xsrf", "XSRF"],
    pattern:
      /(?<![A-Za-z])(?:sess(?:ion)?(?:[_-]?id|[_-]?token)?|connect\.sid|J?SESSIONID|PHPSESSID|ASP\.NET_SessionId|_?sid|auth[_-]token|remember[_-]?\w{0,20}|csrf[_-]?token|xsrf-token)=(?<secret>(?=[\w.%+/:~-]{0,200}\d)(?=[\w.%+/:~-]{0,200}[A-Za-z])[\w.%+/:~-]{16,4000}={0,2})/gi,
    source: "session cookies of Express, Java, PHP, Django, Rails and ASP.NET",
  },
  {
    kind: "npm",
    starts: ["_auth", "_password"],
    pattern:
      /(?:(?<![A-Za-z0-9])_auth(?:Token)?|(?<=:)_password)\s{0,4}=\s{0,4}["']?(?<secret>(?!\$\{|process\.)[\w.~+/=-]{4,2000})(?![\w.~+/=([-])/g,
    source: "npmrc(5)",
  },
  {
    kind: "pgpass",
    starts: [":543"],
    pattern:
      /(?<![\w.-])[\w.*-]{1,253}:\d{4,5}:[^\s:]{1,63}:[^\s:]{1,63}:(?<secret>[^\s:"'`]{4,200})/g,
    source: "PostgreSQL's password file",
  },
  {
    kind: "netrc",
    starts: ["login"],
    pattern: /\blogin\s{1,8}[^\s]{1,100}\s{1,8}password\s{1,8}(?<secret>[^\s]{1,200})/g,
    source: "netrc(5)",
  },
  {
    kind: "crypt",
    starts: ["$2a$", "$2b$", "$2y$", "$6$", "$5$", "$1$", "$y$", "$argon2", "$apr1$", "$scrypt$"],
    pattern:
      /\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|(?:[156y]|apr1|scrypt)\$[^\s$:"']{1,60}\$[^\s:"']{20,120}|argon2(?:id|i|d)\$[^\s:"']{30,200})/g,
    source: "crypt(5)",
  },
];

/** The spans of a text that match one of these forms. */
export function formSecrets(text: string): Span[] {
  return [...tokens(text), ...otherForms(text)];
}

function otherForms(text: string): Span[] {
  return OTHERS.filter(({ starts }) => starts.some((start) => text.includes(start)))
    .flatMap(({ kind, pattern }) => spansOf(pattern, kind, text));
}

interface TokenForm {
  readonly kind: string;
  /** The pattern after the prefix. */
  readonly rest: RegExp;
}

const PREFIXES = new MultiSearch<TokenForm>(TOKENS.flatMap(([kind, starts, rest]) => {
  const prefixes = starts.split(" ");
  // A long prefix is enough; after a short one the length must match.
  const end = prefixes.some((prefix) => prefix.length > 3) ? "" : "(?![A-Za-z0-9])";
  const form = { kind, rest: new RegExp(rest + end, "y") };
  return prefixes.map((prefix) => [prefix, form] as const);
}));

function tokens(text: string): Span[] {
  const spans: Span[] = [];
  for (const { at, needle, value: { kind, rest } } of PREFIXES.in(text)) {
    if (/[A-Za-z0-9]/.test(text[at - 1] ?? "")) continue;
    rest.lastIndex = at + needle.length;
    if (rest.test(text)) spans.push({ kind, start: at, end: rest.lastIndex });
  }
  return spans;
}
