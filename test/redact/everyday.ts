// Kinds of secrets that people paste every day, each in several forms. The secret stands between braces, as what it is
// made of; it is drawn anew for every form, so that no rule can know it and no scanner takes this file for a leak.

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const ALNUM = LOWER + UPPER + DIGITS;
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const NOISE = ALNUM + "-!@#$%^&*()_[]{}~+=,.;:/?| ";

type Draw = (count: number, alphabet: string) => string;

/** What a secret is made of: `{hex 32}` is 32 hexadecimal digits. */
const MADE_OF: Readonly<Record<string, (draw: Draw, count: number) => string>> = {
  /** Letters and digits, or a made-up word with a number and a sign. */
  password: (draw) =>
    draw(1, DIGITS) < "5"
      ? draw(1, UPPER) + draw(9, ALNUM) + draw(2, DIGITS) + draw(1, LOWER)
      : word(draw) + draw(1, "-_!+") + draw(3, DIGITS) + draw(2, LOWER),
  /** A made-up word of letters alone. */
  letters: (draw) => word(draw) + word(draw).toLowerCase(),
  alnum: (draw, count) => draw(count - 2, ALNUM) + draw(1, DIGITS) + draw(1, LOWER),
  lower: (draw, count) => draw(count - 1, LOWER + DIGITS) + draw(1, DIGITS),
  hex: (draw, count) => draw(count, "0123456789abcdef"),
  digits: (draw, count) => draw(1, "123456789") + draw(count - 1, DIGITS),
  base32: (draw, count) => draw(count - 2, UPPER + "234567") + draw(2, "234567"),
  /** A key of an authenticator as it is shown, in groups of four. */
  groups: (draw, count) =>
    Array.from({ length: count }, () => draw(3, LOWER) + draw(1, "234567")).join(" "),
  /** A code for the day that the second factor is lost. */
  code: (draw) => draw(4, LOWER + DIGITS) + draw(1, DIGITS) + "-" + draw(5, LOWER + DIGITS),
  ssn: (draw) => [3, 2, 4].map((count) => draw(count, DIGITS)).join("-"),
  base58: (draw, count) => draw(count, BASE58),
  base64: (draw, count) => btoa(draw(Math.floor(count * 3 / 4) - 1, ALNUM + "~^\x7f\x10\x05")),
  /** Base64 that begins as a path or a sum does. */
  slashed: (draw, count) => draw(1, "/+") + draw(count - 5, ALNUM + "/+") + draw(4, DIGITS),
  /** Base64 of a user and a password. */
  login: (draw) => btoa("deploy:" + draw(14, ALNUM)),
  noise: (draw, count) => draw(count - 2, NOISE).replace(/^\W/, "x") + draw(2, ALNUM),
  uuid: (draw) => [8, 4, 4, 4, 12].map((count) => draw(count, "0123456789abcdef")).join("-"),
};

function word(draw: Draw): string {
  return draw(1, "BKMRTZ") + draw(1, "aeou") + draw(1, "lnrst") + draw(1, "kdbgv") +
    draw(1, "aou") + draw(1, "lnrkm");
}

