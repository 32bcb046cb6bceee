"""Which names a page offers for the issuer, and what is cut from them."""

from dataclasses import replace

import pytest

from serve_app.extraction.candidates.features import Features
from serve_app.extraction.candidates.objections import is_plausible
from serve_app.extraction.candidates.vendors import vendor_candidates
from serve_app.extraction.evidence import PageEvidence, gather
from serve_app.extraction.parties.headings import names_person
from tests.extraction.pages import document_of, reading_of


def evidence(*lines: str, sure: float = 0.5) -> tuple[PageEvidence, ...]:
    return gather(document_of(lines), reading_of(lines, sure=sure))


def names(*lines: str, sure: float = 0.5) -> list[str]:
    """The names that nothing speaks against."""
    return [
        candidate.value
        for candidate in vendor_candidates(evidence(*lines, sure=sure))
        if is_plausible(candidate.features)
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Seller|SELLER Akme|SELLER Tools|SELLER",
        "Sold by Akme|SELLER Tools|SELLER",
        "Verkäufer: Akme|SELLER Tools|SELLER",
        "Akme|SELLER Tools|SELLER (759765-H)|SELLER",
        "Akme|SELLER Tools|SELLER Co Reg No 200401012345",
        "Akme|SELLER Tools|SELLER · Musterstr. 1 · 12345 Berlin",
        "Akme|SELLER Tools,|SELLER 12 High Street",
        "(A Unit of Akme|SELLER Tools)|SELLER",
        "operated by Akme|SELLER Tools|SELLER",
        "DBA|SELLER of|SELLER Akme|SELLER Tools|SELLER",
        "exploité par Akme|SELLER Tools|SELLER",
        "betrieben von Akme|SELLER Tools|SELLER",
        "on behalf of the|SELLER carrier|SELLER Akme|SELLER Tools|SELLER",
        "#000002|SELLER Akme|SELLER Tools|SELLER",
    ],
)
def test_what_sticks_to_a_name_is_cut(line: str) -> None:
    assert "Akme Tools" in names(line)


def test_a_role_word_is_no_part_of_a_name() -> None:
    assert "Seller Akme Tools" not in names("Seller|SELLER Akme|SELLER Tools|SELLER")


def test_a_name_that_begins_like_a_role_is_a_name() -> None:
    assert names("Lieferant|SELLER AG|SELLER") == ["Lieferant AG"]


@pytest.mark.parametrize("heading", ["Account holder:", "Beneficiary:", "Kontoinhaber:", "Service provider:"])
def test_who_is_to_be_paid_is_found_though_no_model_sees_it(heading: str) -> None:
    lines = [f"Line {number}" for number in range(8)]
    assert "Akme Tools" in names(*lines, f"{heading} Akme Tools")
    assert "Akme Tools" in names(*lines, heading, "Akme Tools")


def test_a_name_over_two_lines_is_offered_whole() -> None:
    found = names("Akme|SELLER Hardware|SELLER and|SELLER", "Electrical|SELLER Supplies|SELLER (12345-X)")
    assert "Akme Hardware and Electrical Supplies" in found


@pytest.mark.parametrize("line", ["Contact: Johanna Muster", "Ansprechpartner Johanna Muster", "Herr Johann Muster"])
def test_contacts_are_known_as_persons(line: str) -> None:
    (page,) = evidence(line)
    count = len(page.page.words)
    assert names_person(page.facts, (count - 2, count - 1))


def test_a_company_is_no_person() -> None:
    (page,) = evidence("Akme Tools Ltd")
    assert not names_person(page.facts, (0, 1, 2))


def test_what_stands_around_a_name_counts() -> None:
    (name,) = [
        candidate for candidate in vendor_candidates(evidence("Akme|SELLER Tools|SELLER", "1 High Street", "VAT No 12"))
    ]
    assert name.features["over address"] == name.features["registered near"] == name.features["alone"] == 1.0
    assert name.features["registered beside"] == 1.0


