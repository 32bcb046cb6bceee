"""After how many documents a canary stops a worse candidate, and how often it stops one that is as good.

    python -m benchmarks.canary [--documents 120]

Generated invoices of layouts that the bundled models never saw are read by these models once. Candidates are made of
the extractor's scores: all of them random, those of the total and of lines exchanged, those of both dates exchanged. A
candidate that is as good, and not the same, reads the same scores with noise, as the first pair does with other noise.
All are judged by the bundled calibration: without one of its own, a candidate would have no `high` values, and be
stopped by that. Documents are then drawn in random order, 200 times.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from statistics import median

import numpy as np

from models.evaluation.gate.golden import golden
from models.pipeline import Pipeline
from serve_app.domain.batch import Section
from serve_app.domain.comparison import Signs, signs_of
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS, Label
from serve_app.domain.quality import Wealth
from serve_app.domain.reading import Reading
from serve_app.domain.sequential_test import ALARM, SLOWER, Measure

RUNS = 200
MOST = 2_000
"""Documents of a canary."""
NOISES = 4
NOISE = 0.7
FAILING, CORRECTED, SPREAD = 0.005, 0.2, 0.5
"""Of equal candidates: shares of answers that fail, and that are corrected; spread of the logarithm of their times."""

Corruption = Callable[[Reading, np.random.Generator], Reading]


def scored(reading: Reading, change: Callable[[np.ndarray], np.ndarray]) -> Reading:
    pages = tuple(replace(page, scores=change(page.scores.astype(np.float64))) for page in reading.pages)
    return replace(reading, pages=pages)


def shares(scores: np.ndarray) -> np.ndarray:
    """Rows that sum to one."""
    made: np.ndarray = (scores / scores.sum(axis=1, keepdims=True)).astype(np.float32)
    return made


def random_scores(reading: Reading, rng: np.random.Generator) -> Reading:
    return scored(reading, lambda scores: shares(np.exp(rng.normal(0, 1, scores.shape))))


def noisy(reading: Reading, rng: np.random.Generator) -> Reading:
    return scored(reading, lambda scores: shares((scores + 1e-6) * np.exp(rng.normal(0, NOISE, scores.shape))))


def exchanged(one: Label, other: Label) -> Corruption:
    order = list(range(len(TAGS)))
    for prefix in ("B-", "I-"):
        a, b = (TAGS.index(f"{prefix}{label}") for label in (one, other))
        order[a], order[b] = b, a
    return lambda reading, _: scored(reading, lambda scores: shares(scores[:, order]))


WORSE: dict[str, Corruption] = {
    "random scores": random_scores,
    "totals exchanged with those of lines": exchanged(Label.TOTAL, Label.LINE_TOTAL),
    "issue and due dates exchanged": exchanged(Label.ISSUE_DATE, Label.DUE_DATE),
}


class Reader:
    """Makes invoices of documents that were read once."""

    def __init__(self, documents: int) -> None:
        self._pipeline = Pipeline()
        self._rng = np.random.default_rng(7)
        self._read = [(each, self._pipeline.read_models(each)) for _, each in golden(documents)]

    def every(self, corrupt: Corruption) -> list[list[Section]]:
        """The invoices of each document with the extractor's reading spoiled."""
        return [
            self._decided(document, (corrupt(extractor, self._rng), verifier))
            for document, (extractor, verifier) in self._read
        ]

    def _decided(self, document: Document, readings: tuple[Reading, Reading]) -> list[Section]:
        return self._pipeline.decide(document, readings)


def paired(first: Sequence[list[Section]], candidate: Sequence[list[Section]]) -> list[Signs]:
    return [signs_of(mine, other) for mine, other in zip(first, candidate, strict=True)]


def values_of(signs: Signs) -> dict[Measure, int]:
    return {Measure.AGREEMENT: signs.agreement, Measure.HIGH: signs.high, Measure.SUMS: signs.sums}


def chances(rng: Random) -> dict[Measure, int]:
    """A document of each arm, of equal pairs."""
    failed = [rng.random() < FAILING for _ in range(2)]
    corrected = [rng.random() < CORRECTED for _ in range(2)]
    seconds = [rng.lognormvariate(0, SPREAD) for _ in range(2)]
    return {
        Measure.FAILURES: failed[1] - failed[0],
        Measure.CORRECTIONS: corrected[1] - corrected[0],
        Measure.LATENCY: -1 if seconds[0] > SLOWER * seconds[1] else 1,
    }


def stopped(documents: Iterator[dict[Measure, int]]) -> tuple[int, Measure] | None:
    """After how many documents the candidate is stopped, and by what; None if it is not."""
    wealths = {measure: Wealth(allowed=0.5) for measure in Measure}
    for number, signs in enumerate(documents, 1):
        for measure, sign in signs.items():
            if sign:
                wealths[measure].bet(float(sign < 0))
                if wealths[measure].highest >= ALARM:
                    return number, measure
    return None


def report_worse(name: str, signs: Sequence[Signs]) -> None:
    runs = []
    for seed in range(RUNS):
        rng = Random(seed)  # noqa: S311 - no secret
        runs.append(stopped(values_of(rng.choice(signs)) for _ in range(MOST)))
    found = sorted(run[0] for run in runs if run is not None)
    why = Counter(run[1] for run in runs if run is not None)
    worse = sum(min(values_of(each).values()) < 0 for each in signs) / len(signs)
    cells = (
        name, f"{worse:.0%}", f"{len(found)} of {RUNS}", f"{median(found):.0f}" if found else "-",
        found[int(0.9 * len(found)) - 1] if found else "-", found[-1] if found else "-",
        ", ".join(f"{measure} {number}" for measure, number in why.most_common()),
    )  # fmt: skip
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def report_equal(noised: Sequence[Sequence[list[Section]]]) -> None:
    pairs = [(a, b) for a in range(len(noised)) for b in range(len(noised)) if a != b]
    known = {pair: paired(noised[pair[0]], noised[pair[1]]) for pair in pairs}
    differ = sum(any(values_of(each).values()) for each in known[0, 1]) / len(known[0, 1])
    alarms = []
    for seed in range(RUNS):
        rng = Random(seed)  # noqa: S311 - no secret
        drawn = (values_of(rng.choice(known[rng.choice(pairs)])) | chances(rng) for _ in range(MOST))
        alarms.append(stopped(drawn))
    false = [each for each in alarms if each is not None]
    print(f"\nas good, with other noise ({differ:.0%} of the documents differ): {len(false)} of {RUNS} canaries of")
    print(f"{MOST} documents stopped: {Counter(str(measure) for _, measure in false)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=120)
    reader = Reader(parser.parse_args().documents)
    first = reader.every(lambda reading, _: reading)
    print("| candidate | worse on | stopped | documents, median | 90 % within | at most | by |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for name, corrupt in WORSE.items():
        report_worse(name, paired(first, reader.every(corrupt)))
    report_equal([reader.every(noisy) for _ in range(NOISES)])


if __name__ == "__main__":
    main()
