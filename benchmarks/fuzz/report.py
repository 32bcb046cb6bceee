"""What came of the files, and which promises held."""

import resource
from collections import Counter
from dataclasses import dataclass, field

MISBEHAVED = "no clear outcome"


@dataclass
class Report:
    """Counted as the run goes; seconds are wall time, with the wait for a new process where one was lost."""

    seed: int
    limit_seconds: float
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)
    longest: tuple[float, str] = (0.0, "none")
    hangs: int = 0
    errors: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    connections: int = 0

    def add(self, name: str, kind: str, outcome: str, seconds: float) -> None:
        self.outcomes[kind, outcome] += 1
        self.longest = max(self.longest, (seconds, name))
        self.hangs += seconds > self.limit_seconds

    @property
    def files(self) -> int:
        return self.outcomes.total()

    @property
    def broken_promises(self) -> list[str]:
        promises = {
            "every file has a clear outcome": not self.errors,
            f"no file takes more than {self.limit_seconds:.0f} s": self.hangs == 0,
            "nothing is written outside the reader's folder": not self.written,
            "no connection is opened": self.connections == 0,
        }
        return [promise for promise, kept in promises.items() if not kept]

    def lines(self, seconds: float) -> list[str]:
        """The report, to be printed."""
        child, parent = (resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_CHILDREN, 0))
        lost = ", ".join(f"{count} by {cause}" for cause, count in sorted(self.losses.items())) or "none"
        return [
            f"{self.files} files in {seconds:.0f} s, seed {self.seed}",
            *self._table(),
            f"reader processes lost: {lost}",
            f"longest: {self.longest[0]:.1f} s ({self.longest[1]}); over {self.limit_seconds:.0f} s: {self.hangs}",
            f"peak memory: reader process {child} MiB, this process {parent} MiB",
            f"written outside the reader's folder: {len(self.written)} {' '.join(self.written[:5])}",
            f"connections opened: {self.connections}",
            *self.errors[:20],
            *(f"BROKEN: {promise}" for promise in self.broken_promises),
        ]

    def _table(self) -> list[str]:
        kinds = sorted({kind for kind, _ in self.outcomes})
        rows = [f"  {'':28}{'files':>7}  outcomes"]
        for kind in kinds:
            own = {outcome: count for (of, outcome), count in self.outcomes.items() if of == kind}
            listed = ", ".join(f"{outcome} {own[outcome]}" for outcome in sorted(own))
            rows.append(f"  {kind:28}{sum(own.values()):7}  {listed}")
        return rows
