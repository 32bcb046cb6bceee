"""What both models together say about a document, what each says alone, and which of it is evidence for an answer."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from serve_app.domain.document import DISPUTED, Document, TextSource
from serve_app.domain.invoice import Field
from serve_app.domain.labels import Label
from serve_app.domain.reading import Reading
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.candidates.numbers import may_lack_series
from serve_app.extraction.captions import Caption
from serve_app.extraction.codes.decide import with_codes
from serve_app.extraction.confidence.agreement import Answer, answers, same_answer, same_rows
from serve_app.extraction.confidence.confidence import Support
from serve_app.extraction.confidence.model_evidence import MIN_MODEL_SUPPORT, ModelEvidence, evidence_of_model
from serve_app.extraction.confidence.rules import is_plausible
from serve_app.extraction.currency.called import called_currency, has_sums_in_other_money, may_be_called, texts_of
from serve_app.extraction.currency.countries import home_currencies
from serve_app.extraction.currency.currencies import CODES, currency_named_in, currency_of, names_currency
from serve_app.extraction.currency.money_unit import is_proved_by_country
from serve_app.extraction.dates.dates import find_dates
from serve_app.extraction.dates.rival_dates import has_date_over_caption, is_another_day_of_issue, is_day_of_payment
from serve_app.extraction.einvoice.data import agrees, data_of
from serve_app.extraction.evidence import PageEvidence, gather
from serve_app.extraction.fields import read_fields
from serve_app.extraction.notation.numbers import DASHES
from serve_app.extraction.reconcile.choice import Check
from serve_app.extraction.reconcile.scale import has_possible_decimals, has_rest
from serve_app.extraction.split.several import names_other_issuer
from serve_app.extraction.tables.line_items import Row

# The fields whose own value the arithmetic proves.
_PROVED_BY = {Field.AMOUNT: Check.NET, Field.TAX: Check.NET_AND_TAX}
# Fields of which nothing but the letters says what they are, and letters that OCR reads by one model of Tesseract only:
# from Greek to Georgian, Korean, Hebrew and Arabic. Chinese and Latin ones are known to the better network.
_OF_LETTERS = frozenset({Field.VENDOR, Field.INVOICE_NUMBER})
_OTHER_LETTERS = re.compile("[\u0370-\u1dff\u1f00-\u1fff\uac00-\ud7af\ufb1d-\ufdff\ufe70-\ufeff]")
# Whether "N" is a letter of the number, or what OCR left of "N°", nobody can say.
_SIGN_OR_LETTER = re.compile(r"N\d+")
# The captions of an invoice's number, and of its date of issue: "Rechnung 17 vom 1.2.2024".
_NUMBERS = frozenset({Caption.INVOICE_NUMBER, Caption.RECEIPT_NUMBER, Caption.NUMBER, Caption.TITLE})
_OWN_NUMBER = frozenset({Caption.INVOICE_NUMBER, Caption.RECEIPT_NUMBER})
_DATES = frozenset({Caption.ISSUE_DATE, Caption.DATE, *_NUMBERS})
# A word that both models together take for a charge or a discount with at least this probability is one.
_SEEN_BETWEEN = 0.5


@dataclass(frozen=True, slots=True)
class DocumentEvidence:
    """Both models together, and each alone, about a document. `is_foreign`: its pages look like those of a document
    that is no invoice, or of several."""

    both: ModelEvidence
    extractor: ModelEvidence
    verifier: ModelEvidence
    document: Document
    is_foreign: bool = False

    def answers(self) -> dict[Field, Answer]:
        """The header fields that were found, in the order of the resource."""
        return answers(self.both.fields)

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.both.fields.rows

    def support(self, field: Field) -> Support:
        """The evidence for the answer to a header field. Raises KeyError if there is none."""
        final = self.answers()[field]
        return Support(
            models_agree=self._agree(field, final),
            adds_up=self.adds_up and (field is not Field.TAX or self._is_tax_proved(final)),
            extractor=self.extractor.score(field, final),
            verifier=self.verifier.score(field, final),
            together=final.score,
            rival=self.both.rival(field, final),
            legibility=self._legibility(field, final),
            is_plausible=self._is_plausible(field, final),
            is_foreign=self.is_foreign,
            data_agrees=agrees(data_of(self.document), field, final),
        )

    def table_support(self) -> Support:
        """The evidence for the table as a whole, which has at least one row."""
        one, other = self.extractor.fields, self.verifier.fields
        rows = [self.row_support(row) for row in self.rows]
        return Support(
            models_agree=same_rows(one, other) and all(row.models_agree for row in rows),
            adds_up=self._do_rows_add_up and all(row.adds_up for row in rows),
            extractor=min(row.extractor for row in rows),
            verifier=min(row.verifier for row in rows),
            together=min(row.together for row in rows),
            legibility=min(row.legibility for row in rows),
            is_plausible=all(row.is_plausible for row in rows) and not self._has_line_between(),
            is_foreign=self.is_foreign,
        )

    def _has_line_between(self) -> bool:
        """Whether both models see a charge for delivery or a discount that is no row, which nothing proves."""
        taken = {(row.place.page, word) for row in self.rows for word in row.place.words}
        return any(
            page.probability(word, label) > _SEEN_BETWEEN and (number, word) not in taken
            for number, page in enumerate(self.both.pages)
            for label in (Label.SHIPPING, Label.DISCOUNT)
            for word in range(len(page.page.words))
        )

    def row_support(self, row: Row) -> Support:
        """The evidence for one row of the table."""
        scores = [each.row_score(row) if each.sees_row(row) else 0.0 for each in self._alone]
        return Support(
            # A row that captions or sums tell is none that both models see.
            models_agree=min(scores) >= MIN_MODEL_SUPPORT,
            adds_up=self._is_proved(row),
            extractor=scores[0],
            verifier=scores[1],
            together=self.both.row_score(row),
            legibility=self._row_legibility(row),
            # "3.937,50" describes nothing, nor does what OCR makes of letters that it does not know: "0000".
            is_plausible=any(map(str.isalpha, row.description or "")) and not self.both.fields.items.has_rival,
            is_foreign=self.is_foreign,
        )

    def _row_legibility(self, row: Row) -> float:
        """How surely the words of a row were read; but for its numbers where these prove one another."""
        described = frozenset((row.description or "").split())
        page = self.document.pages[row.place.page]
        words = [word for word in row.place.words if page.words[word].text in described or not row.numbers.multiplies]
        return legibility(self.document, Place(row.place.page, tuple(words)))

    def _is_proved(self, row: Row) -> bool:
        """Whether arithmetic involves all numbers of a row: quantity times price is the total or, in a table without
        quantities, an amount alone counts in the sum of the lines. OCR misses digits that stand alone."""
        if row.numbers.multiplies is not None:
            # Anything times nothing is nothing.
            return row.numbers.multiplies and row.numbers.total != 0
        is_read = self.both.pages[row.place.page].page.source is TextSource.OCR
        fields = self.both.fields
        return self._do_rows_add_up and fields.items.are_bare and not (is_read and fields.items.do_lack_quantity)

    @property
    def _do_rows_add_up(self) -> bool:
        """Whether the sums of the document add up, and its rows make one of them: a column of taxes can prove a total
        whose rows were not all read."""
        return self.adds_up and self.both.fields.items.do_add_up

    def agree_on(self, field: Field) -> bool:
        """Whether each model alone gives the answer to a header field, and there is one."""
        final = self.answers().get(field)
        return final is not None and self._agree(field, final)

    def _agree(self, field: Field, final: Answer) -> bool:
        # A currency is that of an amount: signs and codes stand on documents of every kind.
        if field is Field.CURRENCY and not self._share_amount():
            return False
        return self._give(field, final) and all(model.points_at(field) for model in self._alone)

    def _share_amount(self) -> bool:
        """Whether both models give the same amount, and one at least points at it."""
        amount = self.answers().get(Field.AMOUNT)
        is_seen = any(model.points_at(Field.AMOUNT) for model in self._alone)
        return is_seen and amount is not None and self._give(Field.AMOUNT, amount)

    def _give(self, field: Field, final: Answer) -> bool:
        return same_answer(field, final, *(model.answer(field) for model in self._alone))

    @property
    def _alone(self) -> tuple[ModelEvidence, ModelEvidence]:
        return self.extractor, self.verifier

    @property
    def adds_up(self) -> bool:
        """Whether the sums of the document add up."""
        return self.both.fields.check >= Check.NET

    def _is_tax_proved(self, tax: Answer) -> bool:
        """Whether net and tax make the total, and no other rate has a tax, too; or, for a tax of zero, the net is the
        total and nothing else is a tax."""
        fields = self.both.fields
        if tax.value == 0:
            return fields.totals.is_untaxed
        return fields.check >= Check.NET_AND_TAX and not fields.totals.is_tax_part

    def _is_plausible(self, field: Field, answer: Answer) -> bool:
        """Whether an answer breaks no rule, something beside the models' word speaks for a name or a currency, and no
        other name or due date is as likely."""
        checks: dict[Field, Callable[[Answer], bool]] = {
            Field.VENDOR: self._is_only_issuer,
            Field.INVOICE_NUMBER: self._is_own_number,
            Field.AMOUNT: self._is_all_due,
            Field.CURRENCY: self._is_named,
            Field.ISSUED_AT: self._is_issue_date,
            Field.DUE_AT: self._is_due_date,
            Field.TAX: self._is_own_sum,
        }
        return checks[field](answer) and is_plausible(field, self.answers())

    def _is_only_issuer(self, vendor: Answer) -> bool:
        fields = self.both.fields
        is_alone = fields.about_vendor.is_named or not fields.about_vendor.has_rival
        is_whole = fields.about_vendor.is_corroborated and not fields.about_vendor.is_cut
        return is_alone and is_whole and not names_other_issuer(self.both.pages, vendor.value)

    def _is_own_number(self, number: Answer) -> bool:
        return not self._is_number_of_other(number) and not self._is_cut(number)

    def _is_own_sum(self, amount: Answer) -> bool:
        is_other = self._follows_dash(amount) or self._is_in_other_money(amount)
        return not is_other and self._is_whole_number(amount)

    def _is_all_due(self, amount: Answer) -> bool:
        return self._is_own_sum(amount) and not self.both.fields.totals.has_more_due

    def _is_issue_date(self, day: Answer) -> bool:
        is_other = not self._is_no_other_date(day) or is_another_day_of_issue(self.both.pages, day)
        return self._is_day_known(day) and not is_other and not has_date_over_caption(self.both.pages, day)

    def _is_due_date(self, day: Answer) -> bool:
        is_only = self.both.fields.has_one_due_date and self._is_day_known(day)
        is_other = self._is_called(day, {Caption.OTHER_DATE}, frozenset({Caption.DUE_DATE}))
        is_said = not has_date_over_caption(self.both.pages, day) and is_day_of_payment(self.both.pages, day)
        return is_only and not is_other and is_said

    def _is_day_known(self, day: Answer) -> bool:
        """Whether it is known which number of a date is the day, and which one the year."""
        dates = find_dates(self.both.pages[day.place.page].text(day.place.words))
        is_open = any(found.is_ambiguous and found.day != found.month for found in dates)
        is_year_open = any(found.may_begin_with_year and found.year == day.value.year for found in dates)
        return not is_year_open and (self.both.fields.dates.is_order_known or not is_open)

    def _is_no_other_date(self, issued: Answer) -> bool:
        """Whether the issue date is neither called another date nor printed once for both, issue and payment."""
        due = self.both.fields.due_at
        is_due = due is not None and due.place == issued.place
        return not is_due and not self._is_called(issued, {Caption.DUE_DATE, Caption.OTHER_DATE}, _DATES)

    def _is_cut(self, number: Answer) -> bool:
        """Whether a number was printed with a dash at its end, behind which it goes on elsewhere, or may lack its
        series."""
        page = self.both.pages[number.place.page]
        return page.page.words[number.place.words[-1]].text.endswith("-") or may_lack_series(page, number.place.words)

    def _is_number_of_other(self, number: Answer) -> bool:
        """Whether a caption calls a number another one, here or, if none calls it the invoice's, anywhere: that of the
        invoice that a credit note refers to."""
        if self._is_called(number, {Caption.OTHER_NUMBER}, _NUMBERS) or self._is_another_called(number):
            return True
        called = [
            page.captions((index,)).before
            for page in self.both.pages
            for index, word in enumerate(page.page.words)
            if word.text.strip(".,;:()") == number.value
        ]
        return any(Caption.OTHER_NUMBER in each for each in called) and not any(
            _OWN_NUMBER.intersection(each) for each in called
        )

    def _is_another_called(self, number: Answer) -> bool:
        """Whether another number is called the invoice's, and this one is not."""
        called = {
            str(each.value)
            for each in (*self.both.fields.ranked.get(Field.INVOICE_NUMBER, ()), number)
            if Caption.INVOICE_NUMBER in self.both.pages[each.place.page].captions(each.place.words).before
        }
        return bool(called) and number.value not in called

    def _is_called(self, answer: Answer, other: set[Caption], own: frozenset[Caption]) -> bool:
        """Whether a caption before or above an answer calls it something else, and none what it is to be."""
        captions = self.both.pages[answer.place.page].captions(answer.place.words)
        called = {*captions.before, *captions.above}
        return not called.isdisjoint(other) and called.isdisjoint(own) and own.isdisjoint(captions.earlier)

    def _is_whole_number(self, amount: Answer) -> bool:
        """Whether all digits of a sum were read, and it has no more decimals than its currency."""
        currency = self.both.fields.currency
        is_possible = has_possible_decimals(amount.value, currency.value if currency else None)
        return is_possible and not has_rest(self.both.pages[amount.place.page], amount.place.words)

    def _is_in_other_money(self, amount: Answer) -> bool:
        """Whether an amount is called in another currency than the invoice's, or its line names one, and not this one:
        "Total PLN" below "Total EUR"."""
        currency, page = self.both.fields.currency, self.both.pages[amount.place.page]
        if currency is None or self.both.fields.totals.is_converted:
            return self.both.fields.totals.is_converted
        called = called_currency(page, amount.place.words, texts_of(page, self._home))
        if called is not None and called[0] != currency.value:
            return True
        words = [page.page.words[word].text for word in page.line_of(amount.place.words[0])]
        named = {text.strip(".:,;()").upper() for text in words} & CODES
        return bool(named) and currency.value not in named

    def _follows_dash(self, amount: Answer) -> bool:
        """Whether a dash stands alone before an amount: it may be its sign."""
        page, first = self.both.pages[amount.place.page], amount.place.words[0]
        line = page.line_of(first)
        before = line[: line.index(first)][-1:]
        return page.text(before) in DASHES and amount.value > 0

    def _is_named(self, answer: Answer) -> bool:
        """Whether a currency is printed, or proved by a country that is plain. A sign that several countries share
        names one only where the country is plain or, for the dollar of the United States, suggested most."""
        if self._is_disputed(answer.value):
            return False
        page = self.both.pages[answer.place.page]
        if names_currency(page.text(answer.place.words), answer.value):
            return True
        is_shared = currency_of(page.text(answer.place.words), {}) == answer.value
        is_suggested = is_shared and 0 < self._home[answer.value] == max(self._home.values())
        return is_suggested or is_proved_by_country(self.both.pages, answer.value)

    def _is_disputed(self, currency: str) -> bool:
        """Whether sums are in another currency, too, and neither what stands beside the total nor a sentence or a
        heading names this one."""
        total, pages = self.both.fields.amount, self.both.pages
        if total is None or self.both.fields.totals.is_converted:
            return self.both.fields.totals.is_converted
        page, words = pages[total.place.page], total.place.words
        has_others = has_sums_in_other_money(pages, currency, page.text(words), self._home)
        if not has_others or may_be_called(page, words, currency):
            return False
        return all(currency_named_in(each.text(line)) != currency for each in pages for line in each.lines)

    @property
    def _home(self) -> Counter[str]:
        return home_currencies(page.text(line) for page in self.both.pages for line in page.lines)

    def _legibility(self, field: Field, answer: Answer) -> float:
        """How surely the words of an answer were read. Sums that add up were read right, however faint they are, but
        not where a text layer and its picture have different digits. Letters that one engine alone can read are not
        certain in names and numbers, which nothing else proves; nor is what may be the rest of a sign."""
        if field in _OF_LETTERS and self._may_be_misread(answer.place):
            return min(legibility(self.document, answer.place), DISPUTED)
        needed = _PROVED_BY.get(field)
        read = legibility(self.document, answer.place)
        is_proved = needed is not None and self.both.fields.check >= needed and read != DISPUTED
        return 1.0 if is_proved else read

    def _may_be_misread(self, place: Place) -> bool:
        page = self.both.pages[place.page]
        text = page.text(place.words)
        is_unclear = _OTHER_LETTERS.search(text) or _SIGN_OR_LETTER.fullmatch(text)
        return page.page.source is TextSource.OCR and is_unclear is not None


def collect_evidence(
    document: Document,
    extractor: Reading,
    verifier: Reading,
    *,
    both: Sequence[PageEvidence] | None = None,
) -> DocumentEvidence:
    """Let each model answer alone, and both together; raises ValueError if a reading is of another document. `both` is
    the evidence of both models, if it has been gathered already.
    """
    both = tuple(both or gather(document, extractor, verifier))
    facts = [page.facts for page in both]
    alone = [gather(document, reading, facts=facts) for reading in (extractor, verifier)]
    together = ModelEvidence(both, with_codes(read_fields(both), facts))
    one, other = (
        evidence_of_model(pages, reading, together) for pages, reading in zip(alone, (extractor, verifier), strict=True)
    )
    return DocumentEvidence(together, one, other, document)


def legibility(document: Document, place: Place) -> float:
    """The confidence of the least surely read word of a place."""
    words = document.pages[place.page].words
    return min((words[word].confidence for word in place.words), default=1.0)
