"""What a confirmed coding teaches."""

from collections.abc import Iterator, Mapping, Sequence

from serve_app.coding.features import vendor_key
from serve_app.domain.booked_lines import booked_lines, whole_invoice
from serve_app.domain.coding import (
    BookedLine,
    CodedLine,
    Coding,
    CodingDecision,
    CodingExample,
    DecidedPosting,
    Part,
    Posting,
    Trial,
    by_line,
)
from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.invoice import Extraction


def entity_of(extraction: Extraction, entity_tag: str | None) -> str:
    """The entity that the invoice is for, in the form in which it is compared: its tag, else the buyer that is
    printed."""
    return normalise_vendor(entity_tag or (extraction.details and extraction.details.buyer_name) or "")


def example_of(
    extraction: Extraction, entity_tag: str | None, decision: CodingDecision, suggested: Coding | None
) -> CodingExample:
    """What the decision on an invoice with these values teaches. `suggested` was made before it was known."""
    by_number = {line.number: line for line in (*booked_lines(extraction), whole_invoice(extraction))}
    decided = {number: parts for number, parts in by_line(decision.postings).items() if number in by_number}
    return CodingExample(
        vendor=vendor_key(extraction.vendor_name),
        entity=entity_of(extraction, entity_tag),
        lines=[_coded(by_number[number], parts) for number, parts in decided.items()],
        trials=list(_trials(decided, suggested)),
        is_whole=bool(extraction.line_items) and None in decided,
    )


def _coded(line: BookedLine, parts: Sequence[DecidedPosting]) -> CodedLine:
    amount = None if line.total is None else float(line.total)
    return CodedLine(line.text, amount, [Part(str(part.share), _codes(part)) for part in parts])


def _codes(part: DecidedPosting) -> dict[str, str]:
    return {key: code or "" for key, code in part.codes.items()}


def _trials(decided: Mapping[int | None, Sequence[DecidedPosting]], suggested: Coding | None) -> Iterator[Trial]:
    """Of each suggested code, whether it was the one. A line that was split otherwise has the right code of a
    dimension only if all its parts have that."""
    for number, postings in by_line(suggested.postings if suggested else ()).items():
        for key in postings[0].codes if number in decided else ():
            scores = [posting.codes[key].score for posting in postings]
            if None not in scores:
                is_right = _as_suggested(postings, key) == _as_decided(decided[number], key)
                yield Trial(key, min(score for score in scores if score is not None), is_right)


def _as_suggested(postings: Sequence[Posting], key: str) -> object:
    return _shares([(format(each.share.normalize(), "f"), each.codes[key].value or "") for each in postings])


def _as_decided(postings: Sequence[DecidedPosting], key: str) -> object:
    return _shares([(format(each.share.normalize(), "f"), each.codes.get(key) or "") for each in postings])


def _shares(parts: Sequence[tuple[str, str]]) -> object:
    """The code that all parts have, else the parts."""
    codes = {code for _, code in parts}
    return codes.pop() if len(codes) == 1 else tuple(parts)
