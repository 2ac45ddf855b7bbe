// Secrets recognized by their form: token prefixes of providers, armoured keys, credentials in URLs.

import { MultiSearch } from "./multi_search.ts";
import { type Span, spansOf } from "./spans.ts";

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
const TOKENS: readonly (readonly [kind: string, starts: string, rest: string, source: string])[] = [
  ["1password", "ops_eyJ", "[A-Za-z0-9+/=_-]{40,2000}", "gitleaks 1password-service-account-token"],
  [
    "1password",
    "A3-",
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    "gitleaks 1password-secret-key",
  ],
  ["adobe", "p8e-", "[a-z0-9]{32}", "gitleaks adobe-client-secret"],
  ["age", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}", "gitleaks age-secret-key"],
  ["airtable", "pat", "[A-Za-z0-9]{14}\\.[a-f0-9]{64}", "Airtable personal access tokens"],
  ["alibaba", "LTAI", "[A-Za-z0-9]{16,24}", "gitleaks alibaba-access-key-id"],
  ["anthropic", "sk-ant-", "[\\w-]{20,200}", "gitleaks anthropic-api-key"],
  ["artifactory", "AKCp cmVmd", "[A-Za-z0-9]{55,75}", "gitleaks artifactory-api-key"],
  ["atlassian", "ATATT3 ATCTT3 ATBB", "[\\w=-]{32,300}", "gitleaks atlassian-api-token"],
  ["aws", "AKIA ASIA ABIA ACCA", "[A-Z0-9]{16}", "gitleaks aws-access-token"],
  ["aws", "ABSK", "[A-Za-z0-9+/]{100,270}={0,2}", "gitleaks aws-amazon-bedrock-api-key"],
  ["buildkite", "bkua_", "[a-z0-9]{40}", "Buildkite API tokens"],
  ["cerebras", "csk-", "[a-z0-9]{40,60}", "Cerebras API keys"],
  ["circleci", "CCIPAT_ CCIPRJ_", "[A-Za-z0-9_]{40,100}", "CircleCI API tokens"],
  ["clickhouse", "4b1d", "[A-Za-z0-9]{38}", "gitleaks clickhouse-cloud-api-secret-key"],
  ["clojars", "CLOJARS_", "[a-z0-9]{60}", "gitleaks clojars-api-token"],
  ["cloudflare", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{146}", "gitleaks cloudflare-origin-ca-key"],
  ["cloudflare", "cfut_ cfat_ cfk_", "[A-Za-z0-9_-]{35,80}", "Cloudflare API tokens"],
  ["contentful", "CFPAT-", "[\\w-]{40,60}", "Contentful personal access tokens"],
  ["crates-io", "cio", "[A-Za-z0-9]{32}", "crates.io API tokens"],
  ["databricks", "dapi", "[a-f0-9]{32}(?:-\\d)?", "gitleaks databricks-api-token"],
  ["deno", "ddp_ ddo_", "[A-Za-z0-9]{36,40}", "Deno Deploy access tokens"],
  ["digitalocean", "dop_v1_ doo_v1_ dor_v1_", "[a-f0-9]{64}", "gitleaks digitalocean-pat"],
  ["docker", "dckr_pat_ dckr_oat_", "[\\w-]{20,60}", "Docker access tokens"],
  ["doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "[\\w.]{40,60}", "gitleaks"],
  ["dropbox", "sl.", "(?:u\\.)?[\\w=-]{100,2000}", "gitleaks dropbox-short-lived-api-token"],
  ["duffel", "duffel_test_ duffel_live_", "[\\w=-]{43}", "gitleaks duffel-api-token"],
  ["dynatrace", "dt0c01. dt0s01.", "[A-Z0-9]{24}\\.[A-Z0-9]{64}", "gitleaks dynatrace-api-token"],
  ["easypost", "EZAK EZTK", "[A-Za-z0-9]{54}", "gitleaks easypost-api-token"],
  ["elastic", "essu_", "[A-Za-z0-9+/=_-]{40,200}", "Elastic Cloud API keys"],
  ["facebook", "EAA", "[A-Za-z0-9]{80,400}", "Meta access tokens"],
  ["figma", "figd_ figu_ figor_", "[\\w-]{30,60}", "Figma personal access tokens"],
  ["firecrawl", "fc-", "[a-f0-9]{32}", "Firecrawl API keys"],
  ["flutterwave", "FLWSECK_TEST- FLWSECK-", "[a-z0-9]{12,40}(?:-X)?", "gitleaks flutterwave"],
  ["fly", "fo1_", "[\\w-]{43}", "gitleaks flyio-access-token"],
  ["fly", "fm1r_ fm1a_ fm2_", "[A-Za-z0-9+/]{100,2000}={0,3}", "gitleaks flyio-access-token"],
  ["frameio", "fio-u-", "[\\w=-]{64}", "gitleaks frameio-api-token"],
  ["github", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9_]{36,255}", "gitleaks github-pat"],
  ["github", "github_pat_", "[A-Za-z0-9_]{60,255}", "gitleaks github-fine-grained-pat"],
  [
    "gitlab",
    "glpat- glptt- gldt- glft- glsoat- glrt- glcbt- glimt- glagent- gloas- glffct-",
    "[\\w.-]{20,300}",
    "gitleaks gitlab-pat",
  ],
  ["google", "AIza", "[\\w-]{35}", "gitleaks gcp-api-key"],
  ["google", "AQ.Ab8", "[\\w-]{30,100}", "Gemini API keys since 2025"],
  ["google", "GOCSPX-", "[\\w-]{20,40}", "Google OAuth 2.0 client secrets"],
  ["google", "ya29.", "[\\w-]{20,500}", "Google OAuth 2.0 access tokens"],
  ["google", "1//0", "[\\w-]{30,200}", "Google OAuth 2.0 refresh tokens"],
  ["grafana", "glc_ glsa_", "[A-Za-z0-9+/_=]{32,400}", "gitleaks grafana-cloud-api-token"],
  ["groq", "gsk_", "[A-Za-z0-9]{40,60}", "Groq API keys"],
  ["harness", "pat.", "[\\w-]{22}\\.[a-f0-9]{24}\\.[A-Za-z0-9]{20}", "gitleaks harness-api-key"],
  ["heroku", "HRKU-", "[\\w-]{36,80}", "gitleaks heroku-api-key-v2"],
  ["hubspot", "pat-na1- pat-eu1-", "[a-f0-9-]{36}", "HubSpot private app tokens"],
  ["huggingface", "hf_ api_org_", "[A-Za-z0-9]{34}", "gitleaks huggingface-access-token"],
  ["infracost", "ico-", "[A-Za-z0-9]{32}", "gitleaks infracost-api-token"],
  ["jina", "jina_", "[\\w-]{40,80}", "Jina API keys"],
  ["langsmith", "lsv2_pt_ lsv2_sk_", "[a-f0-9]{32}_[a-f0-9]{10}", "LangSmith API keys"],
  ["laravel", "base64:", "[A-Za-z0-9+/]{43}=", "Laravel's application keys"],
  ["launchdarkly", "sdk- mob- api-", "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}", "LaunchDarkly"],
  ["linear", "lin_api_ lin_oauth_", "[A-Za-z0-9]{40,64}", "gitleaks linear-api-key"],
  ["mailgun", "key-", "[0-9a-f]{32}", "gitleaks mailgun-private-api-token"],
  ["mailgun", "pubkey-", "[0-9a-f]{32}", "gitleaks mailgun-pub-key"],
  ["mapbox", "sk.eyJ tk.eyJ", "[\\w-]{30,200}\\.[\\w-]{15,50}", "Mapbox secret tokens"],
  ["netlify", "nfp_ nfc_ nfo_", "[A-Za-z0-9_]{36,60}", "Netlify access tokens"],
  ["neon", "napi_", "[a-z0-9]{40,80}", "Neon API keys"],
  ["new-relic", "NRAK- NRII- NRJS- NRRA-", "[A-Za-z0-9-]{19,42}", "gitleaks"],
  ["notion", "ntn_", "[A-Za-z0-9]{40,60}", "gitleaks notion-api-token"],
  ["notion", "secret_", "[A-Za-z0-9]{43}", "Notion integration tokens before 2024"],
  ["npm", "npm_", "[A-Za-z0-9]{36}", "gitleaks npm-access-token"],
  ["nvidia", "nvapi-", "[\\w-]{60,80}", "NVIDIA API keys"],
  ["octopus", "API-", "[A-Z0-9]{26,40}", "gitleaks octopus-deploy-api-key"],
  ["openai", "sk-", "(?=[\\w-]{0,200}\\d)[\\w-]{32,200}", "gitleaks openai-api-key"],
  ["openshift", "sha256~", "[\\w-]{43}", "gitleaks openshift-user-token"],
  ["perplexity", "pplx-", "[A-Za-z0-9]{40,80}", "gitleaks perplexity-api-key"],
  ["pinecone", "pcsk_", "[A-Za-z0-9_]{50,100}", "Pinecone API keys"],
  ["plaid", "access-sandbox- access-development- access-production-", "[a-f0-9-]{36}", "gitleaks"],
  ["planetscale", "pscale_tkn_ pscale_oauth_ pscale_pw_", "[\\w=.-]{32,64}", "gitleaks"],
  ["posthog", "phx_ phs_", "[A-Za-z0-9]{40,60}", "PostHog personal API keys"],
  ["postman", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}", "gitleaks postman-api-token"],
  ["prefect", "pnu_ pnb_", "[A-Za-z0-9]{36}", "gitleaks prefect-api-token"],
  ["pulumi", "pul-", "[a-f0-9]{40}", "gitleaks pulumi-api-token"],
  ["pypi", "pypi-AgE", "[\\w-]{50,500}", "gitleaks pypi-upload-token"],
  ["rails", "sk_base_", "[a-f0-9]{64,128}", "Rails secret key bases"],
  ["readme", "rdme_", "[a-z0-9]{70}", "gitleaks readme-api-token"],
  ["render", "rnd_", "[A-Za-z0-9]{28,40}", "Render API keys"],
  ["replicate", "r8_", "[A-Za-z0-9]{30,45}", "Replicate API tokens"],
  ["resend", "re_", "(?=\\w{0,40}\\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", "Resend API keys"],
  ["rubygems", "rubygems_", "[a-f0-9]{48}", "gitleaks rubygems-api-token"],
  ["scalingo", "tk-us-", "[\\w-]{48}", "gitleaks scalingo-api-token"],
  ["sendgrid", "SG.", "[\\w-]{16,32}\\.[\\w-]{16,64}", "gitleaks sendgrid-api-token"],
  ["sendinblue", "xkeysib- xsmtpsib-", "[a-f0-9]{64}-[A-Za-z0-9]{16}", "gitleaks"],
  ["sentry", "sntrys_eyJ", "[A-Za-z0-9+/=_]{40,500}", "gitleaks sentry-org-token"],
  ["sentry", "sntryu_", "[a-f0-9]{64}", "gitleaks sentry-user-token"],
  ["settlemint", "sm_aat_ sm_pat_ sm_sat_", "[A-Za-z0-9]{16}", "gitleaks settlemint"],
  ["shippo", "shippo_live_ shippo_test_", "[a-fA-F0-9]{40}", "gitleaks shippo-api-token"],
  ["shopify", "shpat_ shpca_ shppa_ shpss_", "[a-fA-F0-9]{32}", "gitleaks shopify-access-token"],
  ["slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe-", "[\\w-]{10,250}", "gitleaks"],
  ["slack", "xapp-", "\\d-[A-Z0-9]+-\\d+-[a-z0-9]{30,100}", "gitleaks slack-app-token"],
  ["sonar", "sqp_ squ_ sqa_", "[a-f0-9]{40}", "gitleaks sonar-api-token"],
  ["sourcegraph", "sgp_", "[a-fA-F0-9_]{40,70}", "gitleaks sourcegraph-access-token"],
  ["square", "sq0atp- sq0csp- EAAA", "[\\w-]{22,60}", "gitleaks square-access-token"],
  ["stripe", "sk_live_ rk_live_ sk_test_ rk_test_", "[A-Za-z0-9]{10,250}", "gitleaks stripe"],
  ["stripe", "whsec_", "[A-Za-z0-9+/=]{24,100}", "Stripe webhook signing secrets"],
  ["supabase", "sbp_ sb_secret_", "[\\w-]{20,60}", "Supabase access tokens"],
  [
    "tailscale",
    "tskey-",
    "[a-z]{3,10}-[A-Za-z0-9]{8,30}(?:-[A-Za-z0-9]{20,50})?",
    "Tailscale auth keys",
  ],
  ["together", "tgp_v1_", "[\\w-]{40,60}", "Together API keys"],
  ["twilio", "SK", "[0-9a-f]{32}", "gitleaks twilio-api-key"],
  ["typeform", "tfp_", "[\\w.=-]{40,70}", "gitleaks typeform-api-token"],
  ["vault", "hvs. hvb. hvr.", "[\\w-]{24,300}", "gitleaks vault-service-token"],
  ["vercel", "vcp_ vci_ vca_ vcr_ vck_", "[A-Za-z0-9]{24,80}", "Vercel tokens"],
  ["voyage", "pa-", "(?=[\\w-]{0,60}\\d)[\\w-]{43}", "Voyage AI API keys"],
  ["wandb", "wandb_v1_", "[\\w-]{40,120}", "Weights & Biases API keys"],
  ["xai", "xai-", "[A-Za-z0-9]{60,120}", "xAI API keys"],
  ["yandex", "y0_ AQVN t1.", "[\\w=-]{35,200}(?:\\.[\\w=-]{80,90})?", "gitleaks"],
  ["zuplo", "zpka_", "[a-z0-9_]{30,60}", "Zuplo API keys"],
];

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
