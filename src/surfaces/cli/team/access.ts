import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { MemoError, messageOf } from "../../../errors.ts";
import { changeRules, makeToken, membership } from "../../../features/team/mod.ts";
import { refuseModel } from "../../../features/verbs/consent.ts";
import type { CliContext } from "../shared/command.ts";
import { out, outJson, say } from "../shared/output.ts";

interface TokenFlags {
  readonly ro?: boolean;
  readonly rw?: boolean;
  readonly keyFile: string;
  readonly namespace: string;
  readonly days: number;
  readonly json?: boolean;
}

/** The commands for those who run a team. */
export function defineAccess(command: Command, context: CliContext): void {
  command.command("alone").description(
    "Name the authors whose notes need no other person's approval",
  )
    .argument("<name>", "The team")
    .argument("[person...]", "The authors, in place of those before; none: nobody")
    .option("--json", "Print JSON: {name, alone}")
    .action(async (name: string, alone: string[], { json }: { json?: boolean }) => {
      refuseModel(context.env, "change a team's rules", `memo team alone ${name}`);
      const now = await changeRules(membership(name, context.paths), alone);
      if (json) return outJson({ name, alone: now });
      say(
        now.length === 0
          ? `In \`${name}\` every note needs another person's approval`
          : `In \`${name}\` these authors approve their own notes: ${now.join(", ")}`,
      );
    });
  command.command("token").description("Sign a token for the server with its key")
    .argument("<name>", "The team")
    .option("--ro", "For reading")
    .option("--rw", "For reading, proposing and approving")
    .requiredOption("--key-file <file>", "The server's Ed25519 private key, in PEM")
    .option("--namespace <name>", "The server's namespace", "default")
    .option("--days <number>", "Days that it is valid", days, 365)
    .option("--json", "Print JSON: {name, access, token}")
    .action((name: string, flags: TokenFlags) => {
      if (flags.ro === flags.rw) {
        throw new MemoError("usage", "Cannot sign a token: it is neither for reading nor writing", {
          hint: "Add `--ro` or `--rw`",
        });
      }
      const access = flags.ro ? "ro" : "rw";
      const { namespace, days } = flags;
      const pem = readKey(resolve(context.cwd, flags.keyFile));
      const token = makeToken(pem, { access, namespace, days, now: new Date() });
      if (flags.json) return outJson({ name, access, token });
      out(`${token}\n`);
    });
}

function days(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 3650) {
    throw new InvalidArgumentError("Pass a number of days, such as 90");
  }
  return number;
}

function readKey(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new MemoError("file", `Cannot read the key in \`${path}\`: ${messageOf(error)}`, {
      hint: "Pass the file of the server's private key",
    });
  }
}
