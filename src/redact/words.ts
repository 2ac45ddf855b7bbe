// The words that announce a secret, by language. To add a language, add a line.

/** A language's words for secrets. */
interface SecretWords {
  readonly language: string;
  /** Words for a password: any value they announce is secret. */
  readonly passwords: string;
  /** Words for a code of digits. */
  readonly codes?: string;
  /** Words for a key or token, which have other meanings too: the value must look like one. */
  readonly keys: string;
  /** Words between the word and its value: "is". */
  readonly is: string;
}

/** Separated by commas; matched regardless of case and accents; a blank can be a sign or nothing: `api_key`. */
const LANGUAGES: readonly SecretWords[] = [
  {
    language: "English",
    passwords:
      "password, passwd, pass phrase, passcode, passkey, pwd, pass, psw, pword, pw, psk, login code, master key, recovery key, recovery code, backup code, wifi key, wi-fi key, wlan key, network key, wifi code, jwt secret, session secret, admin secret",
    codes:
      "pin, pin code, otp, otp code, 2fa, 2fa code, mfa code, totp code, two-factor code, one-time code, sms code, verification code, security code, door code, gate code, alarm code, safe code, unlock code",
    keys:
      "secret, token, api key, access key, private key, secret key, encryption key, signing key, shared key, account key, auth key, subscription key, app key, app keys, admin key, write key, server key, service key, hmac key, cookie key, unseal key, security_key, validation key, fastly key, deploy key, license key, credential, credentials, _auth, salt, pepper",
    is: "is, was, are, to, be, equals, it's, it’s, it is, s",
  },
  {
    language: "Spanish",
    passwords:
      "contraseña, contrasenya, frase de paso, frase de contraseña, clave, clave de acceso, palabra clave, código de acceso, clave wifi",
    codes:
      "código de verificación, código 2fa, código sms, código de la puerta, código del portal, código de la alarma",
    keys:
      "secreto, clave privada, clave secreta, clave de api, clave api, credencial, credenciales",
    is: "es, era, será, sería, sea, son, sigue siendo",
  },
  {
    language: "Portuguese",
    passwords: "senha, palavra-passe, palavra passe, código de acesso",
    keys: "segredo, chave, chave de api, chave privada, credenciais",
    is: "é, e, era, será, seria, são",
  },
  {
    language: "French",
    passwords:
      "mot de passe, mots de passe, mdp, phrase de passe, phrase secrète, code d'accès, code secret, code confidentiel, clé wifi, clé du wifi",
    codes: "code de vérification, code sms, code de la porte, digicode",
    keys: "jeton, clé, clé api, clé privée, identifiants",
    is: "est, était, sera, serait, sont, c'est, c’est",
  },
  {
    language: "German",
    passwords:
      "passwort, kennwort, passphrase, losung, zugangscode, geheimzahl, wlan-schlüssel, wifi-schlüssel, wlan-code, netzwerkschlüssel",
    codes: "bestätigungscode, verifizierungscode, türcode, entsperrcode, superpin",
    keys: "schlüssel, geheimnis, zugangsdaten, zugangsschlüssel",
    is: "ist, war, wäre, lautet, heißt, heisst, wird",
  },
  {
    language: "Italian",
    passwords: "parola d'ordine, parola chiave, codice di accesso",
    keys: "segreto, chiave, chiave api, chiave privata, credenziali",
    is: "è, era, sarà",
  },
  {
    language: "Dutch",
    passwords: "wachtwoord, toegangscode",
    keys: "sleutel, geheim",
    is: "is, was, luidt",
  },
  {
    language: "Nordic languages",
    passwords: "lösenord, adgangskode, kodeord, passord, salasana, lykilorð",
    keys: "nyckel, nøgle, nøkkel, avain",
    is: "är, er, var, on",
  },
  {
    language: "Polish and Czech",
    passwords: "hasło, heslo",
    keys: "klucz, klíč",
    is: "to, jest, brzmi, je",
  },
  {
    language: "Hungarian, Romanian and Turkish",
    passwords: "jelszó, parolă, parola, şifre, şifresi, parolası",
    keys: "kulcs, cheie, anahtar",
    is: "este, az",
  },
  { language: "Indonesian", passwords: "kata sandi, sandi", keys: "kunci", is: "adalah, ialah" },
  { language: "Vietnamese", passwords: "mật khẩu", keys: "khóa", is: "là" },
  {
    language: "Russian and Ukrainian",
    passwords: "пароль, пароля, паролем, кодовое слово, пін-код, пин-код",
    keys: "ключ, токен, секрет",
    is: "это, це, будет, был, —, –",
  },
  { language: "Greek", passwords: "κωδικός πρόσβασης, κωδικός", keys: "κλειδί", is: "είναι" },
  {
    language: "Chinese",
    passwords: "密码, 密碼, 口令, 通行码, 登录码",
    keys: "密钥, 密鑰, 金鑰, 令牌, 秘钥, 凭证",
    is: "是, 为, 為, 改成, 设为, 設為, 就是",
  },
  {
    language: "Japanese",
    passwords: "パスワード, パスフレーズ, 暗証番号, 合言葉, 合い言葉",
    keys: "トークン, 秘密鍵, apiキー, シークレット",
    is: "は, が, を",
  },
  {
    language: "Korean",
    passwords: "비밀번호, 비번, 암호, 패스워드",
    keys: "토큰, 비밀키, 시크릿",
    is: "는, 은, 가, 이, 를",
  },
  {
    language: "Arabic",
    passwords: "كلمة المرور, كلمة السر, الرقم السري",
    keys: "مفتاح",
    is: "هي, هو",
  },
  { language: "Hebrew", passwords: "סיסמה, סיסמא, הסיסמה", keys: "מפתח", is: "היא, הוא" },
  { language: "Hindi", passwords: "पासवर्ड, कूटशब्द", keys: "टोकन", is: "है, :" },
  { language: "Thai", passwords: "รหัสผ่าน", keys: "โทเคน", is: "คือ" },
];

