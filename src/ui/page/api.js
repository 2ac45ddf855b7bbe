// @ts-check
// What the page asks of the daemon. The token that it needs lives in this module and nowhere else: a page that is
// loaded again has none.

/** An answer that says what went wrong, in a sentence for a person. */
export class CallError extends Error {
  /**
   * @param {string} message
   * @param {{ status: number, hint?: string }} options `status` 0: nobody has answered
   */
  constructor(message, { status, hint }) {
    super(message);
    this.status = status;
    this.hint = hint;
  }

  /** Whether this page has no access any more, or there is nobody at its address. */
  get isEnd() {
    return this.status === 0 || this.status === 401 || this.status === 403;
  }
}

let token = "";
/** @type {(error: CallError) => void} */
let onEnd = () => {};

/**
 * Says whom to tell when the address is closed.
 * @param {(error: CallError) => void} listener
 */
export function whenOver(listener) {
  onEnd = listener;
}

/**
 * Takes the token from the address and exchanges it; it is out of the address and its history before anything else is
 * done.
 */
export async function start() {
  const invitation = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (invitation === "") throw new CallError("This page was loaded again", { status: 401 });
  const session = await send("session", {}, invitation);
  token = session.token;
}

/**
 * Calls the daemon; throws a `CallError`.
 * @param {string} name
 * @param {object} [params]
 * @returns {Promise<any>}
 */
export async function call(name, params = {}) {
  try {
    return await send(name, params, token);
  } catch (error) {
    if (error instanceof CallError && error.isEnd) onEnd(error);
    throw error;
  }
}

/**
 * @param {string} name
 * @param {object} params
 * @param {string} bearer
 */
async function send(name, params, bearer) {
  let response;
  try {
    response = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify(params),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
  } catch {
    throw new CallError("The daemon does not answer at this address", { status: 0 });
  }
  const reply = await response.json().catch(() => ({}));
  if (response.ok) return reply;
  const { error = `The daemon answered ${response.status}`, hint } = reply;
  throw new CallError(error, { status: response.status, hint });
}
