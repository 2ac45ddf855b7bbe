import { MemoError } from "../../errors.ts";
import { fold } from "./fold.ts";
import { stem } from "./stem.ts";

/** How developers abbreviate, and what each form is short for, in the languages where it is usual. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  a11y: "accessibility barrierefreiheit accesibilidad accessibilité",
  admin: "administrator administration administrador",
  api: "backend interface schnittstelle interfaz",
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
  jwt: "authentication authenticate token",
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

/** Terms by what they are short for, and the other way round. */
type Alike = ReadonlyMap<string, ReadonlySet<string>>;

const ALIKE = bothWays(Object.entries(SHORT_FORMS));

/** The terms that a term is short for, or whose long form it is; `own` is the text of `recall.words`. */
export function shortFormsOf(term: string, own = ""): readonly string[] {
  return [...ALIKE.get(term) ?? [], ...own === "" ? [] : ownForms(own).get(term) ?? []];
}

/** The last text of `recall.words`, parsed. */
let last = { own: "", alike: new Map() as Alike };

/** The short forms of a text, `kn: customer number` a line; throws a `usage` MemoError for another line. */
export function ownForms(own: string): Alike {
  if (own === last.own) return last.alike;
  const rows = own.split("\n").filter((line) => line.trim() !== "").map((line) => {
    const [, short, long] = /^\s*([\p{L}\p{N}_-]+):\s+(\S.*)$/u.exec(line) ?? [];
    if (short === undefined) {
      throw new MemoError("usage", `Cannot use \`${line.trim()}\` in \`recall.words\``, {
        hint: "Write a line for each, as `kn: customer number`",
      });
    }
    return [short, long!.trim()] as const;
  });
  last = { own, alike: bothWays(rows) };
  return last.alike;
}

function bothWays(rows: readonly (readonly [short: string, long: string])[]): Alike {
  const alike = new Map<string, Set<string>>();
  for (const [short, words] of rows) {
    for (const long of words.split(/\s+/)) {
      const [a, b] = [short, long].map((word) => stem(fold(word))) as [string, string];
      for (const [from, to] of [[a, b], [b, a]] as const) {
        alike.set(from, (alike.get(from) ?? new Set()).add(to));
      }
    }
  }
  return alike;
}
