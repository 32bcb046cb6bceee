"""The lines of an audit."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A figure of the audit. `wrong` names what should not be there: a promise is kept while there is none; None where
    nothing is promised."""

    name: str
    figure: str
    wrong: tuple[str, ...] | None = None

    @property
    def is_kept(self) -> bool:
        return not self.wrong

    @property
    def verdict(self) -> str:
        if self.wrong is None:
            return ""
        return "BROKEN" if self.wrong else "kept"


def promise(name: str, wrong: Collection[str]) -> Line:
    """A line that is broken by anything in `wrong`."""
    return Line(name, str(len(wrong)), tuple(sorted(wrong)))


def listed(counts: Counter[str]) -> str:
    """What was counted, on one line."""
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"
