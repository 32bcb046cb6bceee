"""Compare this run with an earlier one: which header fields changed, and whether by more than chance."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

from models.evaluation.compare import HEADER
from models.evaluation.grid import Grid
from models.evaluation.record import Scored


@dataclass(frozen=True, slots=True)
class Change:
    """A field over the documents that both runs scored: right before, right now, and the changes."""

    field: str
    count: int
    before: int
    now: int
    lost: tuple[Scored, ...]
    won: tuple[Scored, ...]

    @property
    def chance(self) -> float:
        """The probability of a difference this large by chance alone (McNemar's exact test, 1947)."""
        return sign_test(len(self.lost), len(self.won))


def changes(before: Mapping[Scored, bool], now: Mapping[Scored, bool]) -> list[Change]:
    """The change in each header field, and in all together, over what both runs scored."""
    both = sorted(before.keys() & now.keys(), key=lambda value: (value.document, value.invoice, value.field))
    parts = [(name, [value for value in both if value.field == name]) for name in HEADER] + [("all", both)]
    return [_change(name, mine, before, now) for name, mine in parts if mine]


def sign_test(lost: int, won: int) -> float:
    """Two-sided: the probability of a split of `lost` + `won` at least this uneven if both are equally likely."""
    total, least = lost + won, min(lost, won)
    tail = sum(comb(total, count) for count in range(least + 1))
    return min(1.0, 2 * tail / (1 << total))


def change_grid(found: list[Change]) -> Grid:
    """One row a field."""
    rows = [
        [
            change.field,
            f"{change.before}/{change.count}",
            f"{change.now}/{change.count}",
            str(len(change.won)),
            str(len(change.lost)),
            f"{change.chance:.3f}",
        ]
        for change in found
    ]
    columns = ("field", "right before", "right now", "won", "lost", "p (McNemar)")
    return Grid("Against the earlier run", columns, rows)


def changed_grid(found: list[Change]) -> Grid:
    """One row per changed value, the lost ones first."""
    whole = next((change for change in found if change.field == "all"), None)
    pairs = (
        [] if whole is None else [*((value, "lost") for value in whole.lost), *((value, "won") for value in whole.won)]
    )
    rows = [[f"{pair.document} [{pair.invoice + 1}]", pair.field, word] for pair, word in pairs]
    return Grid("Values that changed", ("document", "field", "change"), rows)


def _change(name: str, mine: list[Scored], before: Mapping[Scored, bool], now: Mapping[Scored, bool]) -> Change:
    return Change(
        name,
        len(mine),
        sum(before[value] for value in mine),
        sum(now[value] for value in mine),
        tuple(value for value in mine if before[value] and not now[value]),
        tuple(value for value in mine if now[value] and not before[value]),
    )
