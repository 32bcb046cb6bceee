"""A PDF that is read a few pages at a time is the same as one that is read as a whole."""

import pytest

from serve_app.documents.limits import Limits
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.documents.reader import read_slice
from serve_app.documents.slices import Slice
from serve_app.domain.document import TextSource
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.support.pdfs import drawn, picture_of, place, write_lines

OPTIONS = ReadOptions(limits=Limits(max_pixels=500_000))
SCAN = picture_of(drawn(write_lines))
MIXED = drawn(write_lines, lambda canvas: place(canvas, SCAN), write_lines, lambda canvas: place(canvas, SCAN))


def test_pages_are_the_same_however_they_are_cut() -> None:
    whole = read_pdf(MIXED, OPTIONS)
    assert [page.source for page in whole.pages] == 2 * [TextSource.TEXT_LAYER, TextSource.OCR]
    parts = [read_slice(MIXED, OPTIONS, Slice(numbers)) for numbers in ((1, 2), (3,), (4,))]
    assert [part.count for part in parts] == [4, 4, 4]
    assert tuple(page for part in parts for page in part.document.pages) == whole.pages


def test_the_page_in_which_time_runs_out_is_the_last() -> None:
    first = read_slice(MIXED, OPTIONS, Slice(seconds=0))
    assert [page.number for page in first.document.pages] == [1]
    assert first.count == 4
    third = read_slice(MIXED, OPTIONS, Slice((3, 4), seconds=0))
    assert [page.number for page in third.document.pages] == [3]


def test_some_pages_may_be_empty_but_not_all() -> None:
    blank = drawn(lambda canvas: None, write_lines)
    assert not read_slice(blank, OPTIONS, Slice((1,))).document.has_text
    with pytest.raises(DocumentError) as caught:
        read_slice(drawn(lambda canvas: None, lambda canvas: None), OPTIONS, Slice())
    assert caught.value.code is FailureCode.NO_TEXT_FOUND


def test_a_page_that_is_not_there_is_an_error() -> None:
    with pytest.raises(DocumentError, match="no page 5"):
        read_slice(MIXED, OPTIONS, Slice((5,)))
