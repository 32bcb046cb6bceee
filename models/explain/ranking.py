"""Why the ranking prefers one candidate to another: what each feature adds to its score."""

from collections.abc import Mapping, Sequence
from typing import Any

from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.invoice import Field
from serve_app.domain.reading import Reading
from serve_app.extraction.bounds import bounded_document
from serve_app.extraction.candidates.candidate import Candidate
from serve_app.extraction.confidence.kept_evidence import exact_text
from serve_app.extraction.evidence import gather
from serve_app.extraction.fields import read_fields
from serve_app.extraction.scoring.rank import contributions

# Features that add less say nothing.
_LEAST = 0.05
# The rankers with another name than their field.
_RANKERS = {Field.AMOUNT: "total"}

Ranked = Mapping[Field, Sequence[Candidate[Any]]]
Shares = Mapping[tuple[str, str], str]


def ranked_of(document: Document, readings: Sequence[Reading], section: Section) -> Ranked:
    """By field: all candidates of an invoice if both models are asked together, best first."""
    pages = section.first_page, section.last_page
    cut = bounded_document(document).section(*pages)
    return read_fields(gather(cut, *(reading.section(*pages) for reading in readings))).ranked


def shares_of(ranked: Ranked) -> Shares:
    """By field and value: what the features add to the score of a candidate. Values that sums or a country give have no
    features."""
    return {
        (field.value, exact_text(candidate.value)): _line(_RANKERS.get(field, field.value), candidate.features)
        for field, candidates in ranked.items()
        for candidate in candidates
        if candidate.features
    }


def _line(ranker: str, features: dict[str, float]) -> str:
    added = contributions(ranker, features)
    return ", ".join(f"{name} {share:+.2f}" for name, share in added.items() if abs(share) >= _LEAST)
