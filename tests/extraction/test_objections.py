"""What speaks against a name being the issuer's."""

import pytest

from serve_app.extraction.candidates.candidate import ANSWER
from serve_app.extraction.candidates.objections import is_plausible
from serve_app.extraction.candidates.vendors import vendor_candidates
from serve_app.extraction.evidence import PageEvidence, gather
from serve_app.extraction.scoring.rank import rank
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


def test_a_legal_form_alone_is_no_name() -> None:
    assert names("GmbH|SELLER") == []


def test_a_tax_number_is_no_name() -> None:
    assert names("AAYFS4417B|SELLER") == []
    assert names("7-Eleven|SELLER") == ["7-Eleven"]


def test_no_name_ends_with_a_word_that_goes_on() -> None:
    assert "University of" not in names("University|SELLER of|SELLER Example")


@pytest.mark.parametrize(
    "name", ["P.H.U. Akme i Wspólnicy Spółka Jawna", "Akme GmbH und Söhne KG", "Akme Ltd and Sons Ltd"]
)
def test_partners_are_no_second_company(name: str) -> None:
    assert name in names(" ".join(f"{word}|SELLER" for word in name.split()))


@pytest.mark.parametrize(
    "line",
    [
        "Hi Akme|SELLER Tools|SELLER Ltd,|SELLER",
        "Hallo Akme|SELLER Tools|SELLER GmbH!|SELLER",
        "Dear|SELLER Akme|SELLER Tools|SELLER Ltd|SELLER",
        "Sehr geehrte Akme|SELLER Tools|SELLER GmbH,|SELLER",
    ],
)
def test_who_is_greeted_is_not_the_issuer(line: str) -> None:
    assert names(line) == []


def test_the_button_of_a_mail_is_no_name() -> None:
    assert names("Go|SELLER to|SELLER Dashboard|SELLER →|SELLER") == []


@pytest.mark.parametrize("line", ["Masthead|SELLER Image|SELLER", "Company|SELLER Logo|SELLER", "Logo|SELLER"])
def test_a_picture_that_was_not_loaded_is_no_name(line: str) -> None:
    assert names(line) == []


def test_the_authority_whose_form_it_is_is_not_the_issuer() -> None:
    assert names("PREFEITURA|SELLER DO|SELLER MUNICÍPIO|SELLER DE|SELLER MOREIRA|SELLER") == []


def test_the_general_partner_is_not_the_partnership() -> None:
    found = names(
        "Akme|SELLER Dach|SELLER GmbH|SELLER &|SELLER Co.|SELLER KG|SELLER", "Akme|SELLER Verwaltungs-GmbH|SELLER"
    )
    assert "Akme Dach GmbH & Co. KG" in found
    assert "Akme Verwaltungs-GmbH" not in found


@pytest.mark.parametrize(
    "line", ["Solicitors & Notaries", "graphiste & illustratrice", "Brasserie Bar", "Group Pty Ltd"]
)
def test_a_trade_is_no_name(line: str) -> None:
    labelled = " ".join(f"{word}|SELLER" for word in line.split())
    assert names(labelled) == []


def test_a_slogan_behind_a_name_is_no_name() -> None:
    assert "chilled & dry" not in names("Akme|SELLER - chilled|SELLER &|SELLER dry|SELLER")


@pytest.mark.parametrize("line", ["Druck: Formular|SELLER Verlag|SELLER", "Powered by Akme|SELLER Tills|SELLER"])
def test_who_printed_the_form_or_made_the_till_is_not_the_issuer(line: str) -> None:
    assert names(line) == []


@pytest.mark.parametrize("heading", ["Konto / Zahlbar an", "Compte / Payable à", "Conto / Pagabile a"])
def test_a_printer_who_is_to_be_paid_did_not_only_print_the_form(heading: str) -> None:
    printer = "Druckerei|SELLER Akme|SELLER und|SELLER Sohn|SELLER AG|SELLER"
    assert names(heading, "CH44 3199 9123", printer) == ["Druckerei Akme und Sohn AG"]
    assert names(*["Text"] * 5, printer) == []
    assert names(printer, *["Text"] * 5) == ["Druckerei Akme und Sohn AG"]


