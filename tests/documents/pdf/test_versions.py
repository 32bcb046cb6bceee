"""What a file said before an editor appended changes to it."""

from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.documents.pdf.versions import earlier_versions
from serve_app.domain.document import DISPUTED, ConflictKind, Page
from tests.support.pdfs import drawn, file_of, page_of, picture_of, place, stream, updated, write_lines

LINES = ("Invoice 2024-117", "Total 1,450.00", "Account GB33 BUKB 2020 1555 5555 55")


def content(*lines: str) -> str:
    return "".join(f"BT /F1 12 Tf 60 {700 - 30 * row} Td ({line}) Tj ET " for row, line in enumerate(lines))


def read(data: bytes) -> Page:
    (page,) = read_pdf(data, ReadOptions()).pages
    return page


def found(data: bytes) -> list[tuple[str, str, str | None]]:
    return [(each.kind, each.text, each.other) for each in read(data).conflicts]


ORIGINAL = page_of(content(*LINES))
CHANGED = updated(ORIGINAL, {4: stream(content(*LINES).replace("1,450.00", "7,450.00"))})
COVERED = updated(ORIGINAL, {4: stream(content(*LINES) + "1 g 90 665 80 18 re f 0 g " + content("", "Total 7,450.00"))})


class TestReplacedValues:
    @pytest.mark.parametrize("data", [CHANGED, COVERED, updated(CHANGED, {6: "<</Title(Signed)>>"})])
    def test_are_found_with_what_they_were(self, data: bytes) -> None:
        assert found(data) == [(ConflictKind.REPLACED, "7,450.00", "1,450.00")]

    def test_are_disputed_and_others_are_not(self) -> None:
        assert {word.text for word in read(CHANGED).words if word.confidence == DISPUTED} == {"7,450.00"}

    def test_account_is_found(self) -> None:
        data = updated(ORIGINAL, {4: stream(content(*LINES[:2], "Account GB94 BARC 1020 1530 0934 59"))})
        assert {(kind, other) for kind, _, other in found(data)} >= {(ConflictKind.REPLACED, "GB33")}

    def test_in_form_fields_are_found(self) -> None:
        empty = form("")
        filled = updated(empty, field("1,450.00"))
        assert found(filled) == [(ConflictKind.ADDED, "1,450.00", None)]
        assert (ConflictKind.REPLACED, "7,450.00", "1,450.00") in found(updated(filled, field("7,450.00")))

    def test_in_the_picture_of_a_scan_are_found(self) -> None:
        paper = picture_of(drawn(lambda canvas: write_lines(canvas)), dpi=150)
        page = drawn(lambda canvas: place(canvas, paper))

        def overlay(canvas: Canvas) -> None:
            canvas.setFillGray(1)
            canvas.rect(72, 522, 200, 22, stroke=0, fill=1)
            canvas.setFillGray(0)
            canvas.drawString(72, 770 - 24 * 10, "Total: GBP 94.70")

        writer = PdfWriter(BytesIO(page), incremental=True)
        writer.pages[0].merge_page(PdfReader(BytesIO(drawn(overlay))).pages[0])
        changed = BytesIO()
        writer.write(changed)
        conflicts = found(changed.getvalue())
        assert [(kind, text) for kind, text, _ in conflicts] == [(ConflictKind.REPLACED, "94.70")]


class TestHonestUpdates:
    def test_of_metadata_say_nothing(self) -> None:
        assert found(updated(ORIGINAL, {6: "<</Title(Invoice)>>"})) == []

    def test_that_write_the_same_in_other_pieces_say_nothing(self) -> None:
        pieces = content(*LINES).replace("(Total 1,450.00) Tj", "[(Total 1) -400 (,450.00)] TJ")
        assert found(updated(ORIGINAL, {4: stream(pieces)})) == []

    def test_that_add_a_stamp_replace_nothing(self) -> None:
        stamped = updated(ORIGINAL, {4: stream(content(*LINES) + content(*[""] * 8, "PAID 2024-05-01"))})
        assert {kind for kind, *_ in found(stamped)} == {ConflictKind.ADDED}
        assert all(word.confidence == 1 for word in read(stamped).words)

    def test_that_fill_a_form_with_zeros_replace_nothing(self) -> None:
        filled = updated(form("0.00"), field("1,450.00"))
        assert {kind for kind, *_ in found(filled)} == {ConflictKind.ADDED}

    def test_stamp_over_a_value_replaces_none_elsewhere(self) -> None:
        stamp = "1 g 90 635 260 18 re f 0 g " + content(*[""] * 9, "Received 2024-05-01")
        assert {kind for kind, *_ in found(updated(ORIGINAL, {4: stream(content(*LINES) + stamp)}))} == {
            ConflictKind.ADDED
        }

    def test_another_page_in_front_is_no_change(self) -> None:
        two = {
            2: "<</Type/Pages/Kids[7 0 R 3 0 R]/Count 2>>",
            6: stream(content("Cover 4711")),
            7: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 6 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        }
        pages = read_pdf(updated(ORIGINAL, two), ReadOptions()).pages
        assert [page.conflicts for page in pages] == [(), ()]

    def test_first_part_of_a_linearized_file_is_no_version(self) -> None:
        first = b"%PDF-1.7\n1 0 obj<</Linearized 1>>endobj\nxref\n0 0\ntrailer<</Prev 9000>>\nstartxref\n40\n%%EOF\n"
        rest = b"x" * 9000 + b"xref\nstartxref\n40\n%%EOF\n"
        assert earlier_versions(first + rest) == []
        assert earlier_versions(first + rest + b"startxref\n50\n%%EOF\n") == [len(first + rest) - 1]


def test_oldest_version_is_compared_however_often_the_file_was_saved() -> None:
    data = CHANGED
    for turn in range(9):
        data = updated(data, {6: f"<</Title(Turn {turn})>>"})
    assert found(data) == [(ConflictKind.REPLACED, "7,450.00", "1,450.00")]


@pytest.mark.parametrize("number", ["0", "9" * 5000, "-1", "99999999"])
def test_end_that_points_nowhere_is_no_version(number: str) -> None:
    broken = ORIGINAL.replace(b"%%EOF", f"%%EOF\nstartxref\n{number}\n%%EOF".encode(), 1)
    assert len(earlier_versions(broken)) <= 1
    assert read(broken).conflicts == ()


def test_earlier_version_that_cannot_be_read_is_left_out() -> None:
    broken = b"%PDF-1.7\n" + b"junk\n" * 9 + b"startxref\n12\n%%EOF\n" + CHANGED
    assert len(earlier_versions(broken)) == 2


def form(value: str) -> bytes:
    fields = field(value)
    return file_of(
        [
            "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]>>>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Annots[6 0 R]"
            "/Resources<</Font<</F1 5 0 R>>>>>>",
            stream(content("Invoice 2024-117", "Total")),
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
            *(fields[number] for number in (6, 7)),
        ]
    )


def field(value: str) -> dict[int, str]:
    """A text field as object 6, and its appearance as 7."""
    shown = f"/Tx BMC q BT /F1 12 Tf 2 4 Td ({value}) Tj ET Q EMC"
    return {
        6: f"<</Type/Annot/Subtype/Widget/FT/Tx/T(total)/V({value})/F 4/Rect[120 665 220 685]/P 3 0 R"
        "/DA(/F1 12 Tf 0 g)/AP<</N 7 0 R>>>>",
        7: stream(shown, "/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F1 5 0 R>>>>"),
    }
