"""Codes are suggested from rules, earlier decisions and names, with the level that decisions prove."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec.structs import replace

from serve_app.coding.learn import example_of
from serve_app.coding.suggest import Coder
from serve_app.domain.booked_lines import booked_lines, whole_invoice
from serve_app.domain.chart import Chart, ChartCode, CodingRule, Dimension
from serve_app.domain.coding import (
    CodedLine,
    Coding,
    CodingDecision,
    CodingExample,
    DecidedPosting,
    Part,
    Posting,
    Trial,
)
from serve_app.domain.confidence import Confidence
from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.invoice import Extraction, LineItem
from tests.support import NOON


def dimension(key: str, **names: str) -> Dimension:
    codes = [ChartCode(code=code.removeprefix("_"), name=name) for code, name in names.items()]
    return Dimension(key=key, name=key, codes=codes)


CHART = Chart(
    dimensions=[
        dimension("account", _4930="Bürobedarf", _4920="Telefon", _4650="Bewirtungskosten", _3400="Wareneingang"),
        dimension("cost_center", _10="Verwaltung", _20="Vertrieb"),
    ]
)


def extraction(vendor: str, *lines: str) -> Extraction:
    items = [
        LineItem(description=line, quantity=None, unit_price=None, confidence=None, total=Decimal(100))
        for line in lines
    ]
    return Extraction(vendor_name=vendor, amount=Decimal(119), line_items=items)


def suggest(coder: Coder, vendor: str, *lines: str) -> Coding:
    invoice = extraction(vendor, *lines)
    coding = coder.suggest(normalise_vendor(vendor), "", booked_lines(invoice), whole_invoice(invoice))
    assert coding is not None
    return coding


def decided(
    coder: Coder, vendor: str, line: str, *parts: Mapping[str, str | None], shares: Sequence[str] = ("100",)
) -> CodingExample:
    """What the coder learns if a clerk books the line so."""
    postings = [
        DecidedPosting(line=1, share=Decimal(share), codes=dict(codes))
        for share, codes in zip(shares, parts, strict=True)
    ]
    decision = CodingDecision(postings=postings, by="Ann", at=NOON)
    return example_of(extraction(vendor, line), None, decision, suggest(coder, vendor, line))


def codes_of(posting: Posting) -> dict[str, str | None]:
    return {key: code.value for key, code in posting.codes.items()}


def test_without_a_chart_nothing_is_suggested() -> None:
    invoice = extraction("Acme", "Paper")
    assert Coder(Chart()).suggest("acme", "", booked_lines(invoice), whole_invoice(invoice)) is None


class TestFirstInvoice:
    def test_the_names_of_codes_are_known(self) -> None:
        (posting,) = suggest(Coder(CHART), "Beispiel Telefon GmbH", "Anschluss Mai").postings
        assert codes_of(posting) == {"account": "4920", "cost_center": None}
        (posting,) = suggest(Coder(CHART), "Muster KG", "Büromaterial und Bürobedarf").postings
        assert posting.codes["account"].value == "4930"

    def test_nothing_is_high_and_the_reason_says_why(self) -> None:
        (posting,) = suggest(Coder(CHART), "Muster KG", "Bürobedarf").postings
        code = posting.codes["account"]
        assert code.confidence is not Confidence.HIGH
        assert code.reason == "By the name of the code: nothing like it was decided yet."

    def test_a_mere_guess_is_not_suggested(self) -> None:
        code = suggest(Coder(CHART), "Muster KG", "Xyz").postings[0].codes["account"]
        assert (code.value, code.score, code.confidence) == (None, 0.0, Confidence.LOW)


class TestHistory:
    def test_the_vendors_lines_are_booked_as_before(self) -> None:
        coder = Coder(CHART)
        for line, account in (("Coffee beans", "4650"), ("Copy paper", "4930")) * 3:
            coder.learn(decided(coder, "Muster KG", line, {"account": account, "cost_center": "10"}))
        first, second = suggest(coder, "Muster KG", "Copy paper 500 sheets", "Coffee beans 2026-05").postings
        assert codes_of(first) == {"account": "4930", "cost_center": "10"}
        assert codes_of(second) == {"account": "4650", "cost_center": "10"}
        assert second.codes["account"].reason == "As on 3 of the 3 latest lines of this vendor with these words."

    def test_a_new_habit_wins_after_few_decisions(self) -> None:
        coder = Coder(CHART)
        for account in ["4930"] * 20 + ["3400"] * 3:
            coder.learn(decided(coder, "Muster KG", "Copy paper", {"account": account}))
        (posting,) = suggest(coder, "Muster KG", "Copy paper").postings
        assert posting.codes["account"].value == "3400"

    def test_after_one_exception_any_suggestion_is_less_certain(self) -> None:
        coder = Coder(CHART)
        for vendor, account in (("Muster KG", "4930"), ("Tele AG", "4920")) * 20:
            coder.learn(decided(coder, vendor, "Copy paper", {"account": account}))
        before = suggest(coder, "Muster KG", "Copy paper").postings[0].codes["account"]
        assert before.value == "4930"
        coder.learn(decided(coder, "Muster KG", "Copy paper", {"account": "3400"}))
        after = suggest(coder, "Muster KG", "Copy paper").postings[0].codes["account"]
        assert (after.score or 0) < (before.score or 0)

    def test_the_entity_decides_where_the_vendor_does_not(self) -> None:
        coder = Coder(CHART)
        for entity, center in (("north", "10"), ("south", "20")) * 5:
            parts = [Part("100", {"account": "4930", "cost_center": center})]
            coder.learn(CodingExample("muster", entity, [CodedLine("Copy paper", None, parts)], []))
        invoice = extraction("Muster KG", "Ink", "Copy paper")
        for entity, center in (("north", "10"), ("south", "20")):
            coding = coder.suggest("muster", entity, booked_lines(invoice), whole_invoice(invoice))
            assert coding is not None
            assert {posting.codes["cost_center"].value for posting in coding.postings} == {center}

    def test_a_code_that_left_the_chart_is_not_suggested(self) -> None:
        coder = Coder(CHART)
        example = decided(coder, "Muster KG", "Copy paper", {"account": "4930"})
        chart = CHART.with_dimension(dimension("account", _4920="Telefon", _3400="Wareneingang"))
        (posting,) = suggest(Coder(chart, [example] * 3), "Muster KG", "Copy paper").postings
        assert posting.codes["account"].value != "4930"

    def test_a_vendor_whose_invoices_are_booked_as_a_whole(self) -> None:
        coder = Coder(CHART)
        decision = CodingDecision(postings=[DecidedPosting(codes={"account": "4930"})], by="Ann", at=NOON)
        coder.learn(example_of(extraction("Muster KG", "Pens", "Paper"), None, decision, None))
        (posting,) = suggest(coder, "Muster KG", "Ink", "Paper").postings
        assert (posting.line, posting.amount) == (None, Decimal(119))


class TestSplits:
    SHARES = ("33.3333", "66.6667")

    def test_a_split_is_remembered_by_vendor_and_its_amounts_add_up(self) -> None:
        coder = Coder(CHART)
        for _ in range(3):
            parts = ({"account": "4920", "cost_center": "10"}, {"account": "4920", "cost_center": "20"})
            coder.learn(decided(coder, "Tele AG", "Phone", *parts, shares=self.SHARES))
        postings = suggest(coder, "Tele AG", "Phone").postings
        assert [codes_of(each) for each in postings] == [
            {"account": "4920", "cost_center": "10"},
            {"account": "4920", "cost_center": "20"},
        ]
        assert [each.amount for each in postings] == [Decimal("33.33"), Decimal("66.67")]
        assert len(suggest(coder, "Muster KG", "Phone").postings) == 1

    def test_a_split_suggestion_is_right_only_if_all_its_parts_are(self) -> None:
        coder = Coder(CHART)
        parts = ({"account": "4920", "cost_center": "10"}, {"account": "4920", "cost_center": "20"})
        example = decided(coder, "Tele AG", "Phone", *parts, shares=self.SHARES)
        trials = {trial.dimension: trial.is_right for trial in example.trials}
        assert trials == {"account": True, "cost_center": False}
        for _ in range(3):
            coder.learn(example)
        again = decided(coder, "Tele AG", "Phone", *parts, shares=self.SHARES)
        assert all(trial.is_right for trial in again.trials)


class TestRules:
    CHART = CHART.with_rules(
        [
            CodingRule(vendor="Muster", contains="KAFFEE 1kg", codes={"account": "4650"}),
            CodingRule(vendor="Muster", codes={"account": "3400"}),
        ]
    )

    def test_the_first_rule_that_applies_wins_over_history(self) -> None:
        coder = Coder(self.CHART)
        coder.learn(decided(coder, "Muster KG", "Copy paper", {"account": "4930"}))
        first, second = suggest(coder, "Muster KG", "Kaffee 1kg ganze Bohnen", "Copy paper").postings
        assert first.codes["account"].value == "4650"
        assert first.codes["account"].reason == "Rule: vendor Muster, line KAFFEE 1kg."
        assert second.codes["account"].value == "3400"

    def test_of_another_vendor_it_says_nothing(self) -> None:
        (posting,) = suggest(Coder(self.CHART), "Beispiel KG", "Bürobedarf").postings
        assert posting.codes["account"].value == "4930"


class TestLevels:
    @staticmethod
    def examples(right: int, wrong: int = 0) -> list[CodingExample]:
        """Decisions on one vendor, each of which was suggested with a score of 0.99."""
        example = decided(Coder(CHART), "Muster KG", "Copy paper", {"account": "4930", "cost_center": None})
        trials = [Trial(key, 0.99, is_right=True) for key in ("account", "cost_center")]
        good = replace(example, trials=trials)
        bad = replace(example, trials=[Trial("account", 0.99, is_right=False)])
        return [good] * right + [bad] * wrong

    def test_high_needs_299_invoices_without_a_wrong_suggestion(self) -> None:
        few, enough = (Coder(CHART, self.examples(right)) for right in (298, 299))
        assert not suggest(few, "Muster KG", "Copy paper").auto_coded
        coding = suggest(enough, "Muster KG", "Copy paper")
        assert coding.auto_coded
        assert {code.confidence for code in coding.postings[0].codes.values()} == {Confidence.HIGH}

    def test_each_dimension_is_proved_by_itself(self) -> None:
        coding = suggest(Coder(CHART, self.examples(299, wrong=5)), "Muster KG", "Copy paper")
        assert coding.postings[0].codes["account"].confidence is Confidence.MID
        assert coding.postings[0].codes["cost_center"].confidence is Confidence.HIGH
        assert not coding.auto_coded

    def test_after_a_change_of_habit_nothing_is_high(self) -> None:
        examples = self.examples(1100, wrong=3)
        assert suggest(Coder(CHART, examples), "Muster KG", "Copy paper").auto_coded
        newest_wrong = Coder(CHART, examples[::-1])
        assert newest_wrong.proofs["account"].has_changed
        assert not suggest(newest_wrong, "Muster KG", "Copy paper").auto_coded

    def test_the_lines_of_an_invoice_count_together_as_one(self) -> None:
        example = self.examples(1)[0]
        long = replace(example, trials=example.trials * 300)
        assert not suggest(Coder(CHART, [long]), "Muster KG", "Copy paper").auto_coded
