"""Form fields and notes are read where the page shows them."""

from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.limits import Limits
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import Word
from tests.support.pdfs import drawn, file_of, stream, write_lines

ANNOTATION = "/Type/Annot/Rect[100 600 300 620]"


def words_of(data: bytes) -> list[Word]:
    (page,) = read_text_layer(data, Limits())
    return list(page.words)


def texts_of(data: bytes) -> list[str]:
    return [word.text for word in words_of(data)]


def page_with(annotation: str, *, form: str = "", more: tuple[str, ...] = ()) -> bytes:
    """A page that says "Total", with one annotation (object 6); it is a form's field, too. Objects in `more` are
    numbered from 7."""
    return file_of(
        [
            f"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]/DR<</Font<</F1 5 0 R>>>>/DA(/F1 12 Tf){form}>>>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Annots[6 0 R]"
            "/Resources<</Font<</F1 5 0 R>>>>>>",
            stream("BT /F1 12 Tf 60 700 Td (Total 9) Tj ET"),
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
            f"<<{ANNOTATION}{annotation}>>",
            *more,
        ]
    )


def filled_form(value: str) -> bytes:
    """A form made by one tool and filled by another, appearance included."""

    def form(canvas: Canvas) -> None:
        canvas.drawString(100, 745, "Amount")
        canvas.acroForm.textfield(name="amount", x=100, y=700, width=200, height=20)

    writer = PdfWriter(clone_from=PdfReader(BytesIO(drawn(form))))
    writer.update_page_form_field_values(writer.pages[0], {"amount": value}, auto_regenerate=False)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_a_filled_field_is_read_at_its_place() -> None:
    words = words_of(filled_form("1234.50 EUR"))
    assert [word.text for word in words] == ["Amount", "1234.50", "EUR"]
    assert words[1].box.x0 == pytest.approx(102 / 595, abs=0.01)
    assert words[1].box.y_center == pytest.approx(1 - 710 / 842, abs=0.01)


@pytest.mark.parametrize("form", ["", "/NeedAppearances true"])
def test_a_value_without_an_appearance_is_read_at_its_place(form: str) -> None:
    words = words_of(page_with("/Subtype/Widget/FT/Tx/T(a)/V(1234.50 EUR)/DA(/F1 12 Tf)", form=form))
    assert [word.text for word in words] == ["Total", "9", "1234.50", "EUR"]
    for word in words[2:]:
        assert 100 / 600 - 1e-5 <= word.box.x0 < word.box.x1 <= 300 / 600 + 1e-5
        assert 180 / 800 - 1e-5 <= word.box.y0 < word.box.y1 <= 200 / 800 + 1e-5


def test_a_chosen_value_is_read() -> None:
    assert "EUR" in texts_of(page_with("/Subtype/Widget/FT/Ch/Ff 131072/T(c)/Opt[(USD)(EUR)]/V(EUR)/DA(/F1 12 Tf)"))


def test_a_note_on_the_page_is_read() -> None:
    assert "corrected" in texts_of(page_with("/Subtype/FreeText/Contents(corrected 45.00)/DA(/F1 12 Tf)"))


def test_a_note_with_an_appearance_is_read_once() -> None:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(drawn(write_lines))))
    writer.add_annotation(0, FreeText(text="PAID 45.00", rect=(300, 300, 400, 330)))
    buffer = BytesIO()
    writer.write(buffer)
    assert texts_of(buffer.getvalue()).count("PAID") == 1


@pytest.mark.parametrize(
    "annotation",
    [
        "/Subtype/Widget/FT/Tx/T(a)/V(Secret)/DA(/F1 12 Tf)/F 2",
        "/Subtype/Widget/FT/Tx/T(a)/V(Secret)/DA(/F1 12 Tf)/F 32",
        "/Subtype/Widget/FT/Tx/Ff 8192/T(a)/V(Secret)/DA(/F1 12 Tf)",
        "/Subtype/FreeText/Contents(Secret)/DA(/F1 12 Tf)/F 2",
        "/Subtype/Text/Contents(Secret)",
        "/Subtype/Popup/Contents(Secret)/Open true",
        "/Subtype/Highlight/Contents(Secret)/QuadPoints[100 620 300 620 100 600 300 600]",
        "/Subtype/Link/Contents(Secret)",
    ],
    ids=["hidden", "not viewed", "a password", "hidden note", "comment", "popup", "comment of a mark", "link"],
)
def test_what_the_page_does_not_show_is_not_read(annotation: str) -> None:
    assert texts_of(page_with(annotation)) == ["Total", "9"]


COMB = "/Subtype/Widget/FT/Tx/T(date)/MaxLen 8/Ff 16777216/AP<</N 7 0 R>>"


def comb(text: str) -> str:
    """What a comb field looks like: characters 25 points apart."""
    shown = " ".join(f"1 0 0 1 {10 + 25 * at} 5 Tm ({character}) Tj" for at, character in enumerate(text))
    form = "/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 5 0 R>>>>"
    return stream(f"BT /F1 12 Tf {shown} ET", form)


def test_a_value_in_the_boxes_of_a_comb_field_is_one_word() -> None:
    data = page_with(f"{COMB}/V(14082025)", more=(comb("14082025"),))
    assert sorted(texts_of(data)) == ["14082025", "9", "Total"]


def test_what_a_field_shows_counts_where_its_value_is_another() -> None:
    data = page_with(f"{COMB}/V(14082026)", more=(comb("14082025"),))
    assert texts_of(data)[-8:] == [*"14082025"]