def test_the_caption_of_a_person_ends_a_company_s_name() -> None:
    found = names("(주)아크메|SELLER 성명|SELLER 홍길동|SELLER", sure=0.4)
    assert "(주)아크메 성명 홍길동" not in found


def test_who_a_letter_is_sent_to_is_not_the_issuer() -> None:
    assert names("アクメ株式会社|SELLER 御中|SELLER") == []


def test_who_bought_the_debt_is_not_the_issuer() -> None:
    assert names("Payable only to: Akme|SELLER Factoring|SELLER GmbH|SELLER") == []


def test_a_second_line_that_goes_on_in_the_middle_is_no_name_without_the_first() -> None:
    found = names("Ferramenta|SELLER", "di|SELLER Rossi|SELLER L.|SELLER", sure=0.4)
    assert "Ferramenta di Rossi L." in found
    assert "di Rossi L." not in found


def test_a_trade_with_a_legal_form_belongs_to_the_name_above_it() -> None:
    found = names("Wilhelm|SELLER Akme|SELLER", "Lebensmittel|SELLER GmbH|SELLER", sure=0.4)
    assert "Wilhelm Akme Lebensmittel GmbH" in found
    assert "Wilhelm Akme" not in found


@pytest.mark.parametrize("end", ["Y", "DEL", "ET", "VE", "und"])
def test_a_name_that_must_go_on_is_not_whole(end: str) -> None:
    assert f"VIGILANCIA {end}" not in names(f"VIGILANCIA|SELLER {end}|SELLER")


@pytest.mark.parametrize(
    ("upper", "lower", "whole"),
    [
        ("Akme's|SELLER", "HARDWARE|SELLER", "Akme's HARDWARE"),
        (
            "Alimentari|SELLER Da|SELLER Gino|SELLER",
            "DI|SELLER Akme|SELLER S.A.S.|SELLER",
            "Alimentari Da Gino DI Akme S.A.S.",
        ),
        (
            "Jan|SELLER Akme|SELLER",
            "I|SELLER Wspólnicy|SELLER Spółka|SELLER Jawna|SELLER",
            "Jan Akme I Wspólnicy Spółka Jawna",
        ),
        (
            "AKME|SELLER SANAYİ|SELLER VE|SELLER",
            "TİCARET|SELLER LİMİTED|SELLER ŞİRKETİ|SELLER",
            "AKME SANAYİ VE TİCARET LİMİTED ŞİRKETİ",
        ),
    ],
)
def test_two_lines_that_need_each_other_are_one_name(upper: str, lower: str, whole: str) -> None:
    found = names(upper, lower, sure=0.4)
    assert whole in found
    assert not {line.replace("|SELLER", "") for line in (upper, lower)} & set(found)


def test_the_only_name_of_a_form_may_be_the_buyers() -> None:
    lines = ("Müşteri Bilgileri:", "Firma Adı: Akme|BUYER Gıda|BUYER Ltd.|BUYER Şti.|BUYER", "Telefon: 0232 376 41 08")
    assert not any(
        is_plausible(candidate.features)
        for candidate in vendor_candidates(gather(document_of(lines), reading_of(lines, sure=0.6)))
    )
    seller = (lines[0].replace("Müşteri", "Satıcı"), *lines[1:])
    assert any(
        is_plausible(candidate.features)
        for candidate in vendor_candidates(gather(document_of(seller), reading_of(seller, sure=0.6)))
    )


def test_what_speaks_against_a_name_is_weighed_and_forbids_nothing() -> None:
    (picture,) = vendor_candidates(evidence("Masthead|SELLER Image|SELLER", sure=0.97))
    (quoted,) = vendor_candidates(evidence("ООО|SELLER «Акме»|SELLER", sure=0.97))
    assert picture.features["against:picture"] == 1.0
    assert is_plausible(quoted.features)
    assert rank("vendor", [picture])[0].score < ANSWER < rank("vendor", [quoted])[0].score


@pytest.mark.parametrize(
    ("line", "is_one"),
    [("Akme Net Ltd and Forum Sales Ltd", False), ("Akme Dach GmbH & Co. KG", True), ("Akme and Sons Ltd", True)],
)
def test_two_companies_are_not_one_issuer(line: str, is_one: bool) -> None:
    labelled = " ".join(f"{word}|SELLER" for word in line.split())
    assert (line in names(labelled)) == is_one
