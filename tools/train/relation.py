"""Trains the judge of relations: python3 relation.py STATES OUT.json [--seeds N] [--join EARLIER.json]

STATES.json and STATES.f32 are what `relation_features.ts` wrote. A small network over the words of both texts, each
beside the word nearest to it (decomposable attention, Parikh et al. 2016), and boosted trees over the numbers of the
pair (Friedman 2001); their logarithms of probabilities are averaged. Rows of a file whose name has `dev` choose the
epochs' end and the sharpness; rows with a `kind` are measured alone. `--join` adds the networks of an earlier training.
`pip install jax numpy scikit-learn`.
"""
import argparse
import base64
import json
import time

import jax
import jax.numpy as jnp
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score

NAMES = ["same", "refines", "replaces", "partly", "distinct", "unrelated"]
SYMMETRIC = [0, 4, 5]
MOST_WORDS, WORD_NUMBERS, STATE = 28, 11, 384
WORD, HIDDEN = 48, 48

a = argparse.ArgumentParser()
a.add_argument("states"), a.add_argument("out"), a.add_argument("--seeds", type=int, default=2)
a.add_argument("--join", action="append", default=[])
a.add_argument("--epochs", type=int, default=40), a.add_argument("--rate", type=float, default=3e-3)
a.add_argument("--decay", type=float, default=.3), a.add_argument("--drop", type=float, default=.3)
a.add_argument("--share", type=float, default=.75), a.add_argument("--leaves", type=int, default=12)
a.add_argument("--trees", type=int, default=150), a.add_argument("--shift", type=float, default=1.2), a.add_argument("--beside", type=float, default=1)
a = a.parse_args()

data = json.load(open(a.states + ".json"))
states = np.fromfile(a.states + ".f32", np.float32).reshape(-1, STATE).astype(np.float16)
pairs = data["pairs"]
is_train = [p for p in pairs if "relation" in p and "dev" not in p["source"].split("/")[-1]]
# Pairs as a store has them, of which there are as many as one likes: one for each two that somebody wrote.
beside = [p for p in is_train if p.get("isBeside")]
written = [p for p in is_train if not p.get("isBeside")]
is_train = written + [beside[i] for i in np.random.default_rng(5).permutation(len(beside))[:int(a.beside * len(written))]]
dev = [p for p in pairs if "relation" in p and "dev" in p["source"].split("/")[-1] and not p.get("isBeside")]
aside = [p for p in pairs if "kind" in p]
numbers = list(pairs[0]["given"]["numbers"])
label = lambda rows: np.array([NAMES.index(p["relation"]) for p in rows])


def built(rows):
    """Of ordered pairs (pair, turned): places of the words' states, of the nearest words', their numbers, and the pair's."""
    n = len(rows)
    own, near = np.zeros((2, n, MOST_WORDS), np.int32), np.zeros((2, n, MOST_WORDS), np.int32)
    words, mask = np.zeros((2, n, MOST_WORDS, WORD_NUMBERS), np.float32), np.zeros((2, n, MOST_WORDS), np.float32)
    given = np.zeros((n, len(numbers)), np.float32)
    for r, (p, turned) in enumerate(rows):
        c, begin = p["turned" if turned else "given"], p["from"][::-1] if turned else p["from"]
        for s in (0, 1):
            k = len(c["rows"][s])
            if k == 0:
                continue
            own[s, r, :k] = begin[s] + np.arange(k)
            near[s, r, :k] = begin[1 - s] + np.array(c["at"][s])
            words[s, r, :k], mask[s, r, :k] = c["rows"][s], 1
        given[r] = [c["numbers"][name] for name in numbers]
    return own, near, words, mask, given


train_rows = [(p, False) for p in is_train] + [(p, True) for p in written if NAMES.index(p["relation"]) in SYMMETRIC]
truth = label([p for p, _ in train_rows])
T, D, A = built(train_rows), built([(p, False) for p in dev]), built([(p, False) for p in aside])
mean, spread = T[4].mean(0), T[4].std(0) + 1e-6