/** Kinds, each with its forms. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  // Frameworks.
  "Rails' secret key base": [
    "SECRET_KEY_BASE={hex 128}",
    "SECRET_KEY_BASE={alnum 86}",
    "production:\n  secret_key_base: {hex 128}",
    'config.secret_key_base = "{hex 128}"',
  ],
  "a salt": [
    "API_TOKEN_SALT={base64 24}",
    "PASSWORD_SALT={alnum 32}",
    "HASHIDS_SALT='{alnum 24}'",
    'salt: "{alnum 32}"',
    "$settings['hash_salt'] = '{alnum 74}';",
    "config.pepper = '{hex 128}'",
  ],
  "Laravel's key": [
    "APP_KEY=base64:{base64 44}",
    "'key' => 'base64:{base64 44}',",
    "php artisan key:generate --show\nbase64:{base64 44}",
  ],
  "Rails' master key": [
    "RAILS_MASTER_KEY={hex 32}",
    "config/master.key: {hex 32}",
    "cat config/master.key\n{hex 32}",
    "$ cat config/credentials/production.key\n{hex 32}",
    "The master.key is {hex 32}",
  ],
  "WordPress' database": [
    "define('DB_PASSWORD', '{password}');",
    'define( "DB_PASSWORD", "{letters}" );',
    "define('DB_PASSWORD',     '{alnum 20}');",
    "define ('DB_PASSWORD','{password}');",
  ],
  "WordPress' keys and salts": [
    "define('AUTH_KEY',         '{noise 64}');\ndefine('SECURE_AUTH_KEY',  '{noise 64}');",
    "define('LOGGED_IN_KEY',    '{noise 64}');\ndefine('NONCE_KEY',        '{noise 64}');",
    "define('AUTH_SALT',        '{noise 64}');\ndefine('SECURE_AUTH_SALT', '{noise 64}');",
    "define('LOGGED_IN_SALT',   '{noise 64}');\ndefine( 'NONCE_SALT',       '{noise 64}' );",
    "AUTH_KEY='{noise 64}'",
  ],
  "a declaration with a type": [
    'const dbPassword: string = "{letters}";',
    'const dbPassword: string = "{password}"',
    "const dbPassword: string = `{letters}`;",
    'private readonly password: string | undefined = "{letters}";',
    'val dbPassword: String = "{letters}"',
    'var password: String? = "{password}"',
    'DB_PASSWORD: str = "{letters}"',
    'password: Optional[str] = "{letters}"',
    'const DB_PASSWORD: &str = "{letters}";',
    'pub const API_TOKEN: &\'static str = "{alnum 32}";',
    'const dbPassword string = "{letters}"',
    'var DBPassword string = "{password}"',
  ],
  "Symfony's and other frameworks' secrets": [
    "APP_SECRET={hex 32}",
    "encryption.key = hex2bin:{hex 64}",
    "'cookieValidationKey' => '{alnum 32}',",
    "public $secret = '{alnum 16}';",
    "public $password = '{letters}';",
    "SECURITY_KEY={alnum 32}",
    "APP_KEYS={base64 24},{base64 24}",
    "app.secret_key = b'{alnum 24}'",
    "N8N_ENCRYPTION_KEY={alnum 32}",
    "SECRET_KEY = 'django-insecure-{lower 50}'",
    "SECRET_KEY = 'he((*e*{lower 36}-f(v4^t'",
    "'crypt' => ['key' => '{hex 32}'],",
    'secret_key_base: "{slashed 64}"',
    "SESSION_SALT={slashed 24}",
    "ALGOLIA_ADMIN_KEY={hex 32}",
    "MEILI_SERVER_KEY={alnum 32}",
  ],
  // Containers and clusters.
  "Docker's login": [
    '{"auths": {"ghcr.io": {"auth": "{login}"}}}',
    '"https://index.docker.io/v1/": {\n  "auth": "{login}"\n}',
    String.raw`{\"auths\":{\"r.example\":{\"auth\":\"{login}\"}}}`,
  ],
  "a kubeconfig's key": [
    "    client-key-data: {base64 800}",
    "client-key-data: {base64 200}\n",
    'client_key_data = "{base64 400}"',
  ],
  "an old ENV in a Dockerfile": ["ENV DB_PASSWORD {password}", "ENV API_TOKEN {alnum 32}"],
  "cloud-init and kickstart": [
    "rootpw --plaintext {password}",
    "plain_text_passwd: {letters}",
    "d-i passwd/root-password password {password}",
  ],
  // Commands.
  "AWS' stores": [
    "aws ssm put-parameter --name /app/db --value {letters} --type SecureString",
    'aws ssm put-parameter --name /app/db --type SecureString --value "{password}"',
    "aws secretsmanager create-secret --name db --secret-string {letters}",
    'aws --profile prod ssm put-parameter --name /a --value="{password}"',
    "aws secretsmanager put-secret-value --secret-id db --secret-string '{password}'",
    "aws ssm put-parameter \\\n  --name /app/db \\\n  --value {letters}",
  ],
  "other clouds' stores": [
    "az keyvault secret set --vault-name v --name db --value {letters}",
    "echo -n '{letters}' | gcloud secrets create db --data-file=-",
    "printf '%s' {password} | docker secret create db -",
    "echo {alnum 32} | wrangler secret put API_TOKEN",
    "fly secrets set DB_PASSWORD={letters}",
    'dotnet user-secrets set "Db:Password" "{letters}"',
    "pulumi config set --secret dbPassword {letters}",
    "vault kv put secret/db password={letters}",
  ],
  "lftp": ["lftp -u me,{letters} sftp://h.example", "lftp -u me,{password} ftp.example.com"],
  "Wi-Fi commands": [
    "wpa_passphrase HomeNet {letters}",
    'wpa_passphrase "Home Net" {password}',
    "nmcli dev wifi connect HomeNet password {letters}",
    "nmcli device wifi connect 'Home Net' password '{password}' ifname wlan0",
    "iwctl --passphrase {letters} station wlan0 connect HomeNet",
    "networksetup -setairportnetwork en0 HomeNet {letters}",
    'WiFi.begin("HomeNet", "{letters}");',
  ],
  "expect": [
    String.raw`send "{password}\r"`,
    String.raw`expect "*assword:*" { send "{letters}\r" }`,
    String.raw`expect "assword:"` + "\n" + String.raw`send -- "{letters}\r"`,
    String.raw`expect -c 'spawn su; expect "Password:"; send "{letters}\r"'`,
  ],
  "rclone": [
    "[remote]\ntype = sftp\nuser = me\npass = {alnum 22}",
    "pass = {letters}\n",
    "pass = {base64 24}\n",
  ],
  "a password into sudo": [
    "sudo -S apt update <<< {letters}",
    'sudo -S id <<< "{password}"',
    "passwd --stdin me <<< '{letters}'",
  ],
  "sqlplus": [
    "sqlplus scott/{letters}@//db.example:1521/ORCL",
    "sqlplus -s system/{password}@orcl",
    "impdp system/{password} directory=d",
  ],
  "macOS' keychain": [
    "security add-generic-password -a me -s svc -w {letters}",
    "security unlock-keychain -p {password} login.keychain",
  ],
  "variables of other shells": [
    "set -x DB_PASSWORD {letters}",
    "setenv DB_PASSWORD {password}",
    'setx DB_PASSWORD "{letters}"',
    '$env:DB_PASSWORD = "{letters}"',
    "set DB_PASSWORD={letters}",
  ],
  "package managers' logins": [
    "poetry config http-basic.internal me {letters}",
    "composer config http-basic.repo.example me {password}",
    "bundle config set gems.example me:{password}",
    "twine upload -u me -p {letters} dist/*",
    "dotnet nuget push a.nupkg -k {lower 46} -s https://n.example",
  ],
  "servers and switches": [
    "ipmitool -I lanplus -H h -U admin -P {letters} power status",
    "username admin privilege 15 secret 0 {letters}",
    "cqlsh h -u me -p {letters}",
    "evil-winrm -i h -u me -p '{password}'",
    "net user deploy {password} /add",
    "ncftpput -u me -p {password} h / a.txt",
    "rabbitmqctl add_user me {password}",
    "Unseal Key 1: {base64 44}",
  ],
  "Redis": ["requirepass {letters}", "masterauth {password}"],
  // Code.
  "a user and a password in a call": [
    'new NetworkCredential("me", "{letters}")',
    'new NetworkCredential("me", "{password}", "CORP")',
    "requests.get(url, auth=('me', '{letters}'))",
    'HTTPBasicAuth("me", "{password}")',
    'req.SetBasicAuth("me", "{letters}")',
    'Credentials.basic("me", "{letters}")',
    'client.username_pw_set("me", "{letters}")',
    'smtp.login("me@x.example", "{letters}")',
    'new UsernamePasswordCredentials("me", "{password}")',
    'new PasswordAuthentication("me", "{letters}".toCharArray())',
  ],
  "a database in a call": [
    'mysqli_connect("localhost", "me", "{letters}", "shop")',
    "new mysqli('localhost', 'me', '{password}', 'shop')",
    "new PDO('mysql:host=h;dbname=shop', 'me', '{letters}')",
    'DriverManager.getConnection(url, "me", "{letters}")',
    'pymysql.connect("h", "me", "{password}", "shop")',
    'psycopg2.connect("dbname=shop user=me password={letters}")',
  ],
  "a setter of options": [
    'df.write.option("password", "{letters}")',
    'System.setProperty("javax.net.ssl.keyStorePassword", "{letters}")',
    'conf.set("fs.s3a.secret.key", "{alnum 40}")',
    "localStorage.setItem('token', '{alnum 40}')",
    "putenv('DB_PASSWORD', '{letters}')",
  ],
  "a client's constructor": [
    'co = cohere.Client("{alnum 40}")',
    'const co = new CohereClient({ token: "{alnum 40}" })',
    "cohere.ClientV2(api_key='{alnum 40}')",
    "mistral = MistralClient('{alnum 32}')",
    'new DeepgramClient("{hex 40}")',
  ],
  // Tokens.
  "Bitbucket": [
    "ATBB{alnum 32}",
    "git clone https://x-token-auth:ATBB{alnum 32}@bitbucket.org/a/b",
  ],
  "LaunchDarkly": ["sdk-{uuid}", "LD_SDK: sdk-{uuid}", "mob-{uuid}", "api-{uuid}"],
  "Mapbox": ["sk.eyJ1{alnum 60}.{alnum 22}", "L.mapbox('sk.eyJ1{alnum 88}.{alnum 22}')"],
  "Dropbox": ["sl.{alnum 130}", "sl.u.{alnum 300}", "token sl.B{alnum 135}"],
  "Hugging Face, with digits": ["hf_{alnum 34}"],
  "Fastly": ["Fastly-Key: {alnum 32}", "curl -H 'Fastly-Key: {alnum 32}' https://api.fastly.com"],
  "webhooks": [
    "https://hooks.zapier.com/hooks/catch/{digits 8}/{lower 7}/",
    "https://n8n.example.com/webhook/{uuid}",
    "https://n8n.example.com/webhook-test/{uuid}",
    "https://hook.eu1.make.com/{lower 32}",
    "https://hook.integromat.com/{lower 32}",
    "https://maker.ifttt.com/trigger/door/with/key/{alnum 22}",
    "https://chat.example.com/hooks/{lower 26}",
    "https://hc-ping.com/{uuid}",
  ],
  "Sentry's DSN": ["https://{hex 32}@o12345.ingest.sentry.io/67890"],
  // Wallets.
  "an extended private key": [
    "xprv9s21ZrQH143K{base58 96}",
    "xprv9s21ZrQH143K{alnum 95}",
    "tprv8ZgxMBicQKsP{base58 96}",
  ],
  "a wallet's import format": ["5J{base58 49}", "L{base58 51}", "WIF: K{base58 51}"],
  "a wallet's private key": [
    "private key: 0x{hex 64}",
    "The deployer's private key is 0x{hex 64}",
    'new ethers.Wallet("0x{hex 64}")',
    "deployer key 0x{hex 64}",
    "privateKeyToAccount('0x{hex 64}')",
    "cast send --private-key 0x{hex 64} 0xabc",
    'accounts: ["0x{hex 64}"]',
    "PRIVATE_KEY=0x{hex 64}",
    "PK=0x{hex 64}",
  ],
  // English.
  "English, as the password": [
    "Try {password} as the password.",
    "try {password} as the passphrase",
    "Enter {password} as the admin password",
    "I used {password} as password.",
  ],
  "English, asked for": [
    "sudo asks for a password, type {password}",
    "When it asks for the password, enter {letters}.",
    "if it prompts for a password use {password}",
    "it wants a passphrase: give it {password}",
  ],
  "English, Wi-Fi": [
    "wifi is HomeNet / {password}",
    "The guest wifi is HomeNet / {letters}",
    "WiFi: HomeNet / {letters}",
    "wlan: HomeNet, {password}",
  ],
  "English, for something": [
    "password for the staging box: {letters}",
    "Password for the wifi in Berlin: {letters}",
    "pw for prod: {letters}",
    "the password of the printer: {password}",
  ],
  "English, codes": [
    "my 2FA code is {digits 6}",
    "2FA: {digits 6}",
    "My two-factor code is {digits 6}",
    "my 2FA code is {digits 3} {digits 3}",
    "the OTP is {digits 6}",
    "My one-time code: {digits 6}",
    "The SMS code is {digits 6}, quick",
    "verification code {digits 6}",
    "the door code is {digits 5}",
    "The alarm code: {digits 4}",
  ],
  "English, pairs": [
    "creds: me / {password}",
    "creds are me:{password}",
    "basic auth is me:{password}",
    "login: me / {password}",
    "The account is me@x.example / {password}",
    "ssh in with root:{password}",
    "user me pass {password}",
    "username: me\npass: {letters}",
  ],
  "English, arrows and dashes": [
    "Password - {password}",
    "pw: {letters}",
    "The pw is {letters}.",
    "here's the password: {letters}",
    "password (staging): {password}",
  ],
  // Spanish.
  "Spanish, la pass": [
    "la pass es {password}",
    "la pass de la BBDD es {letters}",
    "la pass: {letters}",
    "la pass de la BBDD: {password}",
    "mi pass es {letters}",
  ],
  "Spanish, used": [
    "usa {password} como contraseña",
    "prueba con {password} como contraseña",
    "te paso la contraseña: {letters}",
    "cuando pida la contraseña, pon {letters}",
    "la contra es {password}",
    "contraseña del servidor de pruebas: {letters}",
    "la clave wifi es {letters}",
    "acceso: maria / {password}",
  ],
  "Spanish, codes": [
    "el pin de la tarjeta es {digits 4}",
    "el código de verificación es {digits 6}",
    "mi código 2FA: {digits 6}",
    "el código de la puerta es {digits 5}",
  ],
  // German.
  "German, Zugang": [
    "Zugang: maria / {password}",
    "Zugang zum Server: maria / {password}",
    "Login ist maria / {password}",
    "Der Zugang lautet maria / {password}",
  ],
  "German, keys": [
    "WLAN-Schlüssel: {letters}",
    "Der WLAN-Schlüssel ist {letters}.",
    "WLAN-Passwort: {letters}",
    "Netzwerkschlüssel: {letters}",
    "WLAN ist HomeNet / {letters}",
  ],
  "German, said": [
    "Nimm {password} als Passwort",
    "Probier {password} als Passwort",
    "PW: {letters}",
    "das PW ist {password}",
    "Passwort für den Testserver: {letters}",
    "Wenn er nach dem Passwort fragt, gib {password} ein.",
    "Der Bestätigungscode ist {digits 6}",
    "mein 2FA-Code ist {digits 6}",
    "Das Passwort lautet: {letters}",
  ],
  // French.
  "French, said": [
    "le mdp c'est {letters}",
    "mdp du wifi : {letters}",
    "voici le mot de passe : {letters}",
    "mot de passe du serveur de test : {letters}",
    "essaie {password} comme mot de passe",
    "la clé wifi est {letters}",
    "clé wifi : {letters}",
    "quand il demande le mot de passe, tape {letters}",
    "le code de vérification est {digits 6}",
    "accès : marie / {password}",
  ],
  // Found by trying further ones.
  "secrets of sessions": [
    "JWT_SECRET='{letters}'",
    "HASURA_GRAPHQL_ADMIN_SECRET={letters}",
    "SESSION_SECRET={letters}",
    "jwt.sign(payload, '{alnum 20}')",
    'jwt.verify(token, "{letters}")',
    "bcrypt.hash('{letters}', 10)",
    "deploy_key: {alnum 32}",
    "license_key={alnum 32}",
  ],
  "declarations in C and C#": [
    '#define WIFI_PASS "{letters}"',
    'char pass[] = "{letters}";',
    'public string Password { get; set; } = "{letters}";',
  ],
  "a field that is filled in": [
    "cy.get('#password').type('{letters}')",
    "driver.find_element(By.ID, 'password').send_keys('{letters}')",
    'page.locator("#password").fill("{letters}")',
  ],
  "further here-strings and pipes": [
    "kinit me <<< {letters}",
    "read -s PW <<< {letters}",
    "vercel env add DB_PASSWORD production <<< {letters}",
    String.raw`printf '{letters}\n' | passwd --stdin me`,
  ],
  "further commands": [
    "bw unlock {password}",
    "bw login me@x.example {password}",
    "vncviewer -passwd {letters} h",
    "rclone obscure {password}",
    "snmpwalk -v2c -c {password} h",
    "mysqladmin -u root password {letters}",
    "certutil -p {letters} -importpfx a.pfx",
    "doctl auth init -t {alnum 64}",
    "influx auth create -t {alnum 86}",
    "SET PASSWORD FOR 'me'@'h' = PASSWORD('{letters}');",
    "user me insecure-password {letters}",
    "rootpw {password}",
  ],
  "a Wi-Fi's QR code": ["WIFI:S:Net;T:WPA;P:{letters};;", "WIFI:T:WPA;S:Net;P:{password};;"],
  "BitLocker's recovery key": [
    "{digits 6}-{digits 6}-{digits 6}-{digits 6}-{digits 6}-{digits 6}-{digits 6}-{digits 6}",
  ],
  "English, further": [
    "the password? {password}",
    "admin:{password} works for grafana",
    "use admin:{password} for basic auth",
    "u: me p: {password}",
    "the key is {alnum 32}",
    "my code is {digits 6}",
    "{digits 6} is your verification code",
    "G-{digits 6} is your Google verification code",
    "safe code {digits 6}",
    "unlock code: {digits 8}",
    "passcode {digits 6}",
    "the wifi code is {letters}",
  ],
  "Spanish, French and German, further": [
    "la contraseña nueva es {letters}",
    "contraseña temporal: {letters}",
    "la contraseña sigue siendo {password}",
    "la contraseña antes era {letters}.",
    "el código es {digits 6}",
    "mdp root: {letters}",
    "mot de passe provisoire : {letters}",
    "le code est {digits 6}",
    "WLAN-Code: {password}",
    "der Code ist {digits 6}",
    "Entsperrcode {digits 6}",
    "der Schlüssel lautet {alnum 32}",
  ],
  "a column of a table in Markdown": [
    "| user | password |\n|---|---|\n| db1 | {password} |",
    "| host | user | pass |\n|:--|:--|--:|\n| db1 | ops | {password} |\n| db2 | ops | {password} |",
    "| Benutzer | Passwort |\n|---|---|\n| ops | {letters} |\n| bob | {letters} |",
    "| usuario | contraseña |\n|---|---|\n| ops | `{password}` |",
    "| marie | mot de passe |\n|---|---|\n| ops | {password} |",
    "| логин | пароль |\n|---|---|\n| ops | {password} |",
    "| 用户 | 密码 |\n|---|---|\n| ops | {password} |",
    "| **User** | **Password** (staging) |\n|---|---|\n| ops | **{password}** |",
    "name | token\n--- | ---\nci | {alnum 32}",
    "| user | old password | new password |\n|---|---|---|\n| ops | {password} | {password} |",
    "| account | PIN |\n|---|---|\n| bob | {digits 4} |\n| al | {digits 4} |",
    "| | prod | staging |\n|---|---|---|\n| password | {password} | {password} |",
    "<tr><th>user</th><th>password</th></tr>\n<tr><td>ops</td><td>{password}</td></tr>",
  ],
  "a column of a table in CSV, TSV and what programs print": [
    "user,password\nops,{password}\nbob,{letters}",
    'name,url,username,password,note\nGitHub,https://x.example,me,{password},"a, b"\nX,,me,{password},',
    '"user";"kennwort"\n"ops";"{password}"',
    "user\tclave\nops\t{password}",
    "id,client_secret,owner\n1,{alnum 40},me",
    "service\tapi token\nmaps\t{alnum 32}",
    "NAME      SECRET                            AGE\nci        {alnum 32}  3d",
    " user | password\n------+----------\n ops  | {password}\n(1 row)",
    "+------+----------+\n| user | passwd   |\n+------+----------+\n| ops  | {password} |\n+------+----------+",
    "printf 'user,password\\nops,{password}\\n' > users.csv",
  ],
  "codes for a lost second factor": [
    "recovery codes:\n{code}\n{code}\n{code}",
    "my backup codes: {digits 8}, {digits 8}, {digits 8}",
    "## Recovery codes\n\n- {code}\n- {code}",
    "Backup codes (GitLab):\n1. {lower 16}\n2. {lower 16}",
    '"recovery_codes": ["{code}", "{code}"]',
    "códigos de recuperación:\n{code}\n{code}",
    "mis códigos de respaldo son {digits 8}, {digits 8}",
    "Wiederherstellungscodes: {code} {code} {code}",
    "Die Backup-Codes sind {digits 8}, {digits 8} und {digits 8}",
    "codes de secours :\n{code}\n{code}",
    "códigos de reserva: {digits 8} / {digits 8}",
    "codici di recupero:\n* {code}\n* {code}",
    "herstelcodes: {code}, {code}",
    "резервные коды:\n{digits 8}\n{digits 8}",
  ],
  "an authenticator's key": [
    "MFA seed: {base32 32}",
    "The TOTP seed for the root account is {base32 16}",
    "TOTP_SECRET={base32 16}",
    "Authenticator key: {base32 32}",
    "2FA setup key: {groups 8}",
    "clave de configuración: {base32 32}",
    "Einrichtungsschlüssel: {groups 8}",
    "can't scan it? use {groups 8}",
    "oathtool --totp -b {base32 16}",
    "oathtool -b --totp=sha1 '{base32 32}'",
    "ykman oath accounts add github {base32 32}",
  ],
  "a random value of a variable": [
    "STRIPE_KEY={alnum 32}",
    "export WEBHOOK_KEY='{alnum 32}'",
    "JWT_KEY: {hex 64}",
    "ENV ROUTING_KEY {alnum 32}",
    "SUPABASE_SERVICE_ROLE_KEY={alnum 40}",
    "SENTRY_AUTH={hex 64}",
    "SSHPASS={letters}",
    "PGPASS={password}",
    "export FTPPASS={password}",
    "-e ROOTPASS={alnum 20} image",
    "UNLOCK_PIN={alnum 32}",
    "ASANA_PAT=0/{hex 32}",
    "token 1/{digits 16}:{hex 32}",
    "VAULT_UNSEAL={alnum 40}",
    'const stripeKey = "{alnum 32}"',
    '{"appKeyAuth":"{hex 40}"}',
    "the mailgun key: {hex 32}",
    "our Stripe key is {alnum 32}",
  ],
  "the second of two passwords": [
    "we changed the password from {password} to {password}",
    "password was {password}, now {password}",
    "the old password {password} no longer works, {password} does",
    "DB password: {password} -> {password}",
    "use {password} instead of the old password {password}",
    "we rotated the API token from {alnum 32} to {alnum 32}",
    "hemos cambiado la clave de {password} a {password}",
    "la contraseña era {password}, ahora es {password}",
    "wir haben das Passwort von {password} auf {password} geändert",
    "statt dem Passwort {password} nimm {password}",
    "on a changé le mot de passe de {password} en {password}",
    "mudamos a senha de {password} para {password}",
    "ho cambiato la password da {password} a {password}",
    "het wachtwoord is gewijzigd van {password} naar {password}",
    "lösenordet ändrades från {password} till {password}",
    "zmieniłem hasło z {password} na {password}",
    "пароль изменён с {password} на {password}",
    "密码从 {password} 改成 {password}",
    "パスワードを {password} から {password} に変更しました",
  ],
  "a login without the word": [
    "use {alnum 14} to log in as admin",
    "ssh in with {alnum 14} as root",
    "admin/{alnum 14} works on staging",
    "log in to the box with {alnum 14}",
    "entra con {alnum 14} como root",
    "nimm {alnum 14} zum Einloggen",
  ],
  "links that sign in": [
    "https://app.example/magic-login/{alnum 22}?email=a@b.example",
    "https://app.example/auth/magic/{alnum 32}",
    "https://app.example/users/accept-invitation/{alnum 24}",
    "https://app.example/reset_password/{alnum 24}/",
    "https://app.example/magic?t={alnum 24}",
    "https://app.example/signin?ticket={alnum 24}",
  ],
  "further calls, files and commands": [
    "<password>{{base64 44}}</password>",
    "snowsql -a x -u me -p {password}",
    "cypher-shell -u neo4j -p {letters}",
    "algoliasearch('APPID12345', '{hex 32}')",
    "new Algolia('APP', '{alnum 32}')",
    "SearchClient.create('APP', '{hex 32}')",
    'random_password.db.result = "{alnum 40}"',
    'resource "random_password" "db" {\n  result = "{alnum 20}"',
    "echo '{alnum 20}' > .vault_pass",
    "printf %s {alnum 20} | tee secrets/token",
    "my SSN is {ssn}",
    "social security number: {ssn}",
  ],
};

/** A text with secrets in it. */
export interface Everyday {
  readonly what: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

/** Every form of every kind, with secrets that follow from a number. */
export function everyday(seed: number): Everyday[] {
  let state = seed * 2654435761 + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
  const draw: Draw = (count, alphabet) =>
    Array.from({ length: count }, () => alphabet[next(alphabet.length)]).join("");
  return Object.entries(KINDS).flatMap(([what, forms]) =>
    forms.map((form) => {
      const secrets: string[] = [];
      const text = form.replace(/\{([a-z]+\d*)(?: (\d+))?\}/g, (_, name, count) => {
        secrets.push(MADE_OF[name]!(draw, Number(count)));
        return secrets.at(-1)!;
      });
      return { what: `${what}: ${form}`, text, secrets };
    })
  );
}
