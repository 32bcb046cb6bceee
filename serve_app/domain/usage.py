"""What reading a document took: measured while it is read, and answered with its invoices."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

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
    """What the latest successful reading took: the processor time of reading, models and extraction. Invoices of one
    file share its times by their pages."""

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


def _split(total: int, weights: Sequence[int]) -> list[int]:
    """The total in parts of these weights, with nothing lost by rounding."""
    ends = list(accumulate(weights, initial=0))
    return [total * last // ends[-1] - total * first // ends[-1] for first, last in pairwise(ends)]
