"""Pages that are cut out of a file: those, or none."""

import asyncio
from pathlib import Path

import pytest

from serve_app.documents.isolation.cutter import IsolatedCutter
from serve_app.documents.options import ReadOptions
from serve_app.domain.errors import PartNotFound
from tests.support.pdfs import write_invoice_pdf


async def test_what_cannot_be_cut_is_told_and_never_the_whole_file(tmp_path: Path) -> None:
    cutter = IsolatedCutter(ReadOptions())
    whole = write_invoice_pdf(tmp_path / "a.pdf", pages=2).read_bytes()
    for data, pages in ((whole, (3, 4)), (b"%PDF-1.7 damaged", (1, 1))):
        with pytest.raises(PartNotFound):
            await cutter.cut(data, *pages)
    part = await cutter.cut(whole, 2, 2)
    assert part.startswith(b"%PDF-")
    assert part != whole
    await asyncio.to_thread(cutter.close)
