"""Writes an adapter as the build merges it: python3 export_adapter.py ADAPTER.npz SHARE

SHARE of the factors' product is added to the weights: with half of it, as in weight averaging, prompts gain as much and
look-ups lose nothing. Writes `tools/model/adapter.bin` (16-bit floats) and `adapter.json`, which says what is in it.
"""
import json
import pathlib
import sys

import numpy as np

from encoder import LINEAR

out = pathlib.Path(__file__).parents[1] / "model"
z, share = np.load(sys.argv[1]), float(sys.argv[2])
layers = sorted({int(k.split(".")[0]) for k in z.files if k.split(".")[0].isdigit()})
parts = [(z[f"{l}.{n}.a"], z[f"{l}.{n}.b"].astype(np.float32) * share) for l in layers for n in LINEAR]
(out / "adapter.bin").write_bytes(b"".join(x.astype("<f2").tobytes() for part in parts for x in part))
shape = {"first": layers[0], "layers": len(layers), "rank": parts[0][0].shape[1], "matrices": [[n, *s] for n, s in LINEAR.items()]}
(out / "adapter.json").write_text(json.dumps(shape) + "\n")
