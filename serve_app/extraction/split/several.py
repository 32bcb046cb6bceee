"""Whether pages that are read as one invoice show several: a rule on what is printed, whatever the split says."""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.parties.names import normal_name, normal_number, printed_number
from serve_app.extraction.split.facts import TITLE_ZONE, PageFacts, is_code, page_facts
from serve_app.extraction.split.features import SURE, is_sure_of_issuer, named_share, sum_strength
from serve_app.extraction.split.halves import cropped_evidence, halves, own_numbers, sum_words, titles

# A name or a number is a page's own from this probability on.
_OWN = 0.5
# From this likeness on (0 to 1), two names are readings of one.
_ALIKE = 0.75
_LONGEST = 80
# Fewer characters of an amount say nothing.
_SUM_LENGTH = 4


def shows_several_invoices(pages: Sequence[PageEvidence]) -> bool:
    """Whether a page shows an invoice of another issuer or another number than the first or the one before, or two
    invoices stand on one page."""
    if any(map(_has_two, pages)):
        return True
    heads = _heads(pages)
    return any(
        _is_another(one, other)
        for before in (heads[:1] * len(heads), heads)
        for one, other in zip(before, heads[1:], strict=False)
    )


def _heads(pages: Sequence[PageEvidence]) -> list[PageFacts]:
    """Those of several pages that have an invoice's title or its sum."""
    facts = map(page_facts, pages) if len(pages) > 1 else ()
    return [page for page in facts if page.is_titled or sum_strength(page) >= _OWN]


def _is_another(one: PageFacts, other: PageFacts) -> bool:
    if one.number_text is not None and one.number_text == other.number_text:
        return False
    is_invoice = other.is_titled or _is_complete(other)
    if is_invoice and _has_other_number(one, other):
        return True
    return _begins_document(other) and _has_other_issuer(one, other)


def _begins_document(page: PageFacts) -> bool:
    """Whether a page with an issuer has a number or a date of its own, or is sure of the issuer: later pages name
    accounts and standards that look like one."""
    return page.number is not None or page.date is not None or is_sure_of_issuer(page)


def _is_complete(page: PageFacts) -> bool:
    """Whether a page surely gives number, issuer and sum."""
    if page.number is None or page.vendor is None:
        return False
    return min(page.number.score, page.vendor.score, sum_strength(page)) >= SURE


def _has_other_number(one: PageFacts, other: PageFacts) -> bool:
    """Whether both pages have a number of their own, and neither page prints the other's."""
    if not (one.number and other.number and min(one.number.score, other.number.score) >= _OWN):
        return False
    return not (_prints(one, other.number.value) or _prints(other, one.number.value))


def _prints(page: PageFacts, number: str) -> bool:
    codes = [normal_number(word) for word in number.split() if is_code(word)] or [normal_number(number)]
    return any(code in printed for code in codes for printed in page.codes) or normal_number(number) in page.text


def _has_other_issuer(one: PageFacts, other: PageFacts) -> bool:
    """Whether both pages have an issuer of their own, and neither page prints most of the other's name."""
    if not (one.vendor and other.vendor and min(one.vendor.score, other.vendor.score) >= _OWN):
        return False
    first, second = one.vendor_text or "", other.vendor_text or ""
    return not _are_alike(first, second) and max(named_share(first, other.text), named_share(second, one.text)) <= _OWN


def names_other_issuer(pages: Sequence[PageEvidence], name: str) -> bool:
    """Whether one of several pages with a title or a sum gives, by itself, another issuer than the chosen one."""
    return any(
        facts.vendor is not None
        and facts.vendor.score >= _OWN
        and not _are_alike(facts.vendor_text or "", normal_name(name))
        for facts in _heads(pages)
    )


def _are_alike(one: str, other: str) -> bool:
    """Whether two normalised names may be one: read alike, or one is a part of the other."""
    words, others = set(one.split()), set(other.split())
    return (
        words <= others or others <= words or SequenceMatcher(None, one[:_LONGEST], other[:_LONGEST]).ratio() >= _ALIKE
    )


def _has_two(page: PageEvidence) -> bool:
    """Whether a page has the same title twice and two numbers that are called the invoice's own, or two halves that
    each are an invoice."""
    if max(Counter(_titles(page)).values(), default=0) > 1 and len(_own_numbers(page)) > 1:
        return True
    return any(are_two(*(cropped_evidence(page, words) for words in both)) for both in halves(page))


def _titles(page: PageEvidence) -> list[str]:
    return [page.text(title).casefold() for title in titles(page) if page.box(title).y1 < TITLE_ZONE]


def _own_numbers(page: PageEvidence) -> set[str]:
    numbers = (word for word in own_numbers(page) if page.box((word,)).y1 < TITLE_ZONE)
    return {normal_number(printed_number(page.page.words[word].text)) for word in numbers}


def are_two(one: PageEvidence, other: PageEvidence) -> bool:
    """Whether two halves of a page that begin with a title or an issuer differ in numbers that are called the invoice's
    own, or surely in their issuers. A payment slip names the company of the account, and repeats the sum under another
    title."""
    first, second = page_facts(one), page_facts(other)
    if not all(_titles(page) or _begins_with_issuer(page, facts) for page, facts in ((one, first), (other, second))):
        return False
    if first.number_text is not None and first.number_text == second.number_text:
        return False
    numbers = _own_numbers(one), _own_numbers(other)
    have_other_numbers = all(numbers) and numbers[0].isdisjoint(numbers[1])
    if have_other_numbers and not set(_titles(one)).isdisjoint(_titles(other)):
        return True
    if _repeats_sum(one, second) or _repeats_sum(other, first):
        return False
    if all(numbers):
        return have_other_numbers
    return is_sure_of_issuer(first) and is_sure_of_issuer(second) and _has_other_issuer(first, second)


def _repeats_sum(page: PageEvidence, other: PageFacts) -> bool:
    """Whether a sum to be paid is printed on the other page too, perhaps with another blank between its thousands."""
    texts = [page.page.words[word].text for word in sum_words(page)]
    codes = [normal_number(text) for text in texts if is_code(text)]
    return any(
        one.endswith(two) or two.endswith(one) for one in codes for two in other.codes if len(two) >= _SUM_LENGTH
    )


def _begins_with_issuer(page: PageEvidence, facts: PageFacts) -> bool:
    """Whether the issuer is at the head of a page, not in its small print."""
    vendor = facts.vendor
    return vendor is not None and vendor.score >= _OWN and page.box(vendor.place.words).y1 < TITLE_ZONE
