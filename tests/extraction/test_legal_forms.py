"""Legal forms of many countries, and names without them."""

import pytest

from serve_app.extraction.parties.legal_forms import (
    begins_with_legal_form,
    has_legal_form,
    is_only_legal_form,
    without_legal_form,
)

FORMS = [
    "Ltd", "GmbH & Co. KG", "UG (haftungsbeschränkt)", "PartG mbB", "AöR", "e.U.", "S.à r.l.", "S.A. de C.V.",
    "S. de R.L. de C.V.", "Ltda. ME", "S.r.l.s.", "v.o.s.", "spol. s r.o.", "Sp. z o.o. Sp. k.", "Ltd. Şti.", "A.Ş.",
    "San. ve Tic. Ltd. Şti.", "A/S", "Sdn. Bhd.", "SB", "(Pty) Ltd", "Spółka Jawna", "W.L.L.", "CC", "S.Coop.", "ENK",
    "ЕООД", "ДООЕЛ", "Α.Ε.", 'בע"מ', "ذ.م.م", "(سهامی خاص)", "(Edms) Bpk", "株式会社",
    "L.L.C – S.P.C", "有限公司", "주식회사", "(주)", "จำกัด",
]  # fmt: skip


NAMES_BEHIND_FORMS = [
    "EURL Dupont Menuiserie", "PT Maju Jaya", "P.P.H.U. Nowak", "ТОВ «Акме»", "ООО Акме", "SIA Akme",
    "Công ty TNHH Akme", "شركة اكمي", "(주)아크메", "有限会社アクメ", "บริษัท แอคเม",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_name_is_known_with_and_without_its_legal_form(form: str) -> None:
    assert has_legal_form(f"Akme Tools {form}")
    assert without_legal_form(f"Akme Tools {form}") == "akme tools"
    assert is_only_legal_form(form)


@pytest.mark.parametrize("name", NAMES_BEHIND_FORMS)
def test_some_forms_come_first(name: str) -> None:
    assert has_legal_form(name)


@pytest.mark.parametrize("name", ["Akme Tools", "Studio Schmidt", "Ltd", "San Jose, CA", "제주 아크메"])
def test_other_names_have_none(name: str) -> None:
    assert not has_legal_form(name)


@pytest.mark.parametrize("rest", ["(haftungsbeschränkt)", "de C.V., Monterrey", "& Co. KG 12345 Berlin", "Ltd"])
def test_a_name_goes_on_where_its_legal_form_does(rest: str) -> None:
    assert begins_with_legal_form(rest)


@pytest.mark.parametrize("rest", ["", "und Partner", "12 High Street", "·"])
def test_what_is_no_legal_form_ends_a_name(rest: str) -> None:
    assert not begins_with_legal_form(rest)
