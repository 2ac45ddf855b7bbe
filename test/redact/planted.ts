// Made-up secrets of every kind that is known to have passed a redaction, or could. They are put together here, so
// that no scanner takes this file for a leak.

/** So many characters of an alphabet, none of them a real secret. */
export function chars(count: number, alphabet = "aZ3kL9mQ2xR7tB5nV1cD8fG4hJ6pS0wY"): string {
  return alphabet.repeat(Math.ceil(count / alphabet.length)).slice(0, count);
}

export const HEX = "0123456789abcdef";
export const UPPER = "A3KD9MQ2XR7TB5NV1C";
export const LETTERS = "aZkLmQxRtBnVcDfGhJpSwY";

const WORD = "Tr0ub4dor" + "&3x";
const LETTERS_ONLY = "Zwiebel" + "Kuchen";
const DIGITS_ONLY = "83920" + "174650193";
const HYPHENS = ["correct", "horse", "battery"].join("-");
const PHRASE = ["walrus", "kettle", "monday", "copper"].join(" ");
const RANDOM = chars(40);
const SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const SEED_ES = "ábaco abdomen abeja abierto abogado abono aborto abrazo abrir abuelo abuso acabar";

/** A planted secret: what it is, the text it stands in, and what must not stay. */
export interface Planted {
  readonly what: string;
  readonly text: string;
  /** All of the text unless given. */
  readonly secret: string;
}

