"""The questions of labelled documents to the rankers: for each field, the options of a document, and which are
right."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from models.evaluation.dataset import Truth
from models.training.real import RealDocument
from models.training.sample import Sample
from serve_app.domain.document import Page
from serve_app.domain.labels import OUTSIDE, UNKNOWN, Label
from serve_app.extraction.candidates.amounts import amount_candidates
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.candidates.dates import date_candidates
from serve_app.extraction.candidates.features import Features
from serve_app.extraction.candidates.numbers import number_candidates
from serve_app.extraction.candidates.vendors import vendor_candidates
from serve_app.extraction.dates.dates import Order, day_month_order
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import decimal_style
from serve_app.extraction.parties.names import normal_name, normal_number

Tags = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Question:
    """The options of one document for a field, and whether each is right; possibly none. `group`: questions of one
    group are very similar, and get less weight."""

    options: Sequence[Features]
    right: Sequence[bool]
    group: str = ""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known about a document: values by field (a missing field is unknown), and the tags of its words."""

    values: Mapping[str, Any]
    tags: Tags
    group: str


def ask(sample: Sample, pages: Sequence[PageEvidence]) -> Iterator[tuple[str, Question]]:
    """The questions of a generated document, by field, without those whose answer is not an option."""
    truth = sample.truth
    values = {
        "vendor": truth.vendor_name,
        "invoice_number": truth.invoice_number,
        "issued_at": truth.issued_at,
        "due_at": truth.due_at,
        "total": truth.amount,
        "tax": truth.tax,
    }
    yield from _ask(_Known(values, sample.tags, ""), pages)


def ask_real(document: RealDocument, pages: Sequence[PageEvidence]) -> Iterator[tuple[str, Question]]:
    """The same for a labelled document."""
    values = {field: _parsed(field, document.values[key]) for field, key in _KEYS.items() if key in document.values}
    yield from _ask(_Known(values, document.tags, f"{document.source} {document.issuer}"), pages)


_KEYS = {
    "vendor": "vendor_name",
    "invoice_number": "invoice_number",
    "issued_at": "issued_at",
    "due_at": "due_at",
    "total": "amount",
    "tax": "tax",
}


def ask_case(truth: Truth, pages: Sequence[PageEvidence]) -> Iterator[tuple[str, Question]]:
    """The questions about the vendor and the due date of a document whose values are known, but not where they are
    printed."""
    if "vendor_name" in truth:
        names = vendor_candidates(pages)
        yield from _question("vendor", names, _accepted_names(truth, names), normal_name)
    if "due_at" in truth:
        due, issued = (truth.get(field) and date.fromisoformat(truth[field]) for field in ("due_at", "issued_at"))
        days = date_candidates(pages, _order(pages, truth.get("currency")), issued or None)
        yield from _question("due_at", days, {due} if due else set(), _same)


def _accepted_names(truth: Truth, options: Sequence[Candidate[str]]) -> set[str]:
    """The vendor's name; a further accepted one only where that is no option."""
    answers = {normal_name(truth["vendor_name"])} if truth["vendor_name"] else set()
    if answers and answers.isdisjoint(normal_name(option.value) for option in options):
        answers |= {normal_name(name) for name in truth.get("_vendor_alt", ())}
    return answers


def _question(
    field: str,
    options: Sequence[Candidate[Any]],
    answers: Collection[Hashable],
    normal: Callable[[Any], Hashable],
    group: str = "",
) -> Iterator[tuple[str, Question]]:
    """The question of a field, unless its answer is no option."""
    right = [normal(option.value) in answers for option in options]
    if options and any(right) is bool(answers):
        yield field, Question([option.features for option in options], right, group)


def _order(pages: Sequence[PageEvidence], currency: str | None = "USD") -> Order:
    """The order of day and month; by the currency, the usual one, if the dates do not say it."""
    lines = (page.text(line) for page in pages for line in page.lines)
    return day_month_order(lines, month_first_hint=currency == "USD")


def _parsed(field: str, value: Any) -> Any:
    if value is None or field in ("vendor", "invoice_number"):
        return value
    return date.fromisoformat(value) if field in ("issued_at", "due_at") else Decimal(str(value))


def _ask(known: _Known, pages: Sequence[PageEvidence]) -> Iterator[tuple[str, Question]]:
    order = _order(pages)
    style = decimal_style(word.text for page in pages for word in page.page.words)
    amounts = amount_candidates(pages, style)
    issued = known.values.get("issued_at")
    offered: dict[str, tuple[Sequence[Candidate[Any]], Callable[[Any], Hashable]]] = {
        "vendor": ([name for name in vendor_candidates(pages) if not _is_unknown(known.tags, name.place)], normal_name),
        "invoice_number": (number_candidates(pages), normal_number),
        "issued_at": (date_candidates(pages, order), _same),
        "due_at": (date_candidates(pages, order, issued), _same),
        "total": (amounts, _same),
        "tax": (amounts, _same),
        "subtotal": (amounts, _same),
    }
    values = {**known.values, **_subtotal(known.tags, amounts)}
    for field, (options, normal) in offered.items():
        if field not in values:
            continue
        answers = {normal(answer) for answer in _answers(field, values[field], known.tags, pages)}
        yield from _question(field, options, answers, normal, known.group)


def _same(value: Hashable) -> Hashable:
    return value


def _answers(field: str, value: Any, tags: Tags, pages: Sequence[PageEvidence]) -> Iterator[Any]:
    """The right answers; an issuer's name also in the printed and labelled form."""
    if value is None:
        return
    yield value
    if field == "vendor":
        yield from printed_names((page.page for page in pages), tags)


def printed_names(pages: Iterable[Page], tags: Tags) -> list[str]:
    """The issuer's name, as often and in the ways in which it is printed, by the tags of the words."""
    return [
        " ".join(page.words[word].text for word in words)
        for page, mine in zip(pages, tags, strict=True)
        for words in places_of_label(mine, Label.SELLER)
    ]


def places_of_label(tags: Sequence[str], label: Label) -> Iterator[list[int]]:
    """The words of each occurrence of a label on a page, for example of the issuer's name."""
    found: list[int] = []
    for word, tag in enumerate([*tags, OUTSIDE]):
        if found and tag != f"I-{label}":
            yield found
            found = []
        if tag.endswith(f"-{label}"):
            found.append(word)


def _is_unknown(tags: Tags, place: Place) -> bool:
    """Whether it is unknown if a place has the name: it may be a brand, for example."""
    return all(tags[place.page][word] == UNKNOWN for word in place.words)


def _subtotal(tags: Tags, amounts: Sequence[Candidate[Any]]) -> dict[str, Any]:
    """The value of the first option that is labelled as subtotal; unknown if unlabelled words may be one."""
    for amount in amounts:
        if all(tags[amount.place.page][word].endswith(f"-{Label.SUBTOTAL}") for word in amount.place.words):
            return {"subtotal": amount.value}
    is_known = all(tags[amount.place.page][word] != UNKNOWN for amount in amounts for word in amount.place.words)
    return {"subtotal": None} if is_known else {}