def test_a_long_number_behind_company_is_a_registration() -> None:
    assert features_of("Akme Tools", "Akme|SELLER Tools|SELLER", "Co. 10992817")["registered beside"] == 1.0
    assert features_of("Akme Tools", "Akme|SELLER Tools|SELLER", "Co. 12 Street")["registered beside"] == 0.0


def test_a_registration_further_below_is_not_beside_a_name() -> None:
    lines = ("Akme|SELLER Tools|SELLER", "1 High Street", "12345 Berlin", "VAT No 12")
    features = features_of("Akme Tools", *lines)
    assert (features["registered near"], features["registered beside"]) == (1.0, 0.0)


def features_of(name: str, *lines: str) -> Features:
    return next(candidate.features for candidate in vendor_candidates(evidence(*lines)) if candidate.value == name)


FORM = (
    "Verkäufer",
    "Nummer: 5499",
    "Name: Akme|SELLER Tools|SELLER GmbH|SELLER",
    "Anschrift: Hauptstrasse 1",
    "Käufer/Leistungsempfänger",
    "Nummer: 162",
    "Name: Beispiel|SELLER AG|SELLER",
    "Anschrift: Ring 9",
    "Telefon 030 1234",
    "Kontakt Johanna|SELLER Muster|SELLER",
)


def test_a_form_says_in_whose_section_a_name_stands() -> None:
    seller, buyer = features_of("Akme Tools GmbH", *FORM), features_of("Beispiel AG", *FORM)
    assert seller["section:seller"] == buyer["section:buyer"] == 1.0
    assert (seller["another is headed"], buyer["another is headed"]) == (0.0, 1.0)


def test_a_name_over_a_company_may_be_its_brand() -> None:
    lines = ("Akme|SELLER", "Tool|SELLER Works|SELLER Ltd|SELLER", "Johanna|SELLER Muster|SELLER")
    assert features_of("Akme", *lines)["over a company"] == 1.0
    assert features_of("Johanna Muster", *lines)["over a company"] == 0.0


def test_a_short_form_of_a_name_is_known_as_such() -> None:
    lines = ("Akme|SELLER Tools|SELLER GmbH|SELLER", "Line", "Line", "Akme|SELLER")
    assert features_of("Akme Tools GmbH", *lines)["extends a shorter one"] == 1.0


def test_no_name_begins_inside_a_bracket() -> None:
    found = names("Akme|SELLER Mart|SELLER (Sued Nord)|SELLER Sdn|SELLER Bhd|SELLER")
    assert "Akme Mart (Sued Nord) Sdn Bhd" in found
    assert "Nord) Sdn Bhd" not in found


def test_a_name_is_offered_without_what_follows_its_legal_form_in_small_letters() -> None:
    found = names("Akme|SELLER Tools|SELLER B.V.|SELLER namens|SELLER Beispiel.com|SELLER")
    assert "Akme Tools B.V." in found
    assert "Akme Tools B.V. namens Beispiel.com" in found


@pytest.mark.parametrize(
    ("line", "whole", "cut"),
    [
        (
            "Akme|SELLER Tools|SELLER UG|SELLER (haftungsbeschränkt)",
            "Akme Tools UG (haftungsbeschränkt)",
            "Akme Tools UG",
        ),
        ("Akme|SELLER Tools|SELLER S.A.|SELLER de C.V.", "Akme Tools S.A. de C.V", "Akme Tools S.A"),
        ("Akme|SELLER Tools|SELLER Ltd", "Akme Tools Ltd", "Akme Tools"),
    ],
)
def test_no_name_ends_inside_its_legal_form(line: str, whole: str, cut: str) -> None:
    found = {name.rstrip(".") for name in names(line)}
    assert whole in found
    assert cut not in found


def test_the_legal_form_on_the_next_line_belongs_to_the_name() -> None:
    assert "Akme Tools GmbH" in names("Akme|SELLER Tools|SELLER", "GmbH", "Hauptstrasse 1")


def test_a_brand_over_its_company_is_no_part_of_the_name() -> None:
    found = names("Akme|SELLER", "Akme|SELLER Tools|SELLER Ltd|SELLER")
    assert "Akme Tools Ltd" in found
    assert "Akme Akme Tools Ltd" not in found


