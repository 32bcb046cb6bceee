"""`invoices models split`: fit the network that splits files into invoices, on generated batches.

No model reads them: what imperfect models would see is simulated.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from models.training.batches import Batch, generate_batch
from models.training.bundles import generate_bundle
from models.training.simulated import simulated_reading
from serve_app.extraction.evidence import PageEvidence, gather
from serve_app.extraction.split.facts import page_facts
from serve_app.extraction.split.features import feature_matrix
from serve_app.extraction.split.split import Role

Floats = npt.NDArray[np.float64]

NETWORKS = 7
HIDDEN = 24
STEPS = 1000
WEIGHT_DECAY = 0.05
SMOOTHING = 0.02
# The share of documents that look as if read by OCR: many batches come from a scanner.
NOISE_SHARE = 0.4
# The share of pages outside invoices on which simulated models see an invoice.
MISREAD_SHARE = 0.3
# Longer files take long to draw, and say no more.
MOST_PAGES = 30
TARGET = Path("serve_app/extraction/split/weights.json")


def main() -> None:
    """Fit, and write the weights."""
    parser = argparse.ArgumentParser(prog="invoices models split", description=__doc__)
    parser.add_argument("--files", type=int, default=2100)
    parser.add_argument("--out", type=Path, default=TARGET)
    arguments = parser.parse_args()
    features, roles = examples(simulated(arguments.files))
    arguments.out.write_text(json.dumps(fit(features, roles)) + "\n")
    sys.stdout.write(f"fitted on {len(roles)} pages of {arguments.files} files\n")


def simulated(files: int) -> Iterator[tuple[Batch, Sequence[PageEvidence]]]:
    """Bundles and, for every fourth, a usual batch, with readings made from the truth."""
    for seed in range(files):
        draw = generate_batch if seed % 4 == 0 else generate_bundle
        batch = draw(seed, held_out=False, noise_share=NOISE_SHARE, misread_share=MISREAD_SHARE)
        if len(batch.document.pages) <= MOST_PAGES:
            yield batch, gather(batch.document, simulated_reading(batch, Random(f"simulated/{seed}")))


def examples(read: Iterable[tuple[Batch, Sequence[PageEvidence]]]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Features, shape (pages, features), and the true roles of all pages that have words."""
    features, roles = [], []
    for batch, pages in read:
        printed = [index for index, page in enumerate(pages) if page.page.words]
        if printed:
            features.append(feature_matrix([page_facts(pages[index]) for index in printed]))
            roles.append(true_roles(batch)[printed])
    return np.concatenate(features), np.concatenate(roles)


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
