"""What no reader of an e-mail sees is not read."""

import pytest

from tests.documents.html.reading import text_of


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "visibility:hidden",
        "opacity:0",
        "font-size:0",
        "font-size:1px",
        "max-height:0;overflow:hidden",
        "height:0;width:0;overflow:hidden",
        "color:transparent",
        "color:#ffffff",
        "color:#fefefe",
        "background:#222;color:#222",
        "position:absolute;left:-9999px",
        "position:absolute;top:-99999px",
        "text-indent:-9999px",
        "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)",
        "mso-hide:all",
        "transform:scale(0)",
    ],
)
def test_hidden_text_is_left_out(style: str) -> None:
    assert text_of(f"<div style='{style}'>Preview <b>text</b></div><p>Invoice</p>") == "Invoice"


@pytest.mark.parametrize(
    "markup",
    [
        "<div style='background:#003366;color:white'>Total</div>",
        "<table bgcolor='#003366'><tr><td><font color='#ffffff'>Total</font></td></tr></table>",
        "<div style='background:url(https://a.example/b.png);color:white'>Total</div>",
        "<body bgcolor=black text=white>Total</body>",
        "<div style='background:navy;height:40px'></div><b style='position:absolute;top:30px;color:white'>Total</b>",
        "<div style='font-size:0'><span style='font-size:14px'>Total</span></div>",
        "<div style='color:#999;opacity:.6'>Total</div>",
        "<div style='overflow:hidden;height:20px'>Total</div>",
        "<div style='overflow:auto;height:5px'>Total</div>",
        "<a href='#' style='mso-hide:all'>Total</a>",
    ],
)
def test_faint_or_coloured_text_is_read(markup: str) -> None:
    assert text_of(markup) == "Total"


def test_equal_styles_on_different_backgrounds_are_distinguished() -> None:
    style = "<style>p{color:white}.dark{background:#111}</style>"
    assert text_of(f"{style}<p>hidden<div class=dark><p>Total</div><p>hidden") == "Total"


def test_comments_for_other_programs_and_scripts_are_left_out() -> None:
    markup = (
        "<!--[if mso]><p>Outlook</p><![endif]--><![if !mso]><p>Total</p><![endif]>"
        "<script>document.write('<p>Script</p>')</script><template><p>T</p></template><noscript>12.50</noscript>"
        "<style>p{color:black}</style><title>Title</title>"
    )
    assert text_of(markup) == "Total 12.50"


@pytest.mark.parametrize(
    "struck",
    [
        "<del>119,00</del>",
        "<s>119,00</s>",
        "<strike>119,00</strike>",
        "<span style='text-decoration:line-through'>119,00</span>",
        "<div style='text-decoration:line-through'><b>119,00</b></div>",
    ],
)
def test_what_is_struck_through_is_left_out(struck: str) -> None:
    assert text_of(f"<p>Price {struck} <u>89,00</u></p>") == "Price 89,00"


def test_what_is_collapsed_is_left_out() -> None:
    folded = "<details><summary>Previous invoice</summary>Number <b>OB-1</b></details>"
    assert text_of(f"<p>Total 5.00</p>{folded}<p>End") == "Total 5.00 Previous invoice End"
    assert text_of(folded.replace("<details", "<details open")) == "Previous invoice Number OB-1"


@pytest.mark.parametrize(
    ("container", "item"),
    [
        ("display:flex;flex-direction:row-reverse", ""),
        ("display:flex", "order:-1"),
        ("display:flex;flex-direction:column-reverse", ""),
        ("display:grid;grid-template-columns:1fr 1fr", "order:-1"),
    ],
)
def test_items_are_read_in_the_order_in_which_they_are_shown(container: str, item: str) -> None:
    markup = f"<div style='{container}'><span>12.50</span><span style='{item}'>Total</span></div>"
    assert text_of(2 * markup) == "Total 12.50 Total 12.50"


def test_signs_that_style_sheets_add_are_read() -> None:
    assert text_of("<style>.m::before{content:'€'}</style><p>Total <b class=m>12.50</b>") == "Total €12.50"
