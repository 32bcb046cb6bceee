"""What a file took is shared by its invoices, and nothing is lost."""

import pytest

from serve_app.domain.usage import ComputeTime, usages


@pytest.mark.parametrize("pages", [[1], [1, 1, 1], [2, 5, 3], [7, 1]])
def test_the_invoices_of_a_file_have_all_of_its_time_together(pages: list[int]) -> None:
    found = usages(pages, [0] * len(pages), ComputeTime(1.0, 0.5))
    assert sum(usage.cpu_ms for usage in found) == 1000
    assert sum(usage.gpu_ms or 0 for usage in found) == 500


def test_an_invoice_has_the_share_of_its_pages() -> None:
    assert [usage.cpu_ms for usage in usages([1, 3], [0, 0], ComputeTime(0.4))] == [100, 300]


def test_without_a_gpu_its_time_is_unknown() -> None:
    assert usages([1], [1], ComputeTime(0.4))[0].gpu_ms is None
