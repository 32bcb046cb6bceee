"""The rows of an invoice that were in question: those of both models together and of each alone, and those left out."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from models.evaluation.compare import matched_lines
from models.evaluation.evaluate import Readings
from models.evaluation.rows import ALIKE, RowPair, likeness, row_text
from serve_app.domain.batch import Section
from serve_app.domain.document import Document, union
from serve_app.domain.evidence import Candidate, ReadBy
from serve_app.domain.invoice import LineItem
from serve_app.extraction.bounds import bounded_document
from serve_app.extraction.confidence.document_evidence import DocumentEvidence, collect_evidence
from serve_app.extraction.confidence.kept_evidence import corners_of
from serve_app.extraction.reconcile.reconcile import collect_tables
from serve_app.extraction.tables.line_items import Row

_MOST = 6
"""Rows in question for one row of an invoice."""


@dataclass(frozen=True, slots=True)
class SeenRow:
    """A row, and whose answer it is. `is_candidate`: both models together read it, even if a rule leaves it out."""

    row: Row
    sources: tuple[ReadBy, ...]
    is_candidate: bool

    @property
    def item(self) -> LineItem:
        """The row as an invoice lists it."""
        numbers = self.row.numbers
        return LineItem(
            description=self.row.description,
            quantity=numbers.quantity,
            unit_price=numbers.unit_price,
            confidence=None,
        )

    @property
    def text(self) -> str:
        return row_text(self.item.model_dump())

    def is_right(self, pair: RowPair) -> bool:
        """Whether it is the true row of a pair."""
        return pair.true is not None and bool(matched_lines([pair.true], [self.item]))

    def stands_for(self, pair: RowPair, given: Row | None) -> bool:
        """Whether it is like the true row of a pair, or is on words of the given one."""
        is_like = pair.true is not None and likeness(pair.true, self.item) >= ALIKE
        return is_like or (given is not None and _share_words(self.row, given))


@dataclass(frozen=True, slots=True)
class SeenRows:
    """All rows in question of one invoice. `given` are those that it lists; empty where it lists others, such as those
    of its XML."""

    collected: DocumentEvidence
    seen: Sequence[SeenRow]
    given: Sequence[Row]

    @classmethod
    def of(cls, document: Document, readings: Readings, section: Section) -> "SeenRows":
        """Those of one invoice of a file."""
        pages = section.first_page, section.last_page
        cut = bounded_document(document).section(*pages)
        one, other = (reading.section(*pages) for reading in readings)
        collected = collect_evidence(cut, one, other)
        is_same = len(collected.rows) == len(section.extraction.line_items)
        return cls(collected, list(_seen(collected)), collected.rows if is_same else ())

    def about(self, pair: RowPair, pairs: Iterable[RowPair]) -> list[SeenRow]:
        """The rows that may stand for a pair, the likest first; not those that are given for other pairs."""
        given = self.given[pair.place] if self.given and pair.place is not None else None
        others = [each.place for each in pairs if each is not pair and each.place is not None]
        taken = [self.given[place] for place in others] if self.given else []
        found = [each for each in self.seen if each.stands_for(pair, given) and not _has(taken, each.row)]
        return sorted(found, key=lambda each: (-_likeness(pair, each), -len(each.sources)))[:_MOST]

    def candidate(self, seen: SeenRow) -> Candidate:
        """A row in the form in which other values in question are kept."""
        place = seen.row.place
        page = self.collected.document.pages[place.page]
        words = [page.words[index] for index in place.words]
        return Candidate(
            value=seen.text,
            text=" ".join(word.text for word in words),
            sources=seen.sources,
            score=round(self.collected.both.row_score(seen.row), 3),
            page=page.number,
            box=corners_of(page.shown(union(word.box for word in words))),
        )

    def shares(self, seen: SeenRow) -> str:
        """What each model alone adds to the score of a row."""
        alone = {"extractor": self.collected.extractor, "verifier": self.collected.verifier}
        return ", ".join(f"{name} {evidence.row_score(seen.row):.2f}" for name, evidence in alone.items())


def _seen(collected: DocumentEvidence) -> Iterator[SeenRow]:
    """Each row once, in the order of the page."""
    by_source = {
        ReadBy.BOTH: collected.rows,
        ReadBy.EXTRACTOR: collected.extractor.fields.rows,
        ReadBy.VERIFIER: collected.verifier.fields.rows,
    }
    tables = [table.rows for table in collect_tables(collected.both.pages).tables]
    known: dict[object, list[Row]] = defaultdict(list)
    for row in chain(*by_source.values(), *tables):
        same = known[row.description, row.numbers]
        if not any(_share_words(row, each) for each in same):
            same.append(row)
    for row in sorted(chain(*known.values()), key=lambda each: each.place):
        sources = tuple(source for source, rows in by_source.items() if _has(rows, row))
        yield SeenRow(row, sources, ReadBy.BOTH in sources or any(_has(table, row) for table in tables))


def _has(rows: Iterable[Row], row: Row) -> bool:
    return any(
        each.numbers == row.numbers and each.description == row.description and _share_words(each, row) for each in rows
    )


def _share_words(one: Row, other: Row) -> bool:
    return one.place.page == other.place.page and not set(one.place.words).isdisjoint(other.place.words)


def _likeness(pair: RowPair, seen: SeenRow) -> float:
    return 0.0 if pair.true is None else likeness(pair.true, seen.item)