def batch(x, i):
    own, near, words, mask, given = x
    scaled = np.clip((given[i] - mean) / spread, -4, 4)
    return [(states[own[s, i]], states[near[s, i]], words[s, i], mask[s, i]) for s in (0, 1)], scaled


def start(key):
    k = jax.random.split(key, 5)
    n = lambda k, i, o: jax.random.normal(k, (i, o)) / np.sqrt(i)
    return dict(own=n(k[0], STATE, WORD), other=n(k[1], STATE, WORD), both=n(k[0], STATE, WORD) * 4, word=n(k[2], WORD_NUMBERS, WORD), wordBias=jnp.zeros(WORD),
                pair=n(k[3], 4 * WORD + len(numbers), HIDDEN), pairBias=jnp.zeros(HIDDEN),
                answer=n(k[4], HIDDEN, 6) * .1, answerBias=jnp.zeros(6))


def network(p, sides, scaled, key=None):
    def dropped(x, k):
        return x if key is None else x * jax.random.bernoulli(jax.random.fold_in(key, k), 1 - a.drop, x.shape) / (1 - a.drop)

    out = []
    for s, (own, near, words, mask) in enumerate(sides):
        own, near = own.astype(jnp.float32), near.astype(jnp.float32)
        h = dropped(jax.nn.gelu(own @ p["own"] + near @ p["other"] + (own * near) @ p["both"] + words @ p["word"] + p["wordBias"]), s)
        w = mask * (words[:, :, 6] + .02)
        w = w / (w.sum(1, keepdims=True) + 1e-9)
        out += [(h * w[:, :, None]).sum(1), (h * mask[:, :, None] - 9 * (1 - mask)[:, :, None]).max(1)]
    z = dropped(jnp.concatenate(out + [scaled], 1), 2)
    h = dropped(jax.nn.gelu(z @ p["pair"] + p["pairBias"]), 3)
    return h @ p["answer"] + p["answerBias"]


def loss(p, sides, scaled, y, key):
    return -jax.nn.log_softmax(network(p, sides, scaled, key))[jnp.arange(len(y)), y].mean()


gradient, forward = jax.jit(jax.value_and_grad(loss)), jax.jit(lambda p, s, g: jax.nn.log_softmax(network(p, s, g)))


