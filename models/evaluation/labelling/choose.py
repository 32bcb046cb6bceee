"""Choose the documents that together resemble all the others most.

This is MaxHerding (Bae, Noh and Sutherland, 2024, "Generalized Coverage for More Robust Low-Budget Active Learning"):
a document is covered as far as it is like the labelled document that it resembles most, and the next document is the
one that adds most cover. The kernel is the cosine. Doubts of the models do not count: with few labels they choose odd
pages (ADR 0197).
"""

import heapq
from dataclasses import dataclass

import numpy as np

from models.evaluation.labelling.looks import Floats

_BLOCK = 512
_LEAST = 1e-3
"""A document that adds less resembles those before it in everything."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen document (its index): how many documents it `covers` that none before it covers, in whole documents, and
    its `novelty`, 0 to 1: how unlike it is to the labelled or chosen document that it resembles most."""

    index: int
    covers: float
    novelty: float


def choose(looks: Floats, count: int, labelled: Floats | None = None) -> tuple[list[Choice], float]:
    """The next documents, best first, and how far (0 to 1) all documents are then covered. Fewer are chosen where the
    others add nothing. `looks` has a row of length 1 for each document, `labelled` for each that was labelled before.
    """
    cover = np.zeros(len(looks), np.float32)
    for row in labelled if labelled is not None else ():
        cover = np.maximum(cover, looks @ row)
    # What a document adds only becomes less, so that most sums need not be made again (Minoux, 1978).
    queue = [(-gain, index) for index, gain in enumerate(_gains(looks, cover))]
    heapq.heapify(queue)
    chosen: list[Choice] = []
    while queue and len(chosen) < count:
        _, index = heapq.heappop(queue)
        likeness = looks @ looks[index]
        gain = float(np.maximum(likeness - cover, 0).sum())
        if queue and -gain > queue[0][0]:
            heapq.heappush(queue, (-gain, index))
            continue
        if gain < _LEAST:
            break
        chosen.append(Choice(index, gain, float(np.clip(1 - cover[index], 0, 1))))
        cover = np.maximum(cover, likeness)
    return chosen, float(np.clip(cover, 0, 1).mean()) if len(cover) else 0.0


def _gains(looks: Floats, cover: Floats) -> list[float]:
    gains: list[float] = []
    for start in range(0, len(looks), _BLOCK):
        likeness = looks[start : start + _BLOCK] @ looks.T
        gains += np.maximum(likeness - cover, 0).sum(1).tolist()
    return gains
