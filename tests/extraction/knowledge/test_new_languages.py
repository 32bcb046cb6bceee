"""A file is all that a language or a country takes: a page in it is read with words that no other file has."""

from collections.abc import Iterator

import pytest

from serve_app.domain.labels import Label
from serve_app.domain.reading_order import group_lines
from serve_app.extraction.captions import Caption, PageCaptions
from serve_app.extraction.currency.money_unit import currencies
from serve_app.extraction.evidence import gather
from serve_app.extraction.knowledge import languages
from serve_app.extraction.tables.headers import heads
from tests.extraction.pages import document_of, reading_of

CATALAN = (
    "Fusteria Exemple SL",
    "Número de factura 2024/118",
    "Data d'emissió 7/3/2024",
    "Data venciment 6/4/2024",
    "Concepte ~ Quantitat ~ Preu unitari ~ Import",
    "Tauleta ~ 2 ~ 50,00 ~ ~ 100,00",
    "Base imposable 100,00",
    "Pendent de pagament 121,00",
)
MALAY = (
    "Kedai Contoh Sdn Bhd",
    "No. Invois 2024/118",
    "Tarikh invois 7/3/2024",
    "Bayar sebelum 6/4/2024",
    "Butiran ~ Kuantiti ~ Harga seunit ~ Amaun",
    "Meja ~ 2 ~ 50.00 ~ ~ 100.00",
    "Jumlah sebelum cukai 100.00",
    "Baki perlu dibayar 106.00",
)
BOSNIAN = (
    "Stolarija Primjer d.o.o.",
    "Broj fakture 2024/118",
    "Datum fakturisanja 7/3/2024",
    "Rok za plaćanje 6/4/2024",
    "Naziv robe ~ Količina ~ Jedinična cijena ~ Vrijednost",
    "Stol ~ 2 ~ 50,00 ~ ~ 100,00",
    "Ukupno bez PDV-a 100,00",
    "Ukupno za uplatu 117,00",
)
KYRGYZ = (
    "Үлгү жыгач устаканасы ЖЧК",
    "Эсеп-фактура № 2024/118",
    "Эсептин күнү 7/3/2024",
    "Төлөө мөөнөтү 6/4/2024",
    "Товардын аталышы ~ Көлөмү ~ Бирдиктин баасы ~ Наркы",
    "Үстөл ~ 2 ~ 50,00 ~ ~ 100,00",
    "КНСсиз сумма 100,00",
    "Төлөнүүгө тийиш 112,00",
)
CAPTIONS = (Caption.INVOICE_NUMBER, Caption.ISSUE_DATE, Caption.DUE_DATE, Caption.SUBTOTAL, Caption.AMOUNT_DUE)


@pytest.mark.parametrize(("code", "lines"), [("ca", CATALAN), ("ms", MALAY), ("bs", BOSNIAN), ("ky", KYRGYZ)])
class TestALanguage:
    def test_names_the_values_of_an_invoice(self, code: str, lines: tuple[str, ...]) -> None:
        page = document_of(lines).pages[0]
        printed = group_lines([word.box for word in page.words])
        captions = PageCaptions(page, printed)
        named = [captions.of((line[-1],)).before for line in printed]
        assert [meanings[0] for meanings in (*named[1:4], *named[-2:])] == list(CAPTIONS)

    def test_names_the_columns_of_a_table(self, code: str, lines: tuple[str, ...]) -> None:
        (page,) = gather(document_of(lines), reading_of(lines))
        (head,) = heads(page)
        assert [caption.meaning.labels for caption in head.captions] == [
            frozenset({label})
            for label in (Label.LINE_DESCRIPTION, Label.LINE_QUANTITY, Label.LINE_UNIT_PRICE, Label.LINE_TOTAL)
        ]

    def test_has_words_that_no_other_file_has(self, code: str, lines: tuple[str, ...]) -> None:
        others = {phrase for other in languages() if other != code for phrase in phrases_of(other)}
        assert len(set(phrases_of(code)) - others) > len(CAPTIONS)


def phrases_of(code: str) -> Iterator[str]:
    for phrases in languages()[code].captions.values():
        yield from phrases


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("Example Trading W.L.L", "Al Rayyan, tel. +974 4412 3456", "Total 120.00|TOTAL"), "QAR"),
        (("ТОО Пример", "Алматы, тел. +7 727 123 45 67", "Итого 12000,00|TOTAL"), "KZT"),
    ],
    ids=["Qatar", "Kazakhstan"],
)
def test_a_country_has_the_money_of_a_page_that_names_none(lines: tuple[str, ...], code: str) -> None:
    assert currencies(gather(document_of(lines), reading_of(lines)))[0].value == code
