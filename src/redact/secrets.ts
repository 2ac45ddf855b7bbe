/** A kind of secret that the maintained rule set does not know, and how to tell one. */
export interface SecretPattern {
  readonly kind: string;
  /** The secret is its group `secret`, else all of it. Lengths are bounded: hostile text must not take long. */
  readonly pattern: RegExp;
  /** Where the form is laid down, or which rule of gitleaks looks for it too. */
  readonly source: string;
}

/** What is looked for besides `@secretlint/secretlint-rule-preset-recommend`, from the particular to the general. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    kind: "private-key",
    pattern:
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[^]){0,8192}-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\s|\\[nr]){0,8}[A-Za-z0-9+/=]{16,8192}){0,200})/g,
    source: "RFC 7468",
  },
  {
    kind: "jwt",
    pattern: /\beyJ[\w-]{10,1000}\.eyJ[\w-]{10,8000}\.[\w-]{10,2000}/g,
    source: "RFC 7519",
  },
  {
    kind: "anthropic",
    pattern: /\bsk-ant-[\w-]{20,200}/g,
    source: "gitleaks anthropic-api-key",
  },
  {
    kind: "openai",
    pattern: /\bsk-(?=[\w-]{0,200}\d)[\w-]{32,200}/g,
    source: "gitleaks openai-api-key; OpenRouter and others took the form over",
  },
  { kind: "google", pattern: /\bAIza[\w-]{35}/g, source: "gitleaks gcp-api-key" },
  {
    kind: "google",
    pattern: /\b(?:GOCSPX-[\w-]{20,40}|ya29\.[\w-]{20,500})/g,
    source: "Google OAuth 2.0 client secrets and access tokens",
  },
  {
    kind: "stripe",
    pattern: /\b(?:(?:sk|rk)_test_[A-Za-z0-9]{16,200}|whsec_[A-Za-z0-9+/=]{24,100})/g,
    source: "gitleaks stripe-access-token",
  },
  { kind: "pypi", pattern: /\bpypi-AgE[\w-]{50,500}/g, source: "gitleaks pypi-upload-token" },
  {
    kind: "digitalocean",
    pattern: /\bdo[opr]_v1_[a-f0-9]{64}/g,
    source: "gitleaks digitalocean-pat",
  },
  {
    kind: "atlassian",
    pattern: /\bATATT3[\w=-]{50,300}/g,
    source: "gitleaks atlassian-api-token",
  },
  { kind: "xai", pattern: /\bxai-[A-Za-z0-9]{60,120}/g, source: "xAI API keys" },
  {
    kind: "perplexity",
    pattern: /\bpplx-[A-Za-z0-9]{40,80}/g,
    source: "gitleaks perplexity-api-key",
  },
  { kind: "new-relic", pattern: /\bNRAK-[A-Z0-9]{27}/g, source: "gitleaks new-relic-user-api-key" },
  {
    kind: "square",
    pattern: /\bsq0(?:atp|csp)-[\w-]{22,60}/g,
    source: "gitleaks square-access-token",
  },
  { kind: "twilio", pattern: /\bSK[0-9a-f]{32}\b/g, source: "gitleaks twilio-api-key" },
  {
    kind: "mailgun",
    pattern: /\bkey-[0-9a-f]{32}\b/g,
    source: "gitleaks mailgun-private-api-token",
  },
  {
    kind: "telegram",
    pattern: /\b\d{8,10}:AA[\w-]{33}/g,
    source: "gitleaks telegram-bot-api-token",
  },
  {
    kind: "discord",
    pattern: /\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}/g,
    source: "Discord bot tokens",
  },
  {
    kind: "doppler",
    pattern: /\bdp\.(?:pt|st|ct|sa)\.[\w.]{40,60}/g,
    source: "gitleaks doppler-api-token",
  },
  { kind: "age", pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{58}/g, source: "gitleaks age-secret-key" },
  {
    kind: "azure",
    pattern: /\b(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{40,100}={0,2})/g,
    source: "Azure connection strings",
  },
  {
    kind: "url-password",
    pattern: /:\/\/[^\s:@/[\]]{0,100}:(?<secret>[^\s@/[\]]{1,200})@/g,
    source: "RFC 3986 §3.2.1",
  },
  {
    kind: "authorization",
    pattern:
      /\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4}(?<secret>[\w.~+/=-]{8,4000})/gi,
    source: "RFC 6750, RFC 7617",
  },
  {
    kind: "authorization",
    pattern: /\bbearer\s{1,4}(?=[\w.~+/=-]{0,200}\d)(?<secret>[\w.~+/=-]{20,4000})/gi,
    source: "RFC 6750",
  },
  {
    kind: "assigned",
    // A value with a letter and a digit in it: `token: string` and `max_tokens = 10000000` are none.
    pattern:
      /(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)s?["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["']?(?!process\.|os\.|env\.)(?=[^\s"']{0,200}[A-Za-z])(?=[^\s"']{0,200}\d)(?<secret>[^\s"'`,;()[\]{}<>$]{8,500})/gi,
    source: "gitleaks generic-api-key",
  },
];
