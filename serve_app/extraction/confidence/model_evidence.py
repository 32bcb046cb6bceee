"""What one model says about a document, or both together, and the answers that it gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from serve_app.domain.invoice import Field
from serve_app.domain.labels import Label
from serve_app.domain.reading import Reading
from serve_app.extraction.confidence.agreement import Answer, KnownRows, answers, same_value
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.fields import Fields, read_fields
from serve_app.extraction.parties.rivals import competing_words
from serve_app.extraction.stated.fields import LABELS, Stated, contradictions, stated_of
from serve_app.extraction.stated.keys import Notation
from serve_app.extraction.stated.rows import contradicts_row
from serve_app.extraction.tables.line_items import Row

# The labels of the values of a field; the share of a currency among all marks is in its score already.
_LABELS: Mapping[Field, tuple[Label, ...]] = {**LABELS, Field.CURRENCY: ()}
_CELLS = (Label.LINE_DESCRIPTION, Label.LINE_QUANTITY, Label.LINE_UNIT_PRICE, Label.LINE_TOTAL)
# From this probability on, a model itself points at a value, and does not only follow the captions on the page: one in
# a hundred of the numbers that are no total reaches it (ADR 0095).
MIN_MODEL_SUPPORT = 0.05


@dataclass(frozen=True, slots=True)
class ModelEvidence:
    """The evidence of one model, or of both together, and the answers that it gives."""

    pages: tuple[PageEvidence, ...]
    fields: Fields
    contradictions: Mapping[Field, Answer] = dataclass_field(default_factory=dict)
    """What the model itself states instead of the value that was chosen for a field."""
    stated: Stated = ()
    """What it states at all, page by page."""
    notation: Notation | None = None
    """How the pages write numbers and dates, if it states anything."""
    known_rows: KnownRows = dataclass_field(default_factory=lambda: KnownRows(()))

    def answer(self, field: Field) -> Answer | None:
        """The answer to a header field: what the model states, if that is another value than the chosen one."""
        return self.contradictions.get(field) or answers(self.fields).get(field)

    def sees_row(self, row: Row) -> bool:
        """Whether it reads the same row, and states no other values for it."""
        return self.known_rows.have(row) and not contradicts_row(row, self.stated, self.notation)

    def points_at(self, field: Field) -> bool:
        """Whether the models themselves, and not only the captions on the page, take a word of the answer for it."""
        own, labels = answers(self.fields).get(field), self._labels(field)
        if own is None or not labels:
            return own is not None
        page = self.pages[own.place.page]
        # A word has one label: that it has one of several is as likely as these together.
        return any(
            sum(page.probability(word, label) for label in labels) >= MIN_MODEL_SUPPORT for word in own.place.words
        )

    def _labels(self, field: Field) -> tuple[Label, ...]:
        """The labels of the words of the answer. What a commission leaves of the sum is the net sum and, where nothing
        is taxed, the total: a model may call it either."""
        is_net = field is Field.AMOUNT and self.fields.totals.is_net_of_commission
        return (*_LABELS[field], *((Label.SUBTOTAL,) if is_net else ()))

    def score(self, field: Field, value: Answer) -> float:
        """How sure the model is of a value: 0 if it gives another one."""
        own = self.answer(field)
        return own.score if own is not None and same_value(field, own, value) else 0.0

    def rival(self, field: Field, value: Answer) -> float:
        """The highest probability of the field's labels at a word that does not print the value."""
        labels = _LABELS[field]
        return next((score for *_, score in competing_words(self.pages, value.place, labels)), 0.0) if labels else 0.0

    def row_score(self, row: Row) -> float:
        """The mean probability that the words of a row belong to a table."""
        page = self.pages[row.place.page]
        words = [sum(page.probability(word, label) for label in _CELLS) for word in row.place.words]
        return min(1.0, sum(words) / len(words)) if words else 0.0


def evidence_of_model(pages: tuple[PageEvidence, ...], reading: Reading, together: ModelEvidence) -> ModelEvidence:
    """The evidence of one model, beside that of both together."""
    stated = stated_of(reading)
    chosen = answers(together.fields)
    notation = Notation.of(word.text for page in pages for word in page.page.words) if any(stated) else None
    fields = read_fields(pages)
    known = KnownRows(fields.rows)
    return ModelEvidence(pages, fields, contradictions(chosen, stated, pages), stated, notation, known)
