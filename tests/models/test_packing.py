"""Batches hold what fits, and little padding."""

import numpy as np
import pytest

from models.packing import LEAST_SHARE, packed


@pytest.mark.parametrize("budget", [600, 2048, 16_384])
def test_every_item_is_in_one_batch_that_fits_the_budget(budget: int) -> None:
    items = [range(size) for size in np.random.default_rng(0).choice([3, 40, 200, 510], 300)]
    batches = list(packed(items, budget))
    assert sorted(map(len, (item for batch in batches for item in batch))) == sorted(map(len, items))
    assert all(len(batch[0]) * len(batch) <= budget for batch in batches)


def test_padding_is_bounded() -> None:
    sizes = np.random.default_rng(1).integers(1, 513, 500)
    for batch in packed([range(size) for size in sizes], 16_384):
        assert min(map(len, batch)) >= LEAST_SHARE * len(batch[0])
    batches = list(packed([range(512), *[range(10)] * 30], 16_384))
    assert [len(batch) for batch in batches] == [1, 30], "one long page does not make thirty short ones long"


def test_an_item_over_the_budget_goes_alone() -> None:
    assert [len(batch) for batch in packed([range(500), range(400), range(390)], 450)] == [1, 1, 1]


def test_nothing_is_no_batch() -> None:
    assert list(packed([], 100)) == []