/** Whose kinds a review found to get through, and those beside them. */
export const PLANTED: readonly Planted[] = ([
  // Passwords in prose and assignments, in the languages that memo knows.
  ["Spanish, assigned", `contraseña: ${WORD}`, WORD],
  ["Spanish, in prose", `la contraseña es ${WORD}`, WORD],
  ["Spanish, with words between", `la contraseña de la base de datos es ${WORD}`, WORD],
  ["Spanish, decomposed", `la contraseña es ${WORD}`.normalize("NFD"), WORD],
  ["Spanish, without accents", `contrasena=${LETTERS_ONLY}`, LETTERS_ONLY],
  ["Spanish clave, assigned", `clave: ${WORD}`, WORD],
  ["Spanish clave, in prose", `la clave del wifi es ${WORD}`, WORD],
  ["Spanish, letters alone", `La contraseña es mariposa.`, "mariposa"],
  ["Portuguese", `a senha é ${WORD}`, WORD],
  ["Portuguese, assigned", `senha = ${WORD}`, WORD],
  ["Portuguese palavra-passe", `palavra-passe: ${WORD}`, WORD],
  ["French", `le mot de passe est ${WORD}`, WORD],
  ["French, abbreviated", `mdp: ${WORD}`, WORD],
  ["French, of something", `Le mot de passe du serveur est « ${WORD} »`, WORD],
  ["German", `das Passwort ist ${WORD}`, WORD],
  ["German, compound", `Datenbankpasswort: ${WORD}`, WORD],
  ["German Kennwort", `Das Kennwort lautet ${WORD}`, WORD],
  ["Italian", `la password è ${WORD}`, WORD],
  ["Dutch", `het wachtwoord is ${WORD}`, WORD],
  ["Swedish", `lösenordet: ${WORD}`, WORD],
  ["Polish", `hasło to ${WORD}`, WORD],
  ["Russian", `пароль: ${WORD}`, WORD],
  ["Russian, in prose", `пароль от базы — ${WORD}`, WORD],
  ["Turkish", `şifre: ${WORD}`, WORD],
  ["Chinese", `密码是${WORD}`, WORD],
  ["Chinese, assigned", `数据库密码：${WORD}`, WORD],
  ["Chinese, traditional", `密碼：${WORD}`, WORD],
  ["Japanese", `パスワードは${WORD}です`, WORD],
  ["Korean", `비밀번호는 ${WORD} 입니다`, WORD],
  ["Arabic", `كلمة المرور: ${WORD}`, WORD],
  ["English, in prose", `the admin password is ${WORD}`, WORD],
  [
    "English, for something",
    `The password for the staging database is ${WORD}, keep it safe`,
    WORD,
  ],
  ["English, set to", `I set the root password to ${WORD} yesterday`, WORD],
  ["English, quoted", `use the password "${LETTERS_ONLY}" there`, LETTERS_ONLY],
  ["English, in backticks", `The password is \`${HYPHENS}\``, HYPHENS],
  ["English, the value first", `${WORD} is the password of the router`, WORD],
  ["English, letters alone", `the wifi password is swordfish.`, "swordfish"],
  ["English, beside it", `log in as admin with password ${WORD}`, WORD],
  ["a passphrase in prose", `the passphrase is ${PHRASE}`, PHRASE],
  [
    "a passphrase with a function word",
    "passphrase is marsh harrier over reeds nineteen, if the archive asks",
    "marsh harrier over reeds nineteen",
  ],
  [
    "a passphrase in Spanish",
    "la frase de paso es rana verde salta lejos",
    "rana verde salta lejos",
  ],
  ["a passphrase, assigned", `passphrase: ${PHRASE}`, PHRASE],
  ["a passphrase in quotes", `passphrase = "${PHRASE}"`, PHRASE],
  // Values of letters or digits alone.
  ["hyphens and letters", `password: ${HYPHENS}`, HYPHENS],
  ["digits alone", `password=${DIGITS_ONLY}`, DIGITS_ONLY],
  ["letters alone", `Password=${LETTERS_ONLY}`, LETTERS_ONLY],
  ["letters alone, quoted", `password = "${LETTERS_ONLY}"`, LETTERS_ONLY],
  [
    "a connection string",
    `Server=db;User Id=sa;Password=${LETTERS_ONLY};Encrypt=true`,
    LETTERS_ONLY,
  ],
  ["db_pass", `db_pass: ${WORD}`, WORD],
  ["pwd", `pwd=${WORD}`, WORD],
  ["an upper-case variable", `POSTGRES_PASSWORD=${LETTERS_ONLY}`, LETTERS_ONLY],
  ["a camel-case name", `dbPassword: "${LETTERS_ONLY}"`, LETTERS_ONLY],
  ["JSON", `{"user":"a","password":"${LETTERS_ONLY}"}`, LETTERS_ONLY],
  ["XML", `<password>${LETTERS_ONLY}</password>`, LETTERS_ONLY],
  ["a .NET setting", `<add key="Password" value="${LETTERS_ONLY}" />`, LETTERS_ONLY],
  ["Markdown", `**Password:** ${WORD}`, WORD],
  ["a table", `| password | ${WORD} |`, WORD],
  ["a PIN", `the PIN is 4711`, "4711"],
  ["punctuation inside", `password: p@ss,w(0)rd!`, "p@ss,w(0)rd!"],
  // Names and values apart, in configuration and code.
  ["a YAML block", `db:\n  password: |\n    ${LETTERS_ONLY}\n  host: a`, LETTERS_ONLY],
  ["a folded YAML block", `password: >-\n  ${WORD}\n`, WORD],
  ["a YAML list", `passwords:\n  - ${HYPHENS}7\n  - ${WORD}\nhost: a`, WORD],
  ["an array", `"passwords": ["${LETTERS_ONLY}", "${WORD}"]`, WORD],
  ["escaped JSON", String.raw`{"body":"{\"password\":\"${LETTERS_ONLY}\"}"}`, LETTERS_ONLY],
  ["JSON escaped twice", String.raw`\\\"password\\\": \\\"${LETTERS_ONLY}\\\"`, LETTERS_ONLY],
  ["a nested value", `{"password":{"value":"${LETTERS_ONLY}"}}`, LETTERS_ONLY],
  ["a nested value on lines", `"password": {\n  "value": "${LETTERS_ONLY}"\n}`, LETTERS_ONLY],
  ["a name and a value", `{"name":"DB_PASSWORD","value":"${LETTERS_ONLY}"}`, LETTERS_ONLY],
  ["Kubernetes' variables", `- name: DB_PASSWORD\n  value: ${LETTERS_ONLY}\n`, LETTERS_ONLY],
  ["a long string in TOML", `password = """\n${LETTERS_ONLY}"""`, LETTERS_ONLY],
  ["a long literal in TOML", `password = '''\n${LETTERS_ONLY}\n'''`, LETTERS_ONLY],
  ["pw", `const ADMIN_PW = "${LETTERS_ONLY}"`, LETTERS_ONLY],
  ["pw in camel case", `adminPw: '${LETTERS_ONLY}'`, LETTERS_ONLY],
  ["a default of getenv", `getenv("DB_PASS", "${LETTERS_ONLY}")`, LETTERS_ONLY],
  ["a default of environ", `os.environ.get('DB_PASSWORD', '${LETTERS_ONLY}')`, LETTERS_ONLY],
  ["a default in JavaScript", `process.env.DB_PASSWORD || "${LETTERS_ONLY}"`, LETTERS_ONLY],
  ["a setter", `source.setPassword("${LETTERS_ONLY}");`, LETTERS_ONLY],
  ["a Wi-Fi key", `network={\n ssid="home"\n psk="${LETTERS_ONLY}"\n}`, LETTERS_ONLY],
  ["a user in SQL", `CREATE USER 'a'@'%' IDENTIFIED BY '${LETTERS_ONLY}';`, LETTERS_ONLY],
  ["a plugin's user in SQL", `IDENTIFIED WITH caching_sha2_password BY '${WORD}'`, WORD],
  ["a role in SQL", `CREATE ROLE a WITH LOGIN PASSWORD '${LETTERS_ONLY}';`, LETTERS_ONLY],
  ["--from-literal", `kubectl create secret generic a --from-literal=key=${WORD}`, WORD],
  ["SecureString", `ConvertTo-SecureString "${LETTERS_ONLY}" -AsPlainText -Force`, LETTERS_ONLY],
  ["btoa", `headers.set("x", btoa('admin:${LETTERS_ONLY}'))`, LETTERS_ONLY],
  ["b64encode", `base64.b64encode(b"admin:${LETTERS_ONLY}")`, LETTERS_ONLY],
  // Sentences, without a word for "is" between.
  ["Spanish, user and password", `entra con el usuario admin y la contraseña ${WORD}`, WORD],
  [
    "Spanish, letters alone",
    `entra con el usuario admin y la contraseña ${LETTERS_ONLY}`,
    LETTERS_ONLY,
  ],
  ["Spanish, to be written down", `apunta la contraseña del servidor, ${WORD}`, WORD],
  ["Spanish, changed", `he cambiado la contraseña de la base a ${WORD} esta mañana`, WORD],
  ["Spanish, would be", `el token de la API sería ${RANDOM}`, RANDOM],
  ["Spanish credentials", `las credenciales son admin / ${WORD}`, WORD],
  ["German, changed", `ich habe das Passwort auf ${WORD} geändert`, WORD],
  ["German login", `melde dich mit root / ${WORD} an`, WORD],
  ["German credentials", `Zugangsdaten: admin, ${WORD}`, WORD],
  ["French, it is", `le code secret, c'est ${LETTERS_ONLY}`, LETTERS_ONLY],
  ["French login", `connecte-toi avec admin et le mot de passe ${LETTERS_ONLY}`, LETTERS_ONLY],
  ["French, changed", `j'ai changé le mot de passe en ${WORD}`, WORD],
  ["French credentials", `les identifiants : admin / ${WORD}`, WORD],
  ["English pw", `the pw for staging is ${LETTERS_ONLY}`, LETTERS_ONLY],
  ["English login", `log in as admin with ${WORD}`, WORD],
  ["English, user and password", `user admin, password ${LETTERS_ONLY}`, LETTERS_ONLY],
  ["English, a user and a slash", `admin / ${WORD}`, WORD],
  ["English, it's", `the wifi password? it's ${WORD}`, WORD],
  ["English, possessive", `the router password's ${WORD}`, WORD],
  ["English pass", `the wifi pass is ${WORD}`, WORD],
  ["English, used as, for something", `use ${WORD} as the passphrase for the key`, WORD],
  ["English, used as", `use ${WORD} as the passphrase`, WORD],
  ["English, a phrase used as", `use ${PHRASE} as the passphrase`, PHRASE],
  // Command lines.
  ["mysql -p", `mysql -u root -p${LETTERS_ONLY} shop`, LETTERS_ONLY],
  ["curl -u", `curl -u alice:${LETTERS_ONLY} https://x.example`, LETTERS_ONLY],
  ["curl --user", `curl -s --user 'alice:${WORD}' https://x.example`, WORD],
  ["sshpass -p", `sshpass -p ${LETTERS_ONLY} ssh root@10.0.0.1`, LETTERS_ONLY],
  ["sshpass -p, quoted", `sshpass -p '${WORD}' scp a b:`, WORD],
  ["docker login -p", `docker login -u a -p ${LETTERS_ONLY} r.example`, LETTERS_ONLY],
  ["redis-cli -a", `redis-cli -h c -a ${LETTERS_ONLY} ping`, LETTERS_ONLY],
  ["a --password flag", `deploy --user a --password ${LETTERS_ONLY} --yes`, LETTERS_ONLY],
  ["openssl -passin", `openssl rsa -in k.pem -passin pass:${LETTERS_ONLY}`, LETTERS_ONLY],
  ["a password into sudo", `echo ${LETTERS_ONLY} | sudo -S apt update`, LETTERS_ONLY],
  ["PGPASSWORD", `PGPASSWORD=${LETTERS_ONLY} psql -h db`, LETTERS_ONLY],
  ["htpasswd -b", `htpasswd -b .htpasswd alice ${LETTERS_ONLY}`, LETTERS_ONLY],
  ["net use", `xfreerdp /u:a /p:${LETTERS_ONLY} /v:h`, LETTERS_ONLY],
  // Files and headers.
  [
    "npm _auth",
    `//registry.example/:_auth=${btoa("alice:" + LETTERS_ONLY)}`,
    btoa("alice:" + LETTERS_ONLY),
  ],
  ["netrc", `machine h login alice password ${LETTERS_ONLY}`, LETTERS_ONLY],
  ["pgpass", `db.example:5432:app:alice:${LETTERS_ONLY}`, LETTERS_ONLY],
  ["a basic header", `Authorization: Basic ${btoa("alice:" + WORD)}`, btoa("alice:" + WORD)],
  ["an API key header", `X-Api-Key: ${chars(24)}`, chars(24)],
  ["a session cookie", `Cookie: sessionid=${chars(32)}; theme=dark`, chars(32)],
  ["a cookie of Express", `connect.sid=s%3A${chars(32)}.${chars(43)}`, chars(32)],
  ["a cookie that is set", `Set-Cookie: sid=${chars(26)}; Path=/; HttpOnly`, chars(26)],
  ["a password hash", `$2b$12$${chars(53)}`, chars(53)],
  // Providers.
  ["an AWS secret beside its id", `AKIA${chars(16, UPPER)} ${RANDOM}`, RANDOM],
  ["an AWS secret in a table", `| AKIA${chars(16, UPPER)} | ${RANDOM} |`, RANDOM],
  ["an Azure SAS", `https://a.blob.example/c?sv=2024-01-01&sig=${chars(42)}%3D`, chars(42)],
  ["an Azure client secret", `${chars(3)}8Q~${chars(34)}`],
  ["an Azure connection string", `AccountName=x;AccountKey=${chars(86)}==;E=y`, chars(86)],
  [
    "a Twilio token beside its account",
    `AC${chars(32, HEX)} / ${chars(32, "f0e1d2c3b4a59687")}`,
    chars(32, "f0e1d2c3b4a59687"),
  ],
  ["a Twilio token", `twilio auth ${chars(32, "f0e1d2c3b4a59687")}`, chars(32, "f0e1d2c3b4a59687")],
  ["a Twilio key", "SK" + chars(32, HEX)],
  ["a Notion token", "ntn_" + chars(46)],
  ["an old Notion token", "secret_" + chars(43)],
  ["a Replicate token", "r8_" + chars(37)],
  ["a GitHub token", "ghp_" + chars(36)],
  ["a fine-grained GitHub token", `github_pat_${chars(22)}_${chars(59)}`],
  ["a GitLab token", "glpat-" + chars(20)],
  ["a Slack token", "xoxb-123456789012-1234567890123-" + chars(24)],
  [
    "a Slack webhook",
    `https://hooks.slack.com/services/T01234567/B01234567/${chars(24)}`,
    chars(24),
  ],
  [
    "a Discord webhook",
    `https://discord.com/api/webhooks/123456789012345678/${chars(68)}`,
    chars(68),
  ],
  ["an npm token", "npm_" + chars(36)],
  ["an Anthropic key", `sk-ant-api03-${chars(93)}AA`],
  ["an OpenAI key", `sk-proj-${chars(58)}T3BlbkFJ${chars(58)}`],
  ["a Google API key", "AIza" + chars(35)],
  ["a Gemini key", "AQ.Ab8" + chars(47)],
  ["a Meta token", "EAAJ" + chars(180) + "ZD"],
  ["a Google refresh token", "1//0" + chars(60)],
  ["a Stripe key", "sk_live_" + chars(24)],
  ["a SendGrid key", `SG.${chars(22)}.${chars(43)}`],
  ["a Mailchimp key", chars(32, HEX) + "-us12"],
  ["a Hugging Face token", "hf_" + chars(34, LETTERS)],
  ["a Vault token", "hvs." + chars(90)],
  ["a Docker token", "dckr_pat_" + chars(27)],
  ["a Linear key", "lin_api_" + chars(40)],
  ["a Supabase token", "sbp_" + chars(40, HEX)],
  ["a Groq key", "gsk_" + chars(52)],
  ["a Sentry token", "sntryu_" + chars(64, HEX)],
  ["a Figma token", "figd_" + chars(40)],
  ["a Terraform token", `${chars(14)}.atlasv1.${chars(67)}`],
  ["a Telegram token", "123456789:AA" + chars(33)],
  ["a JWT", `eyJ${chars(30)}.eyJ${chars(40)}.${chars(43)}`],
  ["a private key", pem()],
  ["a private key on one line", pem().replaceAll("\n", "\\n")],
  ["an age key", "AGE-SECRET-KEY-1" + chars(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")],
  ["a database URL", `postgres://user:${LETTERS_ONLY}@db.example/app`, LETTERS_ONLY],
  ["a token in a remote", `https://${chars(40)}@git.example/a.git`, chars(40)],
  ["a key in a query", `https://x.example/v1?key=${chars(30)}&q=1`, chars(30)],
  ["an unknown provider's key", `ACME_API_KEY=${RANDOM}`, RANDOM],
  ["a client secret", `client_secret: "${chars(32)}"`, chars(32)],
  ["a bearer header", `Authorization: Bearer ${RANDOM}`, RANDOM],
  // Wrapped, packed and split.
  ["URL-encoded", `token%3Dghp_${chars(36)}`, "ghp_" + chars(36)],
  ["URL-encoded, a password", `next=%2F%3Fpassword%3D${LETTERS_ONLY}`, LETTERS_ONLY],
  ["base64 of a token", btoa("ghp_" + chars(36))],
  [
    "base64 of an assignment",
    `echo ${btoa("DB_PASSWORD=" + WORD)} | base64 -d`,
    btoa("DB_PASSWORD=" + WORD),
  ],
  [
    "base64url of a token",
    btoa("key: glpat-" + chars(22) + "~~~").replaceAll("+", "-").replaceAll("/", "_").replaceAll(
      "=",
      "",
    ),
  ],
  ["split by a plus", `"ghp_${chars(16)}" + "${chars(36).slice(16)}"`, chars(36).slice(16)],
  ["split over lines", `ghp_${chars(16)}\n${chars(36).slice(16)}`, chars(36).slice(16)],
  ["split by a backslash", `glpat-${chars(8)}\\\n  ${chars(20).slice(8)}`, chars(20).slice(8)],
  ["a password split by a plus", `password = "Tr0ub" + "4dor&3x"`, "4dor&3x"],
  [
    "zero-width characters inside",
    `ghp_${chars(18)}\u200b${chars(36).slice(18)}`,
    chars(36).slice(18),
  ],
  [
    "colours inside",
    `ghp_${chars(18)}\u001b[31m${chars(36).slice(18)}\u001b[0m`,
    chars(36).slice(18),
  ],
  [
    "escaped colours inside",
    `glpat-${chars(8)}\\u001b[1;31m${chars(20).slice(8)}`,
    chars(20).slice(8),
  ],
  [
    "joined from a list",
    `["ghp_${chars(16)}", "${chars(36).slice(16)}"].join("")`,
    chars(36).slice(16),
  ],
  ["put into a template", `\`ghp_${chars(16)}\${"${chars(36).slice(16)}"}\``, chars(36).slice(16)],
  ["in a template's middle", `\`ghp_\${'${chars(16)}'}${chars(36).slice(16)}\``, chars(16)],
  [
    "numbered entities of HTML",
    entities("ghp_" + chars(36)),
    entities("ghp_" + chars(36)).slice(40),
  ],
  [
    "hexadecimal entities",
    entities("ghp_" + chars(36), 16),
    entities("ghp_" + chars(36), 16).slice(40),
  ],
  ["entities around a password", `&quot;password&quot;:&quot;${LETTERS_ONLY}&quot;`, LETTERS_ONLY],
  ["entities within entities", `password=&amp;quot;${LETTERS_ONLY}&amp;quot;`, LETTERS_ONLY],
  ["a password in entities", `password=${entities(WORD)}`, entities(WORD)],
  ["full-width letters", fullWidth(`password:${LETTERS_ONLY}`), fullWidth(LETTERS_ONLY)],
  ["a full-width token", fullWidth("ghp_" + chars(36)), fullWidth(chars(36))],
  // Money.
  ["a card number", `4111 1111 1111 1111`, "1111 1111"],
  ["a card number without blanks", "5555" + "555555554444"],
  ["a card number before its date", "5555 5555 5555 4444 12/29 123", "5555 4444"],
  ["an American Express card", "3782-822463-10005"],
  ["a bank account", `IBAN ES91 2100 ${"0418 4502"} 0005 1332`, "0418 4502"],
  ["a bank account without blanks", "DE8937040044" + "0532013000"],
  ["a Spanish identity number", "DNI 12345678" + "Z", "12345678Z"],
  ["a Spanish foreigner's number", "X-1234567" + "-L"],
  ["a seed phrase", SEED],
  [
    "a numbered seed phrase",
    SEED.split(" ").map((word, i) => `${i + 1}. ${word}`).join(" "),
    "sausage",
  ],
  ["a Spanish seed phrase", SEED_ES],
  ["an extended private key", "xprv" + chars(107, "9s21ZrQH143K")],
] as const).map(([what, text, secret = text]) => ({ what, text, secret }));

function entities(text: string, base: 10 | 16 = 10): string {
  const prefix = base === 16 ? "&#x" : "&#";
  return text.replace(/./g, (char) => `${prefix}${char.charCodeAt(0).toString(base)};`);
}

function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
}

function pem(): string {
  const lines = chars(128).replace(/.{64}(?!$)/g, "$&\n");
  return `-----BEGIN RSA PRIVATE KEY-----\n${lines}\n-----END RSA PRIVATE KEY-----`;
}
