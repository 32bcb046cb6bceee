"""What reading a document took: measured while it is read, and answered with its invoices."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from serve_app.domain.resource import Resource


@dataclass(frozen=True, slots=True)
class ComputeTime:
    """Seconds of processor cores, and seconds for which a model had a GPU; 0 if nothing was measured."""

    cpu: float = 0.0
    gpu: float = 0.0

    def __add__(self, other: "ComputeTime") -> "ComputeTime":
        return ComputeTime(self.cpu + other.cpu, self.gpu + other.gpu)


NOTHING_SPENT = ComputeTime()


class Usage(Resource):
    """What readings took: the processor time of reading, models and extraction. That of an invoice is of its latest
    successful reading; invoices of one file share its times by their pages."""

    pages: int
    ocr_pages: int
    cpu_ms: int
    gpu_ms: int | None


def usages(pages: Sequence[int], ocr_pages: Sequence[int], spent: ComputeTime) -> list[Usage]:
    """What each invoice of a file took, by the numbers of their pages: together all that was `spent`."""
    cpu, gpu = (_split(round(1000 * seconds), pages) for seconds in (spent.cpu, spent.gpu))
    return [
        Usage(pages=count, ocr_pages=ocr, cpu_ms=cpu_ms, gpu_ms=gpu_ms if spent.gpu else None)
        for count, ocr, cpu_ms, gpu_ms in zip(pages, ocr_pages, cpu, gpu, strict=True)
    ]


class UsageSums(NamedTuple):
    """What several readings took together; `gpu_ms` 0: none of them used a GPU."""

    pages: int = 0
    ocr_pages: int = 0
    cpu_ms: int = 0
    gpu_ms: int = 0

    @classmethod
    def of(cls, readings: Iterable[Usage | None]) -> "UsageSums":
        """The sums of readings; None: nothing was measured."""
        known = [reading for reading in readings if reading is not None]
        return cls(
            sum(reading.pages for reading in known),
            sum(reading.ocr_pages for reading in known),
            sum(reading.cpu_ms for reading in known),
            sum(reading.gpu_ms or 0 for reading in known),
        )

    def as_usage(self) -> Usage:
        """The same for an answer."""
        return Usage(pages=self.pages, ocr_pages=self.ocr_pages, cpu_ms=self.cpu_ms, gpu_ms=self.gpu_ms or None)


def _split(total: int, weights: Sequence[int]) -> list[int]:
    """The total in parts of these weights, with nothing lost by rounding."""
    ends = list(accumulate(weights, initial=0))
    return [total * last // ends[-1] - total * first // ends[-1] for first, last in pairwise(ends)]