/** Scripts without blanks between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/** Whether a word stands in a text without blanks around it. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** A word that announces a secret. */
export interface SecretWord {
  /** In lower case. */
  readonly word: string;
  readonly isPassword: boolean;
  /** Whether it means a password of digits alone. */
  readonly isCode: boolean;
  /** Whether it is in a script without blanks: the value can follow immediately. */
  readonly isUnspaced: boolean;
}

/** Every word that announces a secret, with and without accents; longer ones first. */
export const SECRET_WORDS: readonly SecretWord[] = LANGUAGES.flatMap((
  { passwords, codes, keys },
) => [
  ...spellings(passwords).map((word) => ({ word, isPassword: true, isCode: false })),
  ...spellings(codes ?? "").map((word) => ({ word, isPassword: true, isCode: true })),
  ...spellings(keys).map((word) => ({ word, isPassword: false, isCode: false })),
]).map((each) => ({ ...each, isUnspaced: isUnspaced(each.word) }))
  .filter(({ word }, i, all) => all.findIndex((other) => other.word === word) === i)
  .toSorted((a, b) => b.word.length - a.word.length);

/** The words for "is" between a word and its value. */
export const IS: readonly string[] = [
  ...new Set(LANGUAGES.flatMap(({ is }) => spellings(is)).filter((word) => word !== "a")),
]
  .toSorted((a, b) => b.length - a.length);

/** Whether a word announces a secret. */
export function isSecretWord(word: string): boolean {
  return WORDS.has(word.toLowerCase());
}

const WORDS: ReadonlySet<string> = new Set(SECRET_WORDS.map(({ word }) => word));

/**
 * Words said of passwords in code and prose that are not passwords: types, states and properties. English ends most of
 * these with -ed and -ing, Romance languages with -ado, -ée and -ible; those need no entry.
 */
const ORDINARY: ReadonlySet<string> = new Set(
  `string str text number int integer bool boolean bytes char varchar buffer any unknown object array null none nil undefined
void never true false yes no on off auto default required optional mandatory empty missing wrong invalid incorrect correct
valid weak strong weaker stronger secure insecure safe unsafe secret private public visible hidden plain plaintext cleartext
readonly sensitive case-sensitive different same new old current previous available unavailable present absent longer shorter
long short ok okay fine known unknown unset set reset sent kept shown hash hashes salt bcrypt argon2 scrypt pbkdf2 sha256 md5
base64 plain-text env environment vault keychain keyring stdin prompt interactive manager field input form box label value
values placeholder example examples sample demo dummy test changeme change-me here below above there then now later always
only also still already again too very just not never often usually something someone nothing anything everything mine yours
ours theirs his hers its user users username admin login email name id me you them us it this that these those which what
obligatoria obligatorio incorrecta incorrecto correcta correcto inválida válida vacía nueva nuevo vieja secreta segura débil
fuerte larga corta obrigatória obrigatório incorreta correta vazia nova fraca forte obligatoire incorrect vide nouveau faible
fort falsch richtig leer neu alt erforderlich schwach stark sicher unsicher lang kurz notwendig gültig ungültig sbagliata
corretta vuota nuova debole obbligatoria неверный верный пустой новый важен нужен abc foo bar baz qux password passwort`
    .split(/\s+/),
);

/** What makes a compound with a word for a password before it, as regular expressions. */
export const COMPOUNDS: readonly string[] =
  `managers? resets? polic(?:y|ies) fields? prompts? hash(?:es|ing|er)? strength generators? inputs? files? stores? rotation
checks? checker validation based protected protection length auth authentication login boxe?s? forms? rules? changes? recovery
pages? screens? dialogs? errors? handling requirements? type name url id limit budget count usage encryption expiry expiration
less grant flow endpoint provider authority ring board value`.split(/\s+/);

/** Whether a word is ordinary in talk about passwords, and so not the password. */
export function isOrdinary(word: string): boolean {
  const folded = word.toLowerCase();
  return ORDINARY.has(folded) || isSecretWord(folded) ||
    /(?:[^e]ed|ing|able|ible|ada|ado|adas|ados|ida|ido|idas|idos|ée|és|ées|iert|ato|ata|uto|uta)$/u
      .test(folded);
}

/** The spellings of a comma-separated list of words: composed, decomposed, without accents, and with signs for blanks. */
function spellings(list: string): string[] {
  const all = list.split(",").map((word) => word.trim().toLowerCase()).filter((word) => word !== "")
    .flatMap((word) => [
      word,
      word.normalize("NFD"),
      word.normalize("NFD").replace(/[\u0300-\u036f]/gu, "").normalize("NFC"),
    ]).flatMap((word) => [" ", "_", "-", ".", ""].map((sign) => word.replaceAll(" ", sign)));
  return [...new Set(all)];
}
