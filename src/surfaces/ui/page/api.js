// @ts-check
// What the page asks of the daemon, with a token. The browser keeps it for this tab and this very port, so that a page
// which is loaded again has it: a cookie would go to whoever listens at another port. It is worth nothing once the
// daemon has closed the address.

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

/** Why the address is closed; undefined while it is open. */
let end = /** @type {CallError | undefined} */ (undefined);
/** @type {(error: CallError) => void} */
let onEnd = () => {};

/**
 * Says whom to tell when the address is closed, or is so already.
 * @param {(error: CallError) => void} listener
 */
export function whenOver(listener) {
  onEnd = listener;
  if (end !== undefined) listener(end);
}

const KEPT = "memo";

/** @param {CallError} error */
function isOver(error) {
  sessionStorage.removeItem(KEPT);
  end = error;
  onEnd(error);
}

/** The token of this page, with what it begins with: they are on their way while the page is drawn. */
const session = exchanged();

/**
 * Takes the token from the address and exchanges it; it is out of the address and its history before anything else is
 * done.
 * @returns {Promise<{ token: string, first?: any }>}
 */
async function exchanged() {
  const [, invitation] = /^#([\w-]{43})$/.exec(location.hash) ?? [];
  if (invitation !== undefined) history.replaceState(null, "", location.pathname);
  try {
    const token = sessionStorage.getItem(KEPT);
    if (invitation === undefined && token !== null) return { token };
    if (invitation === undefined) throw new CallError("This page has no token", { status: 401 });
    const reply = await send("session", {}, invitation);
    sessionStorage.setItem(KEPT, reply.token);
    return reply;
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const known = error instanceof CallError ? error : new CallError(message, { status: 500 });
    isOver(known);
    throw known;
  }
}

/**
 * What the page begins with, a reply of `now`; undefined when it has been taken, or could not be told.
 * @returns {Promise<any>}
 */
export async function takeFirst() {
  const found = await session, { first } = found;
  delete found.first;
  return first;
}

/**
 * Calls the daemon; throws a `CallError`.
 * @param {string} name
 * @param {object} [params]
 * @returns {Promise<any>}
 */
export async function call(name, params = {}) {
  const { token } = await session;
  try {
    return await send(name, params, token);
  } catch (error) {
    if (error instanceof CallError && error.isEnd) isOver(error);
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
