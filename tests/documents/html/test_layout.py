"""Words are where a desktop browser would put them."""

from base64 import b64encode
from io import BytesIO

from PIL import Image

from serve_app.domain.document import Box, Page
from tests.documents.html.reading import read, text_of

FRUIT = "<tr><td>Apples</td><td>2</td><td>3.00</td></tr><tr><td>Pears</td><td>1</td><td>4.50</td></tr>"


def boxes(page: Page) -> dict[str, Box]:
    return {word.text: word.box for word in page.words}


def test_rows_of_a_table_are_lines() -> None:
    assert text_of(f"<table>{FRUIT}</table>") == "Apples 2 3.00 Pears 1 4.50"


def test_boxes_are_fractions_of_the_page_from_the_top_left() -> None:
    found = boxes(read(f"<h1>Invoice</h1><table width=100%>{FRUIT}</table>").pages[0])
    assert 0 < found["Invoice"].x0 < found["Invoice"].x1 < 1
    assert found["Invoice"].y1 < found["Apples"].y0 < found["Pears"].y0 < 0.3
    assert found["Apples"].x1 < found["2"].x0 < found["3.00"].x0


def test_a_long_document_has_pages_and_tears_no_row() -> None:
    rows = "".join(f"<tr><td>Row{number}<br>part</td><td>End{number}</td></tr>" for number in range(80))
    pages = read(f"<table>{rows}</table>").pages
    assert [page.number for page in pages] == [1, 2, 3][: len(pages)]
    assert len(pages) > 1
    assert [word.text for page in pages for word in page.words][-3:] == ["Row79", "End79", "part"]
    for page in pages:
        assert sum(word.text == "part" for word in page.words) == sum("Row" in word.text for word in page.words)


def test_a_wide_table_is_not_cut() -> None:
    cells = "".join(f"<td style='min-width:150px'>Column{number}</td>" for number in range(12))
    page = read(f"<table><tr>{cells}</tr></table>").pages[0]
    assert [word.text for word in page.words] == [f"Column{number}" for number in range(12)]
    assert max(word.box.x1 for word in page.words) < 1


def test_rules_for_telephones_do_not_apply() -> None:
    narrow, wide = (
        "@media (max-width:600px){.l{display:none}}",
        "@media screen and (min-width:600px){.s{display:block}}",
    )
    assert (
        text_of(f"<style>.s{{display:none}} {narrow} {wide}</style><p class=l>Long</p><p class=s>Shown</p>")
        == "Long Shown"
    )


def test_flexboxes_and_grids_put_things_side_by_side() -> None:
    for style in ("display:flex", "display:grid;grid-template-columns:1fr 1fr"):
        assert text_of(f"<div style='{style}'><p>Total<p>12.50</div><p>Thanks") == "Total 12.50 Thanks"
    assert text_of("<div style='display:flex;flex-direction:column'><b>Total</b><b>12.50</b></div>") == "Total 12.50"


def test_formatting_does_not_split_words() -> None:
    assert (
        text_of("<p>Inv<b>oice</b> <span style='letter-spacing:9px'>Total</span> $<i>12</i>.50")
        == "Invoice Total $12.50"
    )


def test_values_of_forms_are_text() -> None:
    form = (
        "<input value=INV-17><input type=hidden value=h><input type=password value=p><textarea>Note</textarea>"
        "<select><option>Net 10<option selected>Net 30</select><input type=checkbox value=on>"
    )
    assert text_of(form) == "INV-17 Note Net 30"


def test_text_of_drawings_and_missing_pictures_is_read() -> None:
    svg = "<svg width=200 height=40><rect width=9 height=9 /><text x=5 y=20>Akme</text></svg>"
    assert text_of(f"{svg}<p><img src='https://a.example/logo.png' alt='Akme Ltd'>") == "Akme Akme Ltd"


def test_a_picture_in_the_file_takes_its_room() -> None:
    buffer = BytesIO()
    Image.new("RGB", (2, 2)).save(buffer, "PNG")
    pixel = f"data:image/png;base64,{b64encode(buffer.getvalue()).decode()}"
    found = boxes(read(f"<p>Before<p><img src='{pixel}' height=300 alt='not shown'><p>After").pages[0])
    assert list(found) == ["Before", "After"]
    assert found["After"].y0 - found["Before"].y1 > 0.2


def test_a_drawing_does_not_nest_the_rest_of_the_page() -> None:
    drawing = f"<svg viewBox='0 0 9 9'>{'<rect width=1 height=1 />' * 500}</svg>"
    table = "<table><tr><th>Requisição<th>Moeda<tr><td>REQ 118/24<td>EUR</table>"
    assert "RequisiçãoMoeda" not in text_of(f"{drawing}{table}")
