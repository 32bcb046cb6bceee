"""Lines in Arabic, Hebrew, Persian and Urdu are read from the right, what they announce and whom."""

import pytest

from serve_app.domain.document import Box, Page, Word
from serve_app.domain.labels import Label
from serve_app.domain.reading_order import group_lines
from serve_app.extraction.captions import Caption, Captions, PageCaptions
from serve_app.extraction.captions.direction import in_reading_order
from serve_app.extraction.evidence import gather
from serve_app.extraction.facts.sections import sections
from serve_app.extraction.parties.headings import Party
from serve_app.extraction.tables.headers import heads
from tests.extraction.pages import document_of, reading_of


def printed(line: str) -> str:
    """A line in Arabic or Hebrew with its words from left to right, as it stands on a page."""
    return " ".join(reversed(line.split()))


def captions_of(value: str, *lines: str) -> Captions:
    page = document_of(lines).pages[0]
    found = PageCaptions(page, group_lines([word.box for word in page.words]))
    return found.of((next(index for index, word in enumerate(page.words) if word.text == value),))


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ("رقم الفاتورة 4711", Caption.INVOICE_NUMBER),
        ("الرقم الضريبي للعميل 4711", Caption.OTHER_NUMBER),
        ("تاريخ الاستحقاق 4711", Caption.DUE_DATE),
        ("الإجمالي شامل الضريبة 4711 ريال", Caption.TOTAL),
        ("חשבונית מספר 4711", Caption.INVOICE_NUMBER),
        ('סה"כ לפני מע"מ 4711', Caption.SUBTOTAL),
        ("شماره فاکتور 4711", Caption.INVOICE_NUMBER),
        ("ادائیگی کی آخری تاریخ 4711", Caption.DUE_DATE),
        ("ضريبة القيمة المضافة 15% 4711", Caption.TAX),
    ],
)
def test_a_caption_stands_to_the_right_of_its_value(line: str, caption: Caption) -> None:
    assert captions_of("4711", printed(line)).before[0] is caption


def test_a_line_in_two_languages_names_its_value_on_both_sides() -> None:
    for line, before in (
        ("Invoice No. 4711 الفاتورة رقم", Caption.INVOICE_NUMBER),
        ("Total 4711 المجموع", Caption.TOTAL),
    ):
        assert captions_of("4711", line).before[0] is before


def test_html_may_set_a_latin_number_at_the_other_end_of_its_caption() -> None:
    assert captions_of("INV-4711", "الفاتورة رقم INV-4711").before == (Caption.INVOICE_NUMBER,)


def test_the_caption_above_a_value_is_read_from_the_right_too() -> None:
    assert captions_of("4711", printed("رقم الفاتورة"), "4711").above[0] is Caption.INVOICE_NUMBER


def test_a_line_of_two_directions_has_the_runs_of_the_other_in_their_order() -> None:
    texts = ("Akme", "Ltd.", "جدة", "شركة", "17")
    words = [Word(text, Box(0.1 * at, 0.1, 0.1 * at + 0.08, 0.12)) for at, text in enumerate(texts)]
    page = Page(1, 595.0, 842.0, tuple(words))
    assert [page.words[at].text for at in in_reading_order(page.words)] == ["Akme", "Ltd.", "شركة", "جدة", "17"]
    assert in_reading_order(words[:2]) == [0, 1]


def test_a_section_goes_on_to_the_left_of_its_heading() -> None:
    lines = ["~ ~ ~ للتجارة مؤسسة المورد:", "4711"]
    (page,) = gather(document_of(lines), reading_of(lines))
    (section,) = sections(page.facts)
    assert (section.party, page.text(section.name)) == (Party.SELLER, "للتجارة مؤسسة")


def test_a_heading_of_several_words_names_the_columns_of_a_table() -> None:
    lines = ["المجموع ~ الوحدة سعر ~ الكمية ~ البيان", "10.00 ~ ~ 5.00 ~ 2 ~ كرسي"]
    (page,) = gather(document_of(lines), reading_of(lines))
    (head,) = heads(page)
    assert [caption.meaning.labels for caption in head.captions] == [
        frozenset({label})
        for label in (Label.LINE_TOTAL, Label.LINE_UNIT_PRICE, Label.LINE_QUANTITY, Label.LINE_DESCRIPTION)
    ]
