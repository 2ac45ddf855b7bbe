import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

/** The build that the daemon of a state folder said it is, when it last started. */
export function buildOf(state: string): string {
  const log = readFileSync(join(state, "logs", "daemon.log"), "utf8");
  const [, build] = [...log.matchAll(/"started":"([^"]+)"/g)].at(-1) ?? [];
  if (build === undefined) throw new Error(`No daemon has started in ${state}`);
  return build;
}

/** One exchange with a daemon as a hook of its build would have it; rejects where there is no whole answer. */
export function ask(
  socket: string,
  message: { readonly build: string; readonly method: string; readonly params: unknown },
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const client = connect(socket, () => {
      client.write(JSON.stringify({ protocol: 1, ...message }) + "\n");
    });
    let answer = "";
    client.setEncoding("utf8").on("data", (text) => answer += text);
    client.on("error", reject);
    client.on("close", () => {
      try {
        const reply = JSON.parse(answer);
        if (reply.ok) resolve(reply.result);
        else reject(new Error(reply.error.message));
      } catch {
        reject(new Error(`No whole answer: ${answer.slice(0, 200)}`));
      }
    });
  });
}
