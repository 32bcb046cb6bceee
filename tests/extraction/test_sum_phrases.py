"""What pages say of sums in words."""

import pytest

from serve_app.extraction.reconcile.phrases import INCLUDED, names_discount, states_exemption


class TestPhrases:
    @pytest.mark.parametrize("text", ["Discount 10 %", "Mengenrabatt 5 %", "Remise", "ZLAVA 3%", "Zľava"])
    def test_a_discount_is_named_in_any_language_alone_or_in_a_compound(self, text: str) -> None:
        assert names_discount(text)

    @pytest.mark.parametrize("text", ["Skonto", "less deposit", "Rabatz"])
    def test_what_comes_off_only_for_some_is_no_discount(self, text: str) -> None:
        assert not names_discount(text)

    @pytest.mark.parametrize(
        "text", ["gemäß §19 Abs. 1 UStG", "TVA non applicable, art. 293B du CGI", "not VAT-registered"]
    )
    def test_an_issuer_may_say_that_it_charges_no_tax(self, text: str) -> None:
        assert states_exemption(text)

    @pytest.mark.parametrize("text", ["Total 12.10 (includes 2.10 VAT)", "Yhteensä 12,10 (sisältää ALV 2,10)"])
    def test_a_bracket_behind_a_total_has_the_taxes_in_it(self, text: str) -> None:
        assert INCLUDED.search(text) is not None
