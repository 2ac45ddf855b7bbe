import { Agent, request } from "node:http";
import { type Endpoint, LOOPBACK } from "../src/install/endpoint.ts";
import { MemoError } from "../src/errors.ts";

/** Posts hooks as Claude Code does, over a connection that stays open. */
export class HttpHookClient implements Disposable {
  readonly #endpoint: Endpoint;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Posts one hook for the Claude Code whose folder is `claude`; rejects unless the daemon answers it. */
  post(input: string, claude: string): Promise<{ readonly ms: number; readonly body: string }> {
    const { port, token } = this.#endpoint;
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const posted = request({
        agent: this.#agent,
        host: LOOPBACK,
        port,
        method: "POST",
        path: `/hook?claude=${encodeURIComponent(claude)}`,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(input),
          authorization: `Bearer ${token}`,
        },
      }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (part: string) => body += part);
        response.on("end", () => {
          const ms = performance.now() - start;
          if (response.statusCode === 200) resolve({ ms, body });
          else reject(new MemoError("daemon", `Hooks over http are answered with ${body.trim()}`));
        });
      });
      posted.on("error", reject);
      posted.end(input);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
