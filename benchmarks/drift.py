"""How many invoices it takes until a threshold of `high` rises by itself, and how often it does so for nothing.

    python benchmarks/drift.py

One field of one account. Of its invoices most are verified automatically, and of these few are drawn for the audit
sample; a person decides on all others. From the first invoice on, a share of the `high` values is wrong.
"""

from dataclasses import dataclass
from random import Random
from statistics import median

from serve_app.domain.quality import ALARM, Wealth
from serve_app.domain.target_precision import TargetPrecision

VERIFIED = 0.6
"""The share of invoices that are verified automatically."""
HIGH = 0.5
"""The share of the others whose field is `high`."""
AUDITED = 0.02
RUNS = 100
MOST = 50_000
"""Invoices of a run."""


@dataclass(frozen=True, slots=True)
class Run:
    """After how many invoices, and decided values, the threshold rose; None: it did not."""

    invoices: int | None
    decided: int


def run(seed: int, wrong: float, most: int = MOST) -> Run:
    rng = Random(seed)  # noqa: S311 - no secret
    wealth, decided = Wealth(1 / AUDITED), 0
    for invoice in range(1, most + 1):
        if rng.random() < VERIFIED:
            if rng.random() >= AUDITED:
                continue
            weight = 1 / AUDITED
        elif rng.random() < HIGH:
            weight = 1.0
        else:
            continue
        decided += 1
        wealth.add(is_right=rng.random() >= wrong, weight=weight)
        if wealth.highest >= ALARM:
            return Run(invoice, decided)
    return Run(None, decided)


def main() -> None:
    promised = TargetPrecision.STANDARD.allowed_wrong_of_field
    print(f"{RUNS} runs of at most {MOST:,} invoices; promised: at most {promised:.0%} wrong\n")
    print("| wrong | rose | invoices, median | 90 % within | decided values, median |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for wrong in (0.005, 0.01, 0.02, 0.04, 0.08, 0.2):
        runs = [run(seed, wrong) for seed in range(RUNS)]
        rose = sorted((each.invoices, each.decided) for each in runs if each.invoices is not None)
        if not rose:
            print(f"| {wrong:.1%} | 0 | - | - | - |")
            continue
        invoices = [each for each, _ in rose]
        within = invoices[int(0.9 * RUNS) - 1] if len(rose) >= 0.9 * RUNS else None
        shown = "-" if within is None else f"{within:,}"
        cells = (
            f"{wrong:.1%}",
            len(rose),
            f"{median(invoices):,.0f}",
            shown,
            f"{median(each for _, each in rose):,.0f}",
        )
        print("| " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    main()