@pytest.mark.parametrize("rest", ["(Steuernummer 12/345)", "(SIREN", "c/o Beispiel", "A/C Johanna Muster"])
def test_registrations_in_brackets_and_contacts_are_cut_from_a_name(rest: str) -> None:
    assert "Akme Tools" in names(f"Akme|SELLER Tools|SELLER {rest}")


@pytest.mark.parametrize("rest", ["SHIP TO", "NIF 500100200"])
def test_a_name_ends_with_its_legal_form_where_something_else_begins(rest: str) -> None:
    assert "Akme Tools Lda" in names(f"Akme|SELLER Tools|SELLER Lda|SELLER {rest}")


def test_a_person_beside_a_company_is_known_as_such() -> None:
    lines = ("Akme|SELLER Tools|SELLER GmbH|SELLER", "Line", "Petra|SELLER Schmidt|SELLER")
    assert features_of("Petra Schmidt", *lines)["given name beside company"] == 1.0
    assert features_of("Petra Schmidt", "Petra|SELLER Schmidt|SELLER")["given name beside company"] == 0.0
    assert features_of("Akme Tools GmbH", *lines)["given name"] == 0.0


def test_a_form_shows_whose_name_it_is() -> None:
    seller, buyer = features_of("Akme Tools GmbH", *FORM), features_of("Beispiel AG", *FORM)
    assert seller["names section:seller"] == buyer["names section:buyer"] == 1.0
    assert (seller["another names section"], buyer["another names section"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        (["LIAN|SELLER CHI|SELLER", "RESTAURANT|SELLER SDN|SELLER BHD|SELLER"], "LIAN CHI RESTAURANT SDN BHD"),
        (
            ["Viviworks|SELLER Plumbing|SELLER", "of|SELLER Guha|SELLER Group|SELLER", "Private|SELLER Limited|SELLER"],
            "Viviworks Plumbing of Guha Group Private Limited",
        ),
        (["e-Luscious|SELLER B.V.|SELLER iov|SELLER Saeco.com|SELLER", "12 Main Street"], "e-Luscious B.V."),
    ],
)
def test_no_part_of_a_name_is_offered_that_the_models_surely_read_as_one(lines: list[str], whole: str) -> None:
    (page,) = evidence(*lines, sure=0.97)
    # No line after the first begins another name.
    begins = page.begins.copy()
    begins[1:] = 0
    candidates = vendor_candidates([replace(page, begins=begins)])
    found = {candidate.value for candidate in candidates if is_plausible(candidate.features)}
    assert whole in found
    assert not {name for name in found if name in whole and name != whole}


def test_a_shop_may_be_called_hello() -> None:
    assert "Hello Fresh GmbH" in names("Hello|SELLER Fresh|SELLER GmbH|SELLER")


def test_a_name_goes_on_below_it_with_the_rest_of_its_legal_form() -> None:
    found = names("Akme|SELLER Spedycja|SELLER Sp.|SELLER z|SELLER o.o.|SELLER Sp.|SELLER", "k.")
    assert "Akme Spedycja Sp. z o.o. Sp. k." in found
    assert "Akme Spedycja Sp. z o.o. Sp." not in found


def test_a_name_whose_second_line_ends_in_a_legal_form_is_offered_whole() -> None:
    assert "Pine Ridge Fencing Supplies Pty Ltd" in names("Pine Ridge Fencing", "Supplies Pty Ltd")


@pytest.mark.parametrize("above", ["12 High Street", "Invoice:", "Akme Ltd"])
def test_an_address_or_another_name_is_no_first_line(above: str) -> None:
    assert f"{above} Supplies Pty Ltd" not in names(above, "Supplies Pty Ltd")


def test_a_company_named_after_another_is_cut_off() -> None:
    assert "Akme Dach KG" in names("Akme|SELLER Dach|SELLER KG,|SELLER Beta|SELLER Verwaltungs|SELLER GmbH|SELLER")


def test_what_is_sold_is_no_second_line_of_a_name() -> None:
    assert "Librairie Akme Papeterie" not in names("Librairie|SELLER Akme|SELLER", "Papeterie|SELLER - Jeunesse|SELLER")


