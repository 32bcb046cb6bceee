"""The explanation of a document for a terminal."""

from collections.abc import Iterator, Sequence

from models.explain.ranking import Shares
from models.explain.word_labels import SeenWord
from serve_app.domain.batch import Section
from serve_app.domain.evidence import Candidate, FieldEvidence, ReadBy, unpack
from serve_app.domain.invoice import Confidence, Extraction

_BY = {ReadBy.EXTRACTOR: "extractor", ReadBy.VERIFIER: "verifier", ReadBy.BOTH: "both", ReadBy.MEMORY: "memory"}


def fields_of(section: Section, requested: str | None) -> dict[str, FieldEvidence]:
    """The evidence for each field, or for one of them; empty where nothing was in question."""
    evidence = None if section.evidence is None else unpack(section.evidence)
    fields = evidence.fields if evidence else {}
    return {name: each for name, each in fields.items() if requested in (None, name)}


def lines_of(section: Section, requested: str | None, shares: Shares) -> Iterator[str]:
    """The explanation of one invoice; `shares` is what the features of each candidate add to its score."""
    pages = f"page {section.first_page}" + (
        f" to {section.last_page}" if section.last_page > section.first_page else ""
    )
    models = section.extraction.models
    yield f"{pages}, read by {models.extractor} and {models.verifier}" if models else pages
    for name, evidence in fields_of(section, requested).items():
        yield ""
        yield f"{name}: {value_of(section.extraction, name) or 'nothing'}{_level(section.extraction, name)}"
        yield f"  {reason_of(evidence)}"
        yield from (f"  {line}" for line in _candidates(name, evidence.candidates, shares))


def value_of(extraction: Extraction, name: str) -> str | None:
    """The value that was chosen, as text."""
    attribute = "vendor_name" if name == "vendor" else name
    holder = extraction if hasattr(extraction, attribute) else extraction.details
    value = getattr(holder, attribute, None)
    if isinstance(value, list):
        return f"{len(value)} rows" if value else None
    return None if value is None else str(value)


def level_of(extraction: Extraction, name: str) -> Confidence | None:
    """Its level."""
    details = extraction.details.field_confidence if extraction.details else {}
    header = extraction.field_confidence or {}
    found = [level for field, level in [*header.items(), *details.items()] if field == name]
    return found[0] if found else None


def reason_of(evidence: FieldEvidence) -> str:
    """Why it has its level, in words."""
    parts = []
    if evidence.chance is not None:
        parts.append(f"right with a probability of {evidence.chance:.1%}")
        needed = f"{evidence.high:.1%}" if evidence.high < 1 else "a calibration of these models"
        parts.append(f"high needs {needed}" if evidence.may_be_high else "cannot be high")
    parts.append("the models agree" if evidence.models_agree else "the models do not agree")
    reason = "; ".join(parts)
    return f"{reason}. {evidence.doubt.text}" if evidence.doubt else f"{reason}."


def _level(extraction: Extraction, name: str) -> str:
    level = level_of(extraction, name)
    return f" ({level})" if level else ""


def _candidates(field: str, candidates: Sequence[Candidate], shares: Shares) -> Iterator[str]:
    for each in candidates:
        sources = ", ".join(_BY[source] for source in each.sources)
        yield f"{each.score:7.1%}  {each.value}  printed as {each.text!r} on page {each.page}, by {sources}"
        if (field, each.value) in shares:
            yield f"         {shares[field, each.value]}"


def words_of(pages: Sequence[Sequence[SeenWord]]) -> dict[str, list[str]]:
    """By label, the words that a model gives it."""
    found: dict[str, list[str]] = {}
    for page in pages:
        for word in page:
            if word.label:
                found.setdefault(word.label, []).append(word.text)
    return found
