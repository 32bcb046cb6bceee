"""Headings of parties whose signs stand below one another, as the tax invoices of China and Korea have them."""

from collections.abc import Sequence

import numpy as np
import pytest

from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.labels import OUTSIDE, TAGS, Label
from serve_app.domain.reading import PageReading, Reading
from serve_app.domain.reading_order import reading_order
from serve_app.extraction.facts import PageFacts, facts_of_page
from serve_app.extraction.facts.sections import sections
from serve_app.extraction.parties.headings import Party, party_of
from tests.extraction.pages import extract_invoice, model_named

Printed = tuple[str, float, float]
HEIGHT = 0.015


def stack(signs: Sequence[str], x0: float, y0: float, step: float = 0.015) -> list[Printed]:
    return [(sign, x0, y0 + step * at) for at, sign in enumerate(signs)]


CHINA = [
    *stack("购买方信息", 0.06, 0.12),
    ("名称:北京贝斯普尔有限公司", 0.1, 0.122),
    ("统一社会信用代码:91110105MA01", 0.1, 0.165),
    *stack("销售方信息", 0.51, 0.12),
    ("名称:上海阿克米有限公司", 0.55, 0.122),
    ("统一社会信用代码:91310115MA1K", 0.55, 0.165),
]
KOREA = [
    *stack("승인번호", 0.527, 0.05, 0.021),
    *stack("공급자", 0.066, 0.183, 0.021),
    ("상호(법인", 0.1, 0.168),
    ("(주)아크메상사", 0.2, 0.179),
    ("성명", 0.32, 0.179),
    ("홍길동", 0.37, 0.179),
    ("명)", 0.1, 0.19),
    *stack("공급받는자", 0.529, 0.161, 0.021),
    ("상호(법인명)", 0.56, 0.168),
    ("베이스풀", 0.68, 0.168),
    ("주식회사", 0.77, 0.168),
]


def page_of(printed: Sequence[Printed]) -> Page:
    words = [Word(text, Box(x0, y0, x0 + 0.019 * len(text), y0 + HEIGHT)) for text, x0, y0 in printed]
    return Page(1, 595.0, 842.0, tuple(words[at] for at in reading_order([word.box for word in words])))


def facts(printed: Sequence[Printed]) -> PageFacts:
    return facts_of_page(page_of(printed))


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        (CHINA, {Party.BUYER: "名称:北京贝斯普尔有限公司", Party.SELLER: "名称:上海阿克米有限公司"}),
        (KOREA, {Party.BUYER: "베이스풀 주식회사", Party.SELLER: "(주)아크메상사"}),
    ],
)
def test_a_form_shows_the_names_beside_vertical_headings(form: list[Printed], shown: dict[Party, str]) -> None:
    page = facts(form)
    assert {section.party: page.text(section.name) for section in sections(page)} == shown


def test_what_stands_beside_a_vertical_heading_is_of_its_party() -> None:
    page = facts(CHINA)
    words = {word.text: at for at, word in enumerate(page.page.words)}
    assert party_of(page, (words["统一社会信用代码:91110105MA01"],)) is Party.BUYER
    assert party_of(page, (words["统一社会信用代码:91310115MA1K"],)) is Party.SELLER


@pytest.mark.parametrize(
    "printed",
    [
        # The first caption of a column, and the next one.
        [("客户", 0.06, 0.12), ("日期", 0.06, 0.135), ("阿克米有限公司", 0.2, 0.12)],
        # Two signs of different columns of a table.
        [("买", 0.06, 0.12), ("方", 0.2, 0.135)],
        stack("买方", 0.06, 0.12, 0.2),
    ],
)
def test_other_signs_are_no_vertical_heading(printed: list[Printed]) -> None:
    assert facts(printed).vertical_labels == ()


def test_a_column_may_have_two_signs_beside_one_another() -> None:
    page = facts([*stack(("销售", "方信", "息"), 0.51, 0.12), ("名称:上海阿克米有限公司", 0.56, 0.122)])
    assert [(section.party, page.text(section.name)) for section in sections(page)] == [
        (Party.SELLER, "名称:上海阿克米有限公司")
    ]


@pytest.mark.parametrize(("height", "is_upright"), [(0.09, True), (0.015, False)])
def test_an_upright_heading_may_be_one_word(height: float, is_upright: bool) -> None:
    words = (Word("销售方信息", Box(0.51, 0.12, 0.53, 0.12 + height)), Word("阿克米", Box(0.6, 0.122, 0.7, 0.137)))
    assert bool(facts_of_page(Page(1, 595.0, 842.0, words)).vertical_labels) == is_upright


def test_a_sign_further_below_is_of_no_heading() -> None:
    page = facts([*stack("销售方信息", 0.51, 0.12), ("量", 0.51, 0.22)])
    assert [page.text(label) for label in page.vertical_labels] == ["销 售 方 信 息"]


def test_both_parties_are_given_where_the_models_see_two_sellers() -> None:
    page = page_of([*CHINA, ("价税合计", 0.06, 0.4), ("¥106.00", 0.8, 0.4)])
    scores = np.zeros((len(page.words), len(TAGS)), dtype=np.float32)
    for at, word in enumerate(page.words):
        is_named = word.text.startswith("名称")
        tag = f"B-{Label.SELLER}" if is_named else f"B-{Label.TOTAL}" if "¥" in word.text else OUTSIDE
        sure = 0.99 if "北京" in word.text or not is_named else 0.9
        scores[at, TAGS.index(tag)] = sure
        scores[at, TAGS.index(OUTSIDE)] += 1 - sure
    reading = Reading("test", TAGS, (PageReading(scores),), sha256=model_named("test").sha256)
    invoice = extract_invoice(Document((page,)), reading, reading)
    assert invoice.details is not None
    assert (invoice.vendor_name, invoice.details.buyer_name) == ("上海阿克米有限公司", "北京贝斯普尔有限公司")
