import { fold } from "./fold.ts";
import { stem } from "./stem.ts";

/** How developers abbreviate, and what each form is short for, in the languages where it is usual. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  a11y: "accessibility barrierefreiheit accesibilidad accessibilité",
  admin: "administrator administration administrador",
  app: "application anwendung aplicación",
  args: "arguments",
  auth:
    "authentication authenticate authorization authentifizierung autenticación authentification",
  bd: "database datos",
  bbdd: "database datos",
  bdd: "database données",
  cert: "certificate zertifikat certificado certificat",
  cfg: "config configuration",
  conf: "config configuration",
  config: "configuration configure konfiguration configuración",
  creds: "credentials zugangsdaten credenciales",
  db: "database datenbank datos données",
  deps: "dependencies abhängigkeiten dependencias dépendances",
  dev: "development entwicklung desarrollo développement",
  dir: "directory verzeichnis directorio répertoire",
  docs: "documentation dokumentation documentación",
  env: "environment umgebung entorno environnement",
  i18n: "internationalization translation übersetzung traducción traduction",
  infra: "infrastructure infrastruktur infraestructura",
  js: "javascript",
  k8s: "kubernetes kube",
  lib: "library bibliothek librería biblioteca bibliothèque",
  mgr: "manager",
  msg: "message nachricht mensaje",
  perf: "performance leistung rendimiento",
  pg: "postgres postgresql",
  pkg: "package paket paquete paquet",
  prod: "production produktion producción",
  py: "python",
  repo: "repository repositorio dépôt",
  srv: "server servidor serveur",
  ts: "typescript",
  tz: "timezone zeitzone",
};

const alike = new Map<string, Set<string>>();
for (const [short, words] of Object.entries(SHORT_FORMS)) {
  for (const long of words.split(" ")) {
    const [a, b] = [short, long].map((word) => stem(fold(word))) as [string, string];
    for (const [from, to] of [[a, b], [b, a]] as const) {
      alike.set(from, (alike.get(from) ?? new Set()).add(to));
    }
  }
}

/** The terms that a term is short for, or whose long form it is. */
export function shortFormsOf(term: string): ReadonlySet<string> {
  return alike.get(term) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
