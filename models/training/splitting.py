"""`python -m models.training.splitting`: fit the network that splits files into invoices, on generated batches."""

import argparse
import json
import sys
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from models.evaluation.readings import ReadingCache
from models.training.batches import Batch, generate_batch
from serve_app.extraction.split.facts import page_facts
from serve_app.extraction.split.features import feature_matrix
from serve_app.extraction.split.split import Role

Floats = npt.NDArray[np.float64]

NETWORKS = 7
HIDDEN = 16
STEPS = 1000
WEIGHT_DECAY = 0.05
SMOOTHING = 0.02
# The share of documents that look as if read by OCR: many batches come from a scanner.
NOISE_SHARE = 0.4
MANY_FOREIGN = 0.6
TARGET = Path("serve_app/extraction/split/weights.json")


def main() -> None:
    """Read the batches with the bundled models, fit, write the weights."""
    parser = argparse.ArgumentParser(prog="python -m models.training.splitting", description=__doc__)
    parser.add_argument("--files", type=int, default=120)
    parser.add_argument("--cache", type=Path, default=Path("build/batches"), help="the models' readings are kept here")
    parser.add_argument("--out", type=Path, default=TARGET)
    arguments = parser.parse_args()
    features, roles = examples(ReadingCache(arguments.cache), arguments.files)
    arguments.out.write_text(json.dumps(fit(features, roles)) + "\n")
    sys.stdout.write(f"fitted on {len(roles)} pages of {arguments.files} files\n")


def examples(readings: ReadingCache, files: int) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Features, shape (pages, features), and the true roles of all pages; of `files` usual batches, and half as many
    with many foreign pages."""
    draw = partial(generate_batch, held_out=False, noise_share=NOISE_SHARE)
    batches = [draw(seed) for seed in range(files)]
    # Pages outside invoices are rare and can look like anything.
    batches += [draw(seed, foreign_share=MANY_FOREIGN) for seed in range(files, files + files // 2)]
    features = [feature_matrix([page_facts(page) for page in readings.evidence(batch.document)]) for batch in batches]
    return np.concatenate(features), np.concatenate([true_roles(batch) for batch in batches])


def true_roles(batch: Batch) -> npt.NDArray[np.int64]:
    """The role of every page of a batch."""
    roles = np.full(len(batch.document.pages), Role.FOREIGN, dtype=np.int64)
    for first, last in batch.parts:
        roles[first - 1 : last] = Role.CONTINUES
        roles[first - 1] = Role.BEGINS
    return roles


def fit(features: Floats, roles: npt.NDArray[np.int64]) -> dict[str, list[float]]:
    """The weights of `SplitModel`: each network is trained by AdamW on the cross-entropy of the roles, from its own
    random start."""
    mean, scale = features.mean(axis=0), np.maximum(features.std(axis=0), 0.05)
    inputs, targets = torch.tensor((features - mean) / scale, dtype=torch.float32), torch.tensor(roles)
    layers = [_network(inputs, targets, seed) for seed in range(NETWORKS)]
    stacked = {name: np.stack([each[name] for each in layers]) for name in layers[0]}
    return {name: np.round(value, 4).tolist() for name, value in {"mean": mean, "scale": scale, **stacked}.items()}


def _network(inputs: torch.Tensor, targets: torch.Tensor, seed: int) -> dict[str, Floats]:
    torch.manual_seed(seed)
    hidden, out = nn.Linear(inputs.shape[1], HIDDEN), nn.Linear(HIDDEN, len(Role))
    network = nn.Sequential(hidden, nn.Tanh(), out)
    optimiser = torch.optim.AdamW(network.parameters(), lr=5e-3, weight_decay=WEIGHT_DECAY)
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(network(inputs), targets, label_smoothing=SMOOTHING)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return {**_layer("hidden", hidden), **_layer("out", out)}


def _layer(name: str, layer: nn.Linear) -> dict[str, Floats]:
    weight, bias = layer.weight.detach().double().numpy(), layer.bias.detach().double().numpy()
    return {name: weight.T, f"{name}_bias": bias}


if __name__ == "__main__":
    main()
