"""Labelled documents as batches of labelled windows."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import torch
from torch.utils.data import IterableDataset, get_worker_info

from models.encoding import PageEncoder, TokenSequence, Window, windows
from models.token_inputs import TokenInputs
from models.training.labelled import Labelled
from serve_app.domain.document import Page
from serve_app.domain.labels import TAGS, UNKNOWN

IGNORED = -100
WINDOW = 510
# The tokens that mark a window's start and end.
MARKS = 2
PAGES_A_DOCUMENT = 3
# Batches are learned for the second time among others than at first.
ECHO_DISTANCE = 200
TAG_IDS = {tag: index for index, tag in enumerate(TAGS)} | {UNKNOWN: IGNORED}

Batch = dict[str, torch.Tensor]


@dataclass(frozen=True, slots=True)
class Example:
    """One window of one page; `labels` holds a tag id for the first token of each word, else `IGNORED`."""

    page: Page
    sequence: TokenSequence
    window: Window
    labels: list[int]

    def __len__(self) -> int:
        return self.window.end - self.window.start + MARKS


def examples_of(
    sample: Labelled, encoder: PageEncoder, rng: random.Random, window_size: int = WINDOW
) -> Iterator[Example]:
    """One window of each page, of at most `PAGES_A_DOCUMENT` pages."""
    pages = list(zip(sample.document.pages, sample.tags, strict=True))
    for page, tags in rng.sample(pages, min(len(pages), PAGES_A_DOCUMENT)):
        sequence = encoder.encode(page)
        if not sequence.first:
            continue
        labels = [IGNORED] * len(sequence)
        for word, token in sequence.first:
            labels[token] = TAG_IDS[tags[word]]
        window = rng.choice(list(windows(len(sequence), window_size)))
        yield Example(page, sequence, window, labels[window.start : window.end])


def to_batch(examples: list[Example], inputs: TokenInputs) -> Batch:
    """Padded tensors of some examples, ready for the model's forward."""
    shown = inputs([(example.page, example.sequence, example.window) for example in examples])
    batch = {name: torch.from_numpy(values) for name, values in shown.items()}
    labels = torch.full(batch["input_ids"].shape, IGNORED, dtype=torch.long)
    for row, example in enumerate(examples):
        labels[row, 1 : 1 + len(example.labels)] = torch.tensor(example.labels)
    return {**batch, "labels": labels}


class TrainingBatches(IterableDataset[tuple[Batch, int]]):
    """Endless batches with the number of documents each stands for; workers share the seeds between them.

    A pool of examples is sorted by length before it is cut into batches of `token_budget` padded tokens, which keeps
    padding low.
    """

    def __init__(
        self,
        generate: Callable[[int], Labelled],
        inputs: TokenInputs,
        *,
        token_budget: int,
        first_seed: int,
        window_size: int = WINDOW,
        pool: int = 64,
    ) -> None:
        self._generate = generate
        self._inputs = inputs
        self._window_size = window_size
        self._token_budget = token_budget
        self._first_seed = first_seed
        self._pool = pool

    def __iter__(self) -> Iterator[tuple[Batch, int]]:
        worker = get_worker_info()
        index, step = (worker.id, worker.num_workers) if worker else (0, 1)
        seed = self._first_seed + index
        while True:
            rng = random.Random(seed)
            pool: list[Example] = []
            for _ in range(self._pool):
                pool.extend(examples_of(self._generate(seed), self._inputs.encoder, rng, self._window_size))
                seed += step
            groups = list(cut(pool, self._token_budget))
            rng.shuffle(groups)
            # A pool's documents are counted with its first batches, because examples do not belong to one document
            # each.
            shares = [self._pool // len(groups)] * len(groups)
            shares[0] += self._pool - sum(shares)
            for group, share in zip(groups, shares, strict=True):
                yield to_batch(group, self._inputs), share


def cut(pool: list[Example], token_budget: int) -> Iterator[list[Example]]:
    """Cut examples, sorted by length, into groups whose padded size stays within `token_budget` tokens."""
    group: list[Example] = []
    for example in sorted(pool, key=len):
        if group and len(example) * (len(group) + 1) > token_budget:
            yield group
            group = []
        group.append(example)
    if group:
        yield group


def echoed(batches: Iterable[tuple[Batch, int]], share: float) -> Iterator[tuple[Batch, int]]:
    """All `batches`, and a `share` (0 to 1) of them once more about `ECHO_DISTANCE` batches later, for no further
    documents: where documents are made slower than they are learned, learning them twice costs nothing (Choi et al.,
    "Faster Neural Network Training with Data Echoing", 2019)."""
    rng = random.Random(0)
    waiting: list[Batch] = []
    for batch, count in batches:
        yield batch, count
        if rng.random() < share:
            waiting.append(batch)
        if len(waiting) > ECHO_DISTANCE * share:
            yield waiting.pop(rng.randrange(len(waiting))), 0