@pytest.mark.parametrize("heading", ["BAILLEUR", "Vermieter", "Landlord"])
def test_a_landlord_is_a_seller(heading: str) -> None:
    features = {
        candidate.value: candidate.features for candidate in vendor_candidates(evidence(heading, "Akme Tools Ltd"))
    }
    assert features["Akme Tools Ltd"].get("heading:seller") == 1.0


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Fibra is a trading name of Akme Telecom Ltd, registered in England", "Akme Telecom Ltd"),
        ("Fibra es una marca comercial de Akme Telecom, S.A.U. (CIF A-81555018)", "Akme Telecom, S.A.U."),
        ("© 2025 Akme Telecom Inc. All rights reserved", "Akme Telecom Inc."),
        ("Issued by Forum AG in the name and on behalf of the seller, Akme Telecom Ltd. Forum AG", "Akme Telecom Ltd."),
    ],
)
def test_a_sentence_shows_the_issuer(line: str, name: str) -> None:
    candidates = vendor_candidates(evidence(*(f"Line {number}" for number in range(8)), line))
    shown = [candidate for candidate in candidates if candidate.value == name]
    assert shown
    assert shown[0].features.get("heading:seller")


def test_a_sentence_may_break_within_the_issuer_s_name() -> None:
    found = names("Owned and operated by Akme|SELLER Lodging", "Owner|SELLER LLC|SELLER")
    assert "Akme Lodging Owner LLC" in found
    assert "Owner LLC" not in found


def test_the_second_line_of_the_next_column_is_no_part_of_a_name() -> None:
    lines = ("AKME|SELLER ~ ~ BEISPIEL", "TOOLS|SELLER GROUP|SELLER ~ DE|SELLER LA|SELLER")
    (page,) = evidence(*lines, sure=0.9)
    begins = page.begins.copy()
    begins[3:] = 0
    found = [candidate.value for candidate in vendor_candidates([replace(page, begins=begins)])]
    assert "AKME TOOLS GROUP" in found
    assert "AKME TOOLS GROUP DE LA" not in found


def test_an_agent_is_not_the_seller_for_whom_it_writes() -> None:
    found = names("Forum|SELLER AG|SELLER", "Issued by Forum AG in the name and on behalf of Akme Telecom Ltd")
    assert found
    assert not any("Forum" in name for name in found)


def test_of_a_self_billed_invoice_the_supplier_is_the_issuer() -> None:
    lines = ("Forum|SELLER Ltd|SELLER", "SELF-BILLING INVOICE", "Supplier: Akme|SELLER Haulage|SELLER Ltd|SELLER")
    assert "Akme Haulage Ltd" in names(*lines)
    assert "Forum Ltd" not in names(*lines)


def test_a_logo_before_a_name_that_begins_with_it_is_cut() -> None:
    found = names("dm|SELLER dm-drogerie|SELLER markt|SELLER")
    assert "dm-drogerie markt" in found
    assert "dm dm-drogerie markt" not in found


@pytest.mark.parametrize("title", ["LASKU", "TAX|SELLER INVOICE|SELLER", "Rechnung|SELLER"])
def test_the_title_beside_a_name_is_cut(title: str) -> None:
    assert "Akme Tools" in names(f"Akme|SELLER Tools|SELLER {title}")


def test_a_comma_before_a_legal_form_alone_ends_no_name() -> None:
    assert "MATERIALES AKME, S.A. DE C.V." in names("MATERIALES|SELLER AKME,|SELLER", "S.A. DE C.V.", sure=0.4)


def test_a_registration_number_glued_to_a_name_is_cut() -> None:
    assert "Akme Retail SB" in names("Akme|SELLER Retail|SELLER SB(306295-X)|SELLER FKA Beispiel Stores SB")


def test_a_footer_names_a_company_before_what_is_registered() -> None:
    assert "Akme Énergies, SAS" in names("Akme Énergies, SAS au capital de 4 250 000 € – Siège : 22 rue Gambetta")
