"""Sentences in small print say who issued an invoice, in the words of the languages' files."""

import pytest

from serve_app.extraction.parties.statements import is_self_billed, stated_names


class TestStatedNames:
    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("Fibra is a registered brand of Akme Telecom Ltd", "Akme Telecom Ltd"),
            ("Fibra est une marque déposée de la Akme Télécom SARL", "Akme Télécom SARL"),
            ("Thank you for your order from Akme Tools Ltd", "Akme Tools Ltd"),
            ("© Copyright 2019 – 2024 Akme Inc.", "Akme Inc."),
            ("Ausgestellt im Namen und für Rechnung der Akme GmbH", "Akme GmbH"),
            ("Emitida em nome e por conta da Akme Lda", "Akme Lda"),
            ("Owned and operated by Akme Company for Tourism S.A.E. – C.R. 41827", "Akme Company for Tourism S.A.E. –"),
            ("Invoiced on behalf of the carrier, Akme Lines Ltd", "Akme Lines Ltd"),
        ],
    )
    def test_are_those_behind_the_sentence(self, text: str, name: str) -> None:
        words = text.split()
        assert [" ".join(words[first:end]) for first, end in stated_names(words)] == [name]

    @pytest.mark.parametrize("text", ["Signed on behalf of Akme Ltd", "Akme Ltd is a brand", "Thank you for waiting"])
    def test_are_none_in_other_sentences(self, text: str) -> None:
        assert list(stated_names(text.split())) == []

    def test_of_an_agent_are_only_those_for_whom_it_writes(self) -> None:
        words = ["Fibra", "is", "a", "brand", "of", "Akme", "Ltd"]
        assert list(stated_names(words, by_agent=True)) == []


@pytest.mark.parametrize("text", ["Self billed invoice", "Gutschrift (Abrechnung gemäß § 14 UStG)", "Autofacturation"])
def test_an_invoice_says_that_its_buyer_wrote_it(text: str) -> None:
    assert is_self_billed(text)
    assert not is_self_billed(text[:6])