def trained(seed, size=256):
    random, p, step = np.random.default_rng(seed), start(jax.random.PRNGKey(seed)), 0
    m = v = jax.tree.map(jnp.zeros_like, p)
    total = a.epochs * (len(truth) // size)
    for _ in range(a.epochs):
        order = random.permutation(len(truth))
        for s in range(0, len(order) - size + 1, size):
            i, step = order[s:s + size], step + 1
            _, g = gradient(p, *batch(T, i), truth[i], jax.random.PRNGKey(1000 * seed + step))
            rate = a.rate * min(1, step / 20) * (1 - (step - 1) / total)
            m = jax.tree.map(lambda x, y: .9 * x + .1 * y, m, g)
            v = jax.tree.map(lambda x, y: .99 * x + .01 * y * y, v, g)
            p = jax.tree.map(lambda w, x, y: w * (1 - rate * a.decay) - rate * (x / (1 - .9**step)) / (jnp.sqrt(y / (1 - .99**step)) + 1e-8), p, m, v)
    return p


def joined(path):
    """The networks of an earlier training, whose numbers were scaled by means and spreads of its own."""
    other, shapes = json.load(open(path)), {k: v.shape for k, v in start(jax.random.PRNGKey(0)).items()}
    m, s = (np.array([row[i] for row in other["numbers"]], np.float32) for i in (1, 2))
    for net in other["nets"]:
        p = {k: np.frombuffer(base64.b64decode(v), "<f2").astype(np.float32).reshape(shapes[k]) for k, v in net.items()}
        rows = p["pair"][-len(m):]
        yield {**p, "pairBias": p["pairBias"] + ((mean - m) / s) @ rows,
               "pair": np.concatenate([p["pair"][:-len(m)], rows * (spread / s)[:, None]])}


def normal(x):
    x = x - x.max(1, keepdims=True)
    return x - np.log(np.exp(x).sum(1, keepdims=True))


def report(name, of_dev, of_aside):
    y, p, q = label(dev), np.exp(of_dev), np.exp(of_aside)
    over, is_over = p[:, 2] + p[:, 3], (y == 2) | (y == 3)
    kind, replaced = np.array([r["kind"] for r in aside]), q[:, 2] + q[:, 3]
    sibling = np.char.startswith(kind, "sibling")
    auc = {k: round(float((replaced[kind == k][:, None] > replaced[sibling][None]).mean()), 3) for k in np.unique(kind) if k.startswith("correction")}
    line = np.sort(over[~is_over])[int(.9 * (~is_over).sum())]
    print(f"{name}: right {(p.argmax(1) == y).mean():.3f}, log loss {-of_dev[np.arange(len(y)), y].mean():.3f}, replaced AUC {roc_auc_score(is_over, over):.3f},",
          f"before siblings {auc}, at 1 of 10:", {str(k): f"{(replaced[kind == k] > line).sum()}/{(kind == k).sum()}" for k in dict.fromkeys(kind)}, flush=True)


SHIFT = np.array([0, 0, a.shift, a.shift, 0, 0])
began, everything = time.time(), lambda x: np.arange(x[4].shape[0])
nets = [trained(s) for s in range(a.seeds)] + [net for path in a.join for net in joined(path)]
of_nets = [np.mean([np.array(forward(p, *batch(x, everything(x)))) for p in nets], 0) for x in (D, A)]
trees = HistGradientBoostingClassifier(max_iter=a.trees, learning_rate=.05, max_leaf_nodes=a.leaves, l2_regularization=1., random_state=0).fit(T[4], truth)
of_trees = [np.log(trees.predict_proba(x[4])) for x in (D, A)]
print(f"{len(is_train)} pairs, {time.time() - began:.0f} s", np.bincount(label(is_train)))
report("networks", *map(normal, of_nets)), report("trees", *of_trees)
mixed = [a.share * n + (1 - a.share) * t for n, t in zip(of_nets, of_trees)]
report("both", *map(normal, mixed))
y = label(dev)
sharpness = min(np.arange(.5, 2, .05), key=lambda k: -normal(k * mixed[0])[np.arange(len(y)), y].mean())
report(f"sharpness {sharpness:.2f}", *(normal(sharpness * x) for x in mixed))


def packed(x, kind="<f4"):
    return base64.b64encode(np.ascontiguousarray(x).astype(kind).tobytes()).decode()


starts, features, values, lefts = [], [], [], []
for round_ in trees._predictors:
    for tree in round_:
        nodes, place, order = tree.nodes, {0: 0}, [0]
        while len(place) < len(nodes):  # children beside each other, breadth first
            for n in list(order):
                if not nodes[n]["is_leaf"] and int(nodes[n]["left"]) not in place:
                    for child in ("left", "right"):
                        place[int(nodes[n][child])] = len(order)
                        order.append(int(nodes[n][child]))
        starts.append(len(features))
        for n in order:
            leaf = bool(nodes[n]["is_leaf"])
            features.append(-1 if leaf else int(nodes[n]["feature_idx"]))
            values.append(float(nodes[n]["value"] if leaf else nodes[n]["num_threshold"]))
            lefts.append(0 if leaf else place[int(nodes[n]["left"])])
json.dump({
    "common": packed(np.array(data["common"]), "<f2"),
    "numbers": [[n, round(float(m), 5), round(float(s), 5)] for n, m, s in zip(numbers, mean, spread)],
    "widths": {"word": WORD, "hidden": HIDDEN},
    "nets": [{k: packed(v, "<f2") for k, v in p.items()} for p in nets],
    "trees": {"base": [round(float(x), 5) for x in trees._baseline_prediction.ravel()], "starts": packed(starts, "<i4"),
              "features": packed(features, "<i4"), "values": packed(values), "lefts": packed(lefts, "<i4")},
    "share": a.share, "sharpness": round(float(sharpness), 2), "shift": a.shift,
    "examples": [[p["a"], p["b"], [round(float(x), 4) for x in np.exp(normal(sharpness * mixed[0] + SHIFT))[i]]] for i, p in enumerate(dev[:8])],
}, open(a.out, "w"))
