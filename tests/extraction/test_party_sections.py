"""The sections of forms, and the names they show."""

from dataclasses import replace

import pytest

from serve_app.extraction.evidence import PageEvidence, gather
from serve_app.extraction.facts import facts_of_page
from serve_app.extraction.facts.sections import sections
from serve_app.extraction.parties.headings import Party, party_of
from tests.extraction.pages import document_of, reading_of


def page_of(*lines: str) -> PageEvidence:
    (page,) = gather(document_of(lines), reading_of(lines))
    return page


def shown(*lines: str) -> list[tuple[Party, str]]:
    page = page_of(*lines)
    return [(section.party, page.text(section.name)) for section in sections(page.facts)]


@pytest.mark.parametrize(
    "lines",
    [
        ("Verkäufer", "Akme Tools GmbH", "Hauptstrasse 1"),
        ("Seller:", "Number: 5499", "Akme Tools GmbH"),
        ("Seller:", "Number : 5499", "Akme Tools GmbH"),
        ("Verkäufer", "Nummer: 5499", "Name: Akme Tools GmbH"),
        ("Lieferant: Akme Tools GmbH", "Hauptstrasse 1"),
        ("Informations sur le vendeur:", "Numéro: 17", "Akme Tools GmbH"),
        ("Tedarikçi", "Akme Tools GmbH"),
        ("Dostawca: Akme Tools GmbH",),
    ],
)
def test_a_section_shows_the_name_of_its_party(lines: tuple[str, ...]) -> None:
    assert shown(*lines) == [(Party.SELLER, "Akme Tools GmbH")]


def test_a_name_may_go_on_in_the_next_line_up_to_its_legal_form() -> None:
    assert shown("Seller", "Akme Hardware", "Supplies Ltd", "1 High Street") == [
        (Party.SELLER, "Akme Hardware Supplies Ltd")
    ]


@pytest.mark.parametrize(("width", "goes_on"), [(0.1, True), (0.05, False)])
def test_a_name_goes_on_with_words_that_had_no_room_beside_it(width: float, goes_on: bool) -> None:
    (printed,) = document_of(("Sprzedawca ~ ~ ~ Nabywca", "Jan Akme Usługi ~ Beispiel", "Motoryzacyjne")).pages
    last = printed.words[-1]
    narrow = replace(last, box=replace(last.box, x1=last.box.x0 + width))
    page = facts_of_page(replace(printed, words=(*printed.words[:-1], narrow)))
    name = "Jan Akme Usługi Motoryzacyjne" if goes_on else "Jan Akme Usługi"
    assert page.text(sections(page)[0].name) == name


def test_of_two_headings_side_by_side_each_is_that_of_its_column() -> None:
    page = page_of("Seller ~ ~ ~ Buyer", "Akme ~ ~ ~ Beispiel").facts
    assert [party_of(page, (word,)) for word in page.lines[1]] == [Party.SELLER, Party.BUYER]


@pytest.mark.parametrize(
    "line", ["Supplier code 4711", "Vendor ID 12", "Lieferanten-Nr. 17", "Lieferant AG", "Kober Bau GmbH"]
)
def test_what_only_begins_like_a_heading_heads_no_section(line: str) -> None:
    assert shown(line, "Akme Tools") == []


def test_whoever_is_to_be_paid_may_be_somebody_else() -> None:
    assert shown("Beneficiary:", "Akme Collections Ltd") == [(Party.SELLER, "")]


def test_a_section_ends_where_the_next_one_begins() -> None:
    assert shown("Seller", "Number: 17", "Buyer", "Beispiel AG") == [(Party.SELLER, ""), (Party.BUYER, "Beispiel AG")]


@pytest.mark.parametrize(
    "lines",
    [
        ("Date: ~ ~ 1.5.2024", "Seller ~ ~ Akme Tools", "~ ~ ~ 1 High Street"),
        ("Seller ~ ~ Akme Tools", "Address: ~ ~ 1 High Street"),
        ("Seller ~ ~ Akme Tools", "Indirizzo ~ ~ Via Roma 1"),
        ("Angaben zum Verkäufer", "Name des Verkäufers ~ Akme Tools"),
    ],
)
def test_a_value_beside_the_heading_is_the_name_where_captions_and_values_stand_in_columns(
    lines: tuple[str, ...],
) -> None:
    assert shown(*lines) == [(Party.SELLER, "Akme Tools")]


@pytest.mark.parametrize("line", ["Cod. fornitore  4711", "N° fournisseur", "Código do fornecedor"])
def test_the_number_of_a_party_heads_no_section(line: str) -> None:
    assert shown(line, "Akme Tools") == []


def test_who_sold_in_the_shop_is_not_the_seller() -> None:
    assert shown("Vendedor: Clara", "Mesa 7") == [(Party.SELLER, "")]
    assert shown("Vendedor: Akme Tools SL", "Calle 7") == [(Party.SELLER, "Akme Tools SL")]


def test_a_heading_in_the_middle_over_a_column_heads_that_column() -> None:
    assert shown("~ ~ ~ ~ ~ BUYER", "Akme Lda", "~ ~ ~ ~ ~ Beispiel AG") == [(Party.BUYER, "Beispiel AG")]


def test_a_section_may_be_flush_right() -> None:
    lines = ("~ ~ ~ ~ ~ ~ ~ ~ Spett.le", "~ ~ ~ ~ ~ ~ Officine Bruni S.r.l.")
    assert shown(*lines) == [(Party.BUYER, "Officine Bruni S.r.l.")]


def test_a_heading_at_the_end_of_a_page_heads_the_next_one() -> None:
    first = ["Facture RE-17", "Informations sur le vendeur:"]
    second = ["Nom de la société: Ro Berta GmbH", "Titulaire du compte: Max Mustermann"]
    pages = gather(document_of(first, second), reading_of(first, second))
    (section,) = sections(pages[1].facts, pages[0].facts)[:1]
    assert (section.row, section.party, pages[1].text(section.name)) == (-1, Party.SELLER, "Ro Berta GmbH")
    assert all(each.row >= 0 for each in sections(pages[1].facts))


def test_a_persons_name_may_have_two_lines_of_a_form() -> None:
    lines = ("Dati del cedente / prestatore", "Codice fiscale: ZNT", "Nome: Giulia", "Cognome: Zanatta")
    assert shown(*lines) == [(Party.SELLER, "Giulia Zanatta")]
