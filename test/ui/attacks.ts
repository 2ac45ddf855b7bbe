// What a page can try on a server of this machine. Each row is a function that runs in the attacking page: it returns
// what it has got hold of, or has the server told to write, with the attack's name in the query or the body. Every one
// of them succeeds on a server that checks nothing; none may on memo's.

/** What is attacked, as the attacker knows it: everything but the token of the page that is open. */
export interface Aim {
  /** Name of the attack, which a write carries. */
  readonly name: string;
  /** Origin of the server. */
  readonly at: string;
  /** Path of a call that writes. */
  readonly call: string;
  /** Its body, which is right, as JSON; for a server that tells what it was sent, it also has the attack's name. */
  readonly body: string;
  /** A token that has been stolen after it was used. */
  readonly stolen: string;
  /** An address of the attacker's that answers with a redirect to `?to=`, which keeps method and body. */
  readonly redirect: string;
  /** What tells apart attacks by the same function. */
  readonly by: string;
}

/** An attack by a function, which is sent to the page as text: it sees its argument alone. */
export interface Attack {
  readonly name: string;
  readonly by?: string;
  /** How long it may take to get hold of something; default: some seconds. */
  readonly patienceMs?: number;
  /** What it has got hold of; an empty string is nothing. */
  readonly run: (aim: Aim) => Promise<string> | string;
}

/** A form is sent from a frame of the attacker's, so that the page stays. */
const postForm: Attack["run"] = ({ at, call, name, by, body }) => {
  const frame = document.createElement("iframe");
  frame.name = `frame ${name}`;
  const form = document.createElement("form");
  form.method = "post";
  form.enctype = by;
  form.action = `${at}${call}`;
  form.target = frame.name;
  const field = document.createElement("input");
  // As text a form can spell JSON: what stands before `=` and after it.
  field.name = body.slice(0, -1) + ',"x":"';
  field.value = '"}';
  form.append(field);
  document.body.append(frame, form);
  form.submit();
  return "";
};

const embed: Attack["run"] = async ({ at, by, name }) => {
  const element = document.createElement(by);
  element.setAttribute(by === "object" ? "data" : "src", `${at}/#${name}`);
  document.body.append(element);
  await new Promise((done) => setTimeout(done, 1000));
  return ""; // what is shown in it is seen from outside
};

const include: Attack["run"] = ({ at, by }) =>
  new Promise((done) => {
    const [tag, name, path] = by.split(" ") as [string, string, string];
    const element = document.createElement(tag);
    if (tag === "link") (element as HTMLLinkElement).rel = "stylesheet";
    element.onload = () => done(`${path} was loaded`);
    element.onerror = () => done("");
    element.setAttribute(name, at + path);
    document.body.append(element);
  });

