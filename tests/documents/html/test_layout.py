"""Words are where a desktop browser would put them."""

from base64 import b64encode
from io import BytesIO

import pytest
from PIL import Image

from serve_app.domain.document import Box, Page
from tests.documents.html.reading import read, text_of

FRUIT = "<tr><td>Apples</td><td>2</td><td>3.00</td></tr><tr><td>Pears</td><td>1</td><td>4.50</td></tr>"


def boxes(page: Page) -> dict[str, Box]:
    return {word.text: word.box for word in page.words}


def test_rows_of_a_table_are_lines() -> None:
    assert text_of(f"<table>{FRUIT}</table>") == "Apples 2 3.00 Pears 1 4.50"


@pytest.mark.parametrize("tag", ["span", "td"])
def test_characters_in_boxes_are_one_word(tag: str) -> None:
    style = "border:1px solid;width:16px;display:inline-block;text-align:center"
    cells = "".join(f"<{tag} style='{style if tag == 'span' else style[:26]}'>{each}</{tag}>" for each in "14082025")
    comb = cells if tag == "span" else f"<table style='border-collapse:collapse'><tr>{cells}</tr></table>"
    assert text_of(f"<p>Date</p>{comb}") == "Date 14082025"


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


def rows_of(markup: str) -> list[str]:
    """The printed lines of the first page, from left to right."""
    page = read(markup).pages[0]
    lines: dict[int, list[tuple[float, str]]] = {}
    for word in page.words:
        near = next((y for y in lines if abs(y - word.box.y_center * page.height) < 6), None)
        lines.setdefault(round(word.box.y_center * page.height) if near is None else near, []).append(
            (word.box.x0, word.text)
        )
    return [" ".join(text for _, text in sorted(lines[y])) for y in sorted(lines)]


def test_items_of_a_grid_span_the_columns_that_they_name() -> None:
    rules = (".g{display:grid;grid-template-columns:repeat(12,1fr)}", ".all{grid-column:1/-1}", ".l{grid-column:1/7}",
             ".r{grid-column:8/13}", ".s8{grid-column:span 8}", ".s2{grid-column:span 2}")  # fmt: skip
    style = f"<style>{' '.join(rules)}</style>"
    items = "<p class=all>Invoice<p class=l>Buyer Ltd<p class=r>Akme Ltd<p class=all>Total due"
    assert rows_of(f"{style}<div class=g>{items}</div>") == ["Invoice", "Buyer Ltd Akme Ltd", "Total due"]
    spans = "<p class=s8>Design<p class=s2>4<p class=s2>400.00"
    assert rows_of(f"{style}<div class=g>{spans}{spans}</div>") == ["Design 4 400.00"] * 2


def test_items_of_a_grid_go_to_their_areas() -> None:
    style = "display:grid;grid-template-columns:1fr 1fr 1fr;grid-template-areas:'head head head' 'from . to'"
    items = "<p style='grid-area:head'>Invoice<p style='grid-area:from'>Akme<p style='grid-area:to'>Buyer"
    assert rows_of(f'<div style="{style}">{items}</div>') == ["Invoice", "Akme Buyer"]


def test_tracks_of_a_grid_have_their_sizes() -> None:
    row = "<b>Quantity of rolls and reams</b><i>2</i><i>12.50</i><i>25.00</i>"
    style = "display:grid;width:500px;grid-template-columns:minmax(0,1fr) 40px 60px 60px"
    assert rows_of(f"<div style='{style}'>{row}{row}</div>") == ["Quantity of rolls and reams 2 12.50 25.00"] * 2


def test_columns_of_a_grid_do_not_run_into_each_other() -> None:
    pair = "<dt style='text-align:right'>Number</dt><dd style='margin:0'>17</dd>"
    assert rows_of(f"<dl style='display:grid;grid-template-columns:auto auto'>{pair}{pair}</dl>") == ["Number 17"] * 2


@pytest.mark.parametrize("style", ["overflow: hidden", "overflow: auto", "display: flow-root"])
def test_what_follows_floats_does_not_cover_them(style: str) -> None:
    floats = "<style>dt, dd { float: left; margin: 0 } dt { clear: left; width: 150px }</style>"
    dates = "<dl style='{}'><dt>Number</dt><dd>2025-019</dd><dt>Date</dt><dd>12 June 2025</dd></dl>"
    assert rows_of(f"{floats}{dates.format(style)}<p>Total 55</p>") == [
        "Number 2025-019",
        "Date 12 June 2025",
        "Total 55",
    ]


def test_items_of_a_flexbox_with_several_lines_have_their_widths() -> None:
    rules = (".row{display:flex;flex-wrap:wrap}", ".c6{flex:0 0 50%}", ".c8{width:66.67%}", ".c2{width:16.67%}",
             ".c{flex:1 0 0}")  # fmt: skip
    style = f"<style>{' '.join(rules)}</style>"
    halves = "<div class=row><div class=c6>Akme</div><div class=c6>Buyer</div></div>"
    cells = "<div class=row><div class=c8>Design</div><div class=c2>4</div><div class=c2>400.00</div></div>"
    growing = "<div class=row><div class=c>May</div><div class=c>June</div></div>"
    mixed = "<div class=row><div class=c2>Nr</div><div>Item</div><div class=c2>Sum</div></div>"
    expected = ["Akme Buyer", "Design 4 400.00", "May June", "Nr Item Sum"]
    assert rows_of(f"{style}{halves}{cells}{growing}{mixed}") == expected


def test_a_page_from_right_to_left_is_read() -> None:
    html = "<div dir='rtl' style='width:300px;margin:16px auto'><b>סך הכל</b> <b>12.50</b></div>"
    assert "12.50" in text_of(html)


def test_a_page_runs_on_where_the_one_before_was_full() -> None:
    rows = "".join(f"<p>Row{number}" for number in range(120))
    asked = "<p style='page-break-before:always'>Next</p>"
    pages = read(f"{rows}{asked}<p>Last</p>{rows}").pages
    begins = [page.number for page in pages if not page.runs_on]
    assert [pages[number - 1].words[0].text for number in begins] == ["Row0", "Next"]
    assert len(pages) > 3
