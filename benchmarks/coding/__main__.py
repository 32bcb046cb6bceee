"""Simulates a year of coding: `python -m benchmarks.coding [--firms 20]`.

Each firm's clerk decides on every invoice, after a suggestion was made. Half of the firms change habits after the sixth
month. A clerk confirms an invoice with one key; corrects a code with a key to get there, the code, and Enter.
"""

import argparse
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal

from benchmarks.coding.firms import Codes, Firm, make_firm
from serve_app.coding.features import vendor_key
from serve_app.coding.learn import entity_of, example_of
from serve_app.coding.levels import proofs_of
from serve_app.coding.suggest import Coder
from serve_app.domain.booked_lines import booked_lines, whole_invoice
from serve_app.domain.clock import utc_now
from serve_app.domain.coding import Coding, CodingDecision, CodingExample, DecidedPosting, by_line
from serve_app.domain.confidence import Confidence
from serve_app.domain.invoice import Extraction
from serve_app.services.coding.suggestions import MOST_EXAMPLES

MONTHS = 12
CHANGE_AFTER = 6
PROVE_EVERY = 10
"""Invoices, after which levels are proved again. The service does so after each decision, which takes too long here.
What was counted is counted again after each month only: learning one decision more comes to the same."""
_KEY_SECONDS, _LOOK_SECONDS = 0.28, 1.35
"""Of a key, and of a look at a value (Card, Moran and Newell, 1983)."""


class Month(Counter[str]):
    """What was counted in a month of all firms."""

    def row(self, name: object) -> str:
        codes, high = self["codes"], self["high"]
        shares = [self["right"] / codes, high / codes, self["high right"] / high if high else 1.0]
        wrong = f"{high - self['high right']} wrong"
        text = f"| {name} | {codes} | {shares[0]:.1%} | {shares[1]:.1%} | {shares[2]:.2%} ({wrong}) "
        seconds = [_seconds(self, way) / self["invoices"] for way in ("without", "with")]
        keys = [self[f"keys {way}"] / self["invoices"] for way in ("without", "with")]
        auto = self["auto"] / self["invoices"]
        return text + f"| {auto:.1%} | {keys[0]:.1f} / {keys[1]:.1f} | {seconds[0]:.1f} / {seconds[1]:.1f} |"


def _seconds(month: Month, way: str) -> float:
    return month[f"keys {way}"] * _KEY_SECONDS + month[f"looks {way}"] * _LOOK_SECONDS


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--firms", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    months: dict[int, Month] = defaultdict(Month)
    times: dict[str, list[float]] = defaultdict(list)
    for number in range(options.firms):
        firm = make_firm(options.seed * 1000 + number)
        firm_year = _Year(firm, months, times, changes=number % 2 == 0)
        firm_year.run()
        print(f"firm {number}: {firm_year.summary()}", file=sys.stderr)
    print(
        "| Month | Codes | Right | `high` | Right of `high` | Auto-coded | Keys before / with | Seconds before / with |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for number in range(MONTHS):
        print(months[number].row(number + 1))
    year = Month()
    for month in months.values():
        year.update(month)
    print(year.row("all"))
    for name, taken in times.items():
        ordered = sorted(taken)
        print(f"{name}: median {statistics.median(ordered) * 1000:.2f} ms, largest {ordered[-1] * 1000:.1f} ms")


class _Year:
    """One firm's year."""

    def __init__(self, firm: Firm, months: dict[int, Month], times: dict[str, list[float]], *, changes: bool) -> None:
        self._firm, self._months, self._times, self._changes = firm, months, times, changes
        self._examples: list[CodingExample] = []
        self._coder = Coder(firm.chart)
        self._total = Counter[str]()

    def run(self) -> None:
        for month in range(MONTHS):
            if month == CHANGE_AFTER and self._changes:
                self._firm.change_habits()
            for number, (extraction, entity, booked) in enumerate(self._firm.invoices(month)):
                self._decide(month, extraction, entity, booked)
                if number % PROVE_EVERY == 0:
                    self._coder.proofs = proofs_of(self._newest())
            self._train()

    def summary(self) -> str:
        total = self._total
        return (
            f"{total['codes']} codes, noise {self._firm.noise}, {total['right'] / total['codes']:.1%} right, "
            f"{total['high'] / total['codes']:.1%} high, {total['high'] - total['high right']} of {total['high']} wrong"
        )

    def _newest(self) -> list[CodingExample]:
        return self._examples[: -MOST_EXAMPLES - 1 : -1]

    def _train(self) -> None:
        start = time.perf_counter()
        self._coder = Coder(self._firm.chart, self._newest())
        self._times["train"].append(time.perf_counter() - start)

    def _decide(self, month: int, extraction: Extraction, entity: str, booked: list[list[tuple[str, Codes]]]) -> None:
        start = time.perf_counter()
        vendor = vendor_key(extraction.vendor_name)
        coding = self._coder.suggest(
            vendor, entity_of(extraction, entity), booked_lines(extraction), whole_invoice(extraction)
        )
        self._times["suggest"].append(time.perf_counter() - start)
        assert coding is not None
        postings = [
            DecidedPosting(line=number, share=Decimal(share), codes=codes)
            for number, parts in enumerate(booked, 1)
            for share, codes in parts
        ]
        decision = CodingDecision(postings=postings, by="clerk", at=utc_now())
        example = example_of(extraction, entity, decision, coding)
        self._examples.append(example)
        self._coder.learn(example)
        counted = _counted(coding, example, postings)
        self._months[month].update(counted)
        self._total.update(counted)


def _counted(coding: Coding, example: CodingExample, postings: Sequence[DecidedPosting]) -> Counter[str]:
    counted = Counter[str]({"invoices": 1, "auto": int(coding.auto_coded)})
    levels = [
        min((each.codes[key].confidence for each in parts), key=_rank)
        for parts in by_line(coding.postings).values()
        for key in parts[0].codes
    ]
    wrong = 0
    for level, trial in zip(levels, example.trials, strict=True):
        wrong += not trial.is_right
        is_high = level is Confidence.HIGH
        counted.update(codes=1, right=int(trial.is_right), high=int(is_high))
        counted["high right"] += is_high and trial.is_right
        counted["looks with"] += not is_high
    # Each code is typed: a key to get to it, four of the code, Enter.
    typed = sum(len(posting.codes) for posting in postings)
    counted.update({"keys without": 6 * typed, "looks without": typed})
    counted.update({"keys with": 6 * wrong + 1})
    return counted


def _rank(level: Confidence | None) -> int:
    return -1 if level is None else list(Confidence)[::-1].index(level)


if __name__ == "__main__":
    main()