/** Attacks by a page of another origin: another site, another port of this machine, or another name for it. */
export const FROM_OUTSIDE: readonly Attack[] = [
  ...[["fetch the page", "same-origin"], ["fetch the page with credentials", "include"]]
    .map(([name, by]): Attack => ({
      name: name!,
      by: by!,
      run: ({ at, by }) =>
        fetch(at, { credentials: by as RequestCredentials })
          .then((reply) => reply.text(), () => ""),
    })),
  {
    name: "fetch a file without CORS",
    run: ({ at }) =>
      fetch(`${at}/main.js`, { mode: "no-cors" }).then(
        (reply) => `a reply, ${reply.type}`,
        () => "",
      ),
  },
  {
    name: "ask by XMLHttpRequest",
    run: ({ at }) =>
      new Promise((done) => {
        const request = new XMLHttpRequest();
        request.onload = () => done(request.responseText);
        request.onerror = () => done("");
        request.open("GET", at);
        request.send();
      }),
  },
  {
    name: "follow a redirect of one's own",
    run: ({ at, redirect }) =>
      fetch(`${redirect}?to=${encodeURIComponent(at)}`).then((reply) => reply.text(), () => ""),
  },
  {
    name: "call with a stolen token",
    run: ({ at, call, body, stolen }) =>
      fetch(at + call, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${stolen}` },
        body,
      }).then((reply) => reply.ok ? reply.text() : "", () => ""),
  },
  {
    name: "exchange a stolen token",
    run: ({ at, stolen }) =>
      fetch(`${at}/api/session`, { method: "POST", headers: { authorization: `Bearer ${stolen}` } })
        .then((reply) => reply.ok ? reply.text() : "", () => ""),
  },
  {
    name: "call without CORS, as text",
    run: async ({ at, call, body }) => {
      await fetch(at + call, { method: "POST", mode: "no-cors", body }).catch(() => {});
      return "";
    },
  },
  {
    name: "call by a beacon",
    run: ({ at, call, body }) => {
      navigator.sendBeacon(at + call, body);
      return "";
    },
  },
  {
    name: "call by the address alone",
    run: async ({ at, call, name }) => {
      await fetch(`${at}${call}?name=${encodeURIComponent(name)}`, { mode: "no-cors" })
        .catch(() => {});
      return "";
    },
  },
  {
    name: "call by a redirected form",
    run: ({ at, call, name, redirect }) => {
      const form = document.createElement("form");
      form.method = "post";
      form.action = `${redirect}?to=${encodeURIComponent(at + call)}`;
      form.target = "redirected";
      const field = document.createElement("input");
      [field.name, field.value] = ["name", name];
      form.append(field);
      const frame = document.createElement("iframe");
      frame.name = "redirected";
      document.body.append(frame, form);
      form.submit();
      return "";
    },
  },
  ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
    .map((by) => ({ name: `call by a form, ${by}`, by, run: postForm })),
  ...["script src /main.js", "link href /style.css", "img src /icon.svg"]
    .map((by) => ({ name: `include ${by}`, by, run: include })),
  ...["iframe", "object", "embed"].map((by) => ({ name: `show in ${by}`, by, run: embed })),
  {
    name: "load as a module",
    run: ({ at }) => import(`${at}/main.js`).then(() => "the module has run", () => ""),
  },
  {
    name: "run in a worker",
    run: ({ at }) =>
      new Promise((done) => {
        const code = `importScripts(${
          JSON.stringify(`${at}/plain.js`)
        }); postMessage("it has run")`;
        const worker = new Worker(URL.createObjectURL(new Blob([code])));
        worker.onmessage = ({ data }) => done(data);
        worker.onerror = () => done("");
      }),
  },
  {
    name: "listen to a stream of events",
    run: ({ at }) =>
      new Promise((done) => {
        const source = new EventSource(`${at}/events`);
        const end = (what: string) => {
          source.close();
          done(what);
        };
        source.onopen = () => end("a stream");
        source.onerror = () => end("");
      }),
  },
  {
    name: "open a WebSocket",
    run: ({ at }) =>
      new Promise((done) => {
        const socket = new WebSocket(at.replace("http", "ws") + "/");
        socket.onopen = () => done("a socket");
        socket.onerror = () => done("");
      }),
  },
  {
    name: "keep a handle on a window with the page",
    patienceMs: 70_000,
    run: async ({ at }) => {
      const opened = globalThis.open(`${at}/`);
      // Until it is cut off, or shows its frame.
      for (let looks = 0; looks < 600 && opened && !opened.closed && !opened.length; looks++) {
        await new Promise((done) => setTimeout(done, 100));
      }
      return opened === null || opened.closed ? "" : `a window with ${opened.length} frames`;
    },
  },
];

/** Attacks by a page whose own name has come to mean this machine: its origin is, for the browser, the server's. */
export const REBOUND: readonly Attack[] = [
  ...["/", "/main.js", "/%2e/main.js", "//main.js"].map((by): Attack => ({
    name: `read ${by}`,
    by,
    run: ({ at, by }) => fetch(at + by).then((reply) => reply.ok ? reply.text() : "", () => ""),
  })),
  {
    name: "read the page in a frame",
    run: ({ at }) =>
      new Promise((done) => {
        const frame = document.createElement("iframe");
        frame.onload = () => done(frame.contentDocument?.getElementById("secret")?.innerText ?? "");
        frame.src = `${at}/`;
        document.body.append(frame);
      }),
  },
  ...FROM_OUTSIDE.filter(({ name }) => /stolen|text|WebSocket|include|module|beacon/.test(name)),
];
