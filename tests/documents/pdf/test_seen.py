"""Only what can be seen on a page is read, whatever was painted first."""

import os
from random import Random

import pytest

from tests.documents.pdf.test_text import texts_of
from tests.support.pdfs import page_of, stream

PAGES = int(os.environ.get("TRAP_PAGES", "60"))
OLD, NEW = "2,050.00", "1,955.00"
_RESOURCES = b"/Resources<</Font<</F1 5 0 R>>>>"
_OFF = (
    "/Resources<</Font<</F1 5 0 R>>/Properties<</L0 6 0 R>>/XObject<</X0 7 0 R>>"
    "/ExtGState<</G1<</ca 0.4>>/G2<</ca 0.4/BM/Multiply>>>>>>"
)
_FORM = stream("0.9 g 0 0 100 20 re f", "/Type/XObject/Subtype/Form/BBox[0 0 100 20]")


def page(content: str, *, annotation: str = "") -> bytes:
    """A page with a layer L0 that is off, a form X0 that is a grey box, and transparent states G1 and G2."""
    data = page_of(
        content, page=f"/Annots[{annotation}]" if annotation else "", more=("<</Type/OCG/Name(Old)>>", _FORM)
    )
    catalog = b"<</Type/Catalog/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>/Pages 2 0 R>>"
    return data.replace(_RESOURCES, _OFF.encode()).replace(b"<</Type/Catalog/Pages 2 0 R>>", catalog)


def text(value: str, x: float = 400, y: float = 500, size: float = 12) -> str:
    return f"0 g BT /F1 {size} Tf {x} {y} Td ({value}) Tj ET "


WIDTH, HEIGHT = 52, 12
BOX = "395 496 62 14"
WHITE_ANNOTATION = "<</Type/Annot/Subtype/Square/Rect[395 496 457 510]/IC[1 1 1]/C[1 1 1]/F 4/AP<</N 8 0 R>>>>"

UNSEEN = {
    "a white box over it": text(OLD) + f"1 g {BOX} re f ",
    "a box of any colour over it": text(OLD) + f"0.8 0.9 1 rg {BOX} re f ",
    "a form over it": text(OLD) + "q 1 0 0 1 395 496 cm /X0 Do Q ",
    "a picture over it": text(OLD) + "q 62 0 0 14 395 496 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \xff EI Q ",
    "a layer that is off": f"/OC /L0 BDC {text(OLD)} EMC ",
    "a line through it": text(OLD) + "0.8 w 398 504 m 450 504 l S ",
    "a thin box through it": text(OLD) + "0 g 398 503.6 52 0.7 re f ",
    "white on white": "1 g " + text(OLD)[4:],
}
SEEN = {
    "a box below it": f"1 g {BOX} re f " + text(OLD),
    "a border around it": text(OLD) + f"0 G 1 w {BOX} re S ",
    "a line below it": text(OLD) + "0.8 w 398 497.5 m 450 497.5 l S ",
    "a line above it": text(OLD) + "0.8 w 398 511 m 450 511 l S ",
    "a marker over it": text(OLD) + f"q /G2 gs 1 1 0 rg {BOX} re f Q ",
    "a pale stamp over it": text(OLD) + f"q /G1 gs 1 0 0 rg {BOX} re f Q ",
    "a box over another word": text(OLD) + "1 g 100 496 62 14 re f ",
    "white on a dark bar": f"0.1 g {BOX} re f 1 g " + text(OLD)[4:],
}


def place_beside(trap: str) -> float:
    """Where a new value stands: in the place of the old one, or beside what is struck."""
    return 470 if "through" in trap else 400


@pytest.mark.parametrize("trap", UNSEEN)
def test_what_cannot_be_seen_is_not_read(trap: str) -> None:
    assert texts_of(page(text("Total", 60) + UNSEEN[trap])) == ["Total"]


@pytest.mark.parametrize("trap", UNSEEN)
def test_what_stands_in_its_place_is_read(trap: str) -> None:
    assert texts_of(page(text("Total", 60) + UNSEEN[trap] + text(NEW, place_beside(trap)))) == ["Total", NEW]


@pytest.mark.parametrize("trap", [trap for trap in UNSEEN if "through" not in trap])
def test_characters_that_the_old_value_has_in_the_same_place_are_read(trap: str) -> None:
    data = page(text("Total", 60) + UNSEEN[trap].replace(OLD, "172.46") + text("136.23", place_beside(trap)))
    assert texts_of(data) == ["Total", "136.23"]


@pytest.mark.parametrize("decoration", SEEN)
def test_what_can_be_seen_is_read(decoration: str) -> None:
    assert texts_of(page(text("Total", 60) + SEEN[decoration])) == ["Total", OLD]


@pytest.mark.parametrize("seed", range(PAGES))
def test_pages_of_traps_give_what_is_seen(seed: int) -> None:
    random = Random(seed)  # noqa: S311 - documents, no secret
    content, expected = "", []
    for row in range(random.randint(4, 12)):
        y = 700 - 40 * row
        old, new = (f"{random.randint(1, 9)},{random.randint(100, 999)}.{random.randint(10, 99)}" for _ in "on")
        kind = random.choice([*UNSEEN, *SEEN])
        is_seen = kind in SEEN
        content += (
            text(f"Row{row}", 60, y)
            + f"q 1 0 0 1 0 {y - 500} cm "
            + ({**UNSEEN, **SEEN}[kind]).replace(OLD, old)
            + "Q "
        )
        expected += [f"Row{row}", *([old] if is_seen else [])]
        if not is_seen and random.random() < 0.6:
            content += text(new, place_beside(kind), y)
            expected.append(new)
    assert texts_of(page(content)) == expected
