"""Collect each value of an evaluation that is wrong or missing, or right without being `high`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from models.evaluation.compare import HEADER, is_absent, is_right
from models.evaluation.dataset import Case, Truth
from models.evaluation.errors.causes import Cause, Compared, ComparedRow, Verdict
from models.evaluation.errors.crops import Spot, crops, spots_of_lines
from models.evaluation.errors.seen_rows import SeenRows
from models.evaluation.evaluate import Readings
from models.evaluation.outcome import Outcome
from models.evaluation.pairing import paired
from models.evaluation.presence import is_row_read, present
from models.evaluation.record import Earlier, Scored
from models.evaluation.rows import LINE_ITEMS, RowPair, paired_rows, scores_rows
from models.evaluation.tally import CONFIDENCE_KEY
from models.explain.ranking import Ranked, Shares, ranked_of, shares_of
from models.explain.text import fields_of, reason_of
from serve_app.documents.options import ReadOptions
from serve_app.domain.batch import Section
from serve_app.domain.document import Document, Page
from serve_app.domain.evidence import Candidate, FieldEvidence, ReadBy, fractions
from serve_app.domain.invoice import Confidence, Extraction, Field
from serve_app.extraction.confidence.kept_evidence import exact_text


@dataclass(frozen=True, slots=True)
class Weighed:
    """A candidate, with what each feature adds to its score, and whether it is the true value."""

    candidate: Candidate
    page: int
    shares: str
    is_true: bool


@dataclass(frozen=True, slots=True)
class FieldError:
    """A header field or a row of one invoice (from 0 in its file) beside its truth. `extractor` and `verifier` are the
    answers of each model alone; `crops` are pictures as data URIs."""

    scored: Scored
    source: str
    kind: str
    vendor: str | None
    verdict: Verdict
    causes: tuple[Cause, ...]
    true: str | None
    given: str | None
    level: Confidence | None
    confusion: str | None
    before: Earlier | None
    reason: str | None = None
    extractor: str | None = None
    verifier: str | None = None
    candidates: tuple[Weighed, ...] = ()
    crops: tuple[str, ...] = ()


Counted = Counter[tuple[str, bool]]
"""Values by the name of a source or vendor, and whether they are rows."""


@dataclass(slots=True)
class ErrorLog:
    """All errors of a run. `earlier` has the values of another run to compare with. `draws`: with pictures. `by_source`
    and `by_vendor` count the header fields and the rows that were scored."""

    options: ReadOptions
    earlier: Mapping[Scored, Earlier] = field(default_factory=dict)
    draws: bool = True
    errors: list[FieldError] = field(default_factory=list)
    by_source: Counted = field(default_factory=Counter)
    by_vendor: Counted = field(default_factory=Counter)

    def add(self, case: Case, outcome: Outcome, readings: Readings | None) -> None:
        """Collect the errors of one file; one without an invoice has no true values."""
        is_ignored = not case.truths and (not outcome.values or _has_einvoice(outcome))
        truths: Sequence[Truth] = () if is_ignored else case.truths or (dict.fromkeys(HEADER),)
        pairs = paired(truths, outcome.sections)
        for index, truth in enumerate(truths):
            section = outcome.sections[pairs[index]] if index in pairs else None
            one = _Invoice(case, index, truth, outcome.extraction(pairs.get(index)), section, outcome, readings)
            for name in one.names:
                self._add(one, Scored(case.name, index, name), one.compared(name))
            for row, compared in enumerate(one.rows):
                self._add(one, Scored(case.name, index, LINE_ITEMS, row), compared)

    def _add(self, one: "_Invoice", scored: Scored, compared: Compared | ComparedRow) -> None:
        is_row = scored.row is not None
        self.by_source[one.case.source, is_row] += 1
        self.by_vendor[one.vendor or "", is_row] += 1
        before = self.earlier.get(scored)
        if not compared.causes and (before is None or before.right):
            return
        error = one.error(scored, compared, before)
        # Pages take long to draw, so a right value has none.
        if self.draws and compared.verdict is not Verdict.RIGHT:
            error = replace(error, crops=one.crops(compared, self.options))
        self.errors.append(error)


def _has_einvoice(outcome: Outcome) -> bool:
    """An embedded electronic invoice is one, whatever the truth says."""
    return outcome.document is not None and outcome.document.einvoice is not None


@dataclass
class _Invoice:
    """One true invoice of a file, and what was found of it."""

    case: Case
    index: int
    truth: Truth
    found: Extraction | None
    section: Section | None
    outcome: Outcome
    readings: Readings | None

    @property
    def names(self) -> list[str]:
        """The header fields that are scored."""
        return [name for name in HEADER if name in self.truth and name not in self.truth.get("_not_printed", [])]

    @property
    def vendor(self) -> str | None:
        return self.truth.get("vendor_name")

    def compared(self, name: str) -> Compared:
        """A field beside its truth. The document is asked only where the value is wrong."""
        value, levels = getattr(self.found, name, None), (self.found and self.found.field_confidence) or {}
        given, level = None if value is None else str(value), levels.get(CONFIDENCE_KEY[name])
        is_found, is_filled = self.found is not None, bool(levels)
        if is_found and is_right(name, self.truth, given):
            return Compared(name, self.truth, given, level)
        ranked = [exact_text(candidate.value) for candidate in self._ranked.get(CONFIDENCE_KEY[name], ())]
        other = [candidate.value for candidate in self._evidence(name).candidates]
        is_read = self._present.get(name, True)
        return Compared(name, self.truth, given, level, is_found, is_filled, is_read, ranked, other)

    @property
    def rows(self) -> Iterator[ComparedRow]:
        """The line items beside the true ones, if those are known."""
        if not scores_rows(self.truth):
            return
        is_filled = bool(self.found and self.found.field_confidence)
        pairs = paired_rows(self.truth[LINE_ITEMS], self.found.line_items if self.found else [])
        for pair in pairs:
            is_sure = pair.is_right and pair.level is Confidence.HIGH
            seen = self._seen_rows.about(pair, pairs) if self._seen_rows and not is_sure else ()
            yield ComparedRow(pair, is_filled, pair.is_right or is_row_read(pair.true or {}, self._pages), seen)

    def error(self, scored: Scored, compared: Compared | ComparedRow, before: Earlier | None) -> FieldError:
        """What is known of the value, without pictures."""
        known = self._row_values(compared) if isinstance(compared, ComparedRow) else self._field_values(compared)
        return FieldError(
            scored=scored,
            source=self.case.source,
            kind=self.case.kind,
            vendor=self.vendor,
            verdict=compared.verdict,
            causes=compared.causes,
            level=compared.level,
            confusion=compared.confusion,
            before=before,
            **known,
        )

    def _row_values(self, compared: ComparedRow) -> dict[str, Any]:
        pair, doubt = compared.pair, self._fields.get(Field.LINE_ITEMS.value, FieldEvidence()).doubt
        answers = {source: each.text for each in reversed(compared.seen) for source in each.sources}
        return {
            "true": pair.true_text,
            "given": pair.given_text,
            "reason": doubt and doubt.text,
            "extractor": answers.get(ReadBy.EXTRACTOR),
            "verifier": answers.get(ReadBy.VERIFIER),
            "candidates": tuple(self._weighed_rows(compared)),
        }

    def _weighed_rows(self, compared: ComparedRow) -> Iterator[Weighed]:
        if self._seen_rows is None:
            return
        for each in compared.seen:
            candidate, shares = self._seen_rows.candidate(each), self._seen_rows.shares(each)
            yield Weighed(candidate, self._page_in_file(candidate), shares, each.is_right(compared.pair))

    def _field_values(self, compared: Compared) -> dict[str, Any]:
        name, true = compared.field, self.truth[compared.field]
        evidence = self._evidence(name)
        answers = {source: each.value for each in evidence.candidates for source in each.sources}
        return {
            "true": None if is_absent(true) else str(true),
            "given": compared.given,
            "reason": reason_of(evidence) if evidence.candidates or evidence.doubt else None,
            "extractor": answers.get(ReadBy.EXTRACTOR),
            "verifier": answers.get(ReadBy.VERIFIER),
            "candidates": tuple(self._weighed(name, evidence.candidates)),
        }

    def _evidence(self, name: str) -> FieldEvidence:
        return self._fields.get(CONFIDENCE_KEY[name].value, FieldEvidence())

    @cached_property
    def _fields(self) -> Mapping[str, FieldEvidence]:
        return fields_of(self.section, None) if self.section else {}

    @cached_property
    def _seen_rows(self) -> SeenRows | None:
        if not (self.section and self.readings and self.outcome.document):
            return None
        return SeenRows.of(self.outcome.document, self.readings, self.section)

    @cached_property
    def _ranked(self) -> Ranked:
        if not (self.section and self.readings and self.outcome.document):
            return {}
        return ranked_of(self.outcome.document, self.readings, self.section)

    @cached_property
    def _shares(self) -> Shares:
        return shares_of(self._ranked)

    @cached_property
    def _pages(self) -> list[Page]:
        """The pages of the true invoice."""
        document = self.outcome.document or Document(())
        return [page for page in document.pages if page.number in self.truth.get("_pages", [page.number])]

    @cached_property
    def _present(self) -> Mapping[str, bool]:
        return present(self.truth, self._pages)

    def _weighed(self, name: str, candidates: Sequence[Candidate]) -> Iterator[Weighed]:
        for each in candidates:
            shares = self._shares.get((CONFIDENCE_KEY[name].value, each.value), "")
            yield Weighed(each, self._page_in_file(each), shares, is_right(name, self.truth, each.value))

    def _page_in_file(self, candidate: Candidate) -> int:
        return candidate.page + (self.section.first_page - 1 if self.section else 0)

    def crops(self, compared: Compared | ComparedRow, options: ReadOptions) -> tuple[str, ...]:
        """Where the given and the true value are printed; else the first page of the invoice."""
        spots = self._row_spots(compared.pair) if isinstance(compared, ComparedRow) else self._spots(compared)
        return crops(self.case.path.read_bytes(), spots, [page.number for page in self._pages[:1]], options)

    def _row_spots(self, pair: RowPair) -> list[Spot]:
        spots = []
        citations = ((self.found and self.found.citations) or {}).get(Field.LINE_ITEMS)
        if isinstance(citations, list) and pair.place is not None:
            spots.append(Spot(citations[pair.place].page, citations[pair.place].box, is_true=False))
        description = pair.true and pair.true.get("description")
        if description and (pair.given is None or "description" in pair.wrong_cells):
            spots += spots_of_lines(LINE_ITEMS, description, self._pages)
        return spots

    def _spots(self, compared: Compared) -> list[Spot]:
        weighed = list(self._weighed(compared.field, self._evidence(compared.field).candidates))
        spots = [
            Spot(each.page, fractions(each.candidate.box), each.is_true)
            for each in weighed
            if each.is_true or is_right(compared.field, {compared.field: compared.given}, each.candidate.value)
        ]
        if not any(spot.is_true for spot in spots) and not is_absent(self.truth[compared.field]):
            spots += spots_of_lines(compared.field, self.truth[compared.field], self._pages)
        return spots
