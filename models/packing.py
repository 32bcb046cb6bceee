"""Pack inputs of different lengths into padded batches."""

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

T = TypeVar("T", bound=Sized)

# Inputs shorter than this share of a batch's longest go into another batch, which bounds padding.
LEAST_SHARE = 0.75


def packed(items: Iterable[T], budget: int) -> Iterator[list[T]]:
    """Batches of the items, longest first. A batch costs its longest item times its items, at most `budget`; a longer
    item gets its own batch."""
    batch: list[T] = []
    for item in sorted(items, key=len, reverse=True):
        if batch and (len(batch[0]) * (len(batch) + 1) > budget or len(item) < LEAST_SHARE * len(batch[0])):
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch
