"""How much CPU time a document may take, by its pages.

Text can be written so that patterns and sums try combinations for minutes. The budget ends that long before the time
limit of the document, and however busy the machine is, it never ends a document that only waited.
"""

import resource
from dataclasses import dataclass

from serve_app.domain.packed import LabelledPages


@dataclass(frozen=True, slots=True)
class Budget:
    """CPU seconds: `base_seconds` for a document of any size, a hundred times what an ordinary page takes, and
    `page_seconds` on top of it for each page."""

    base_seconds: float = 20.0
    page_seconds: float = 5.0

    def seconds_for(self, labelled: LabelledPages) -> float:
        """What the document may take."""
        return self.base_seconds + self.page_seconds * count_pages(labelled)


DEFAULT_BUDGET = Budget()


def count_pages(labelled: LabelledPages) -> int:
    """How many pages the document has."""
    return sum(len(packet.numbers) for packet in labelled.pages)


def allow_cpu(seconds: float) -> None:
    """Let this process use that much more CPU time, rounded up to whole seconds, before it is killed (SIGXCPU)."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 1, hard))
