"""The full name of an issuer, whose beginning is a brand or a logo, "Akme" of "Akme Tools Ltd"; and the company whose
brand it is."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serve_app.extraction.candidates import Candidate
from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.parties.given_names import looks_like_person
from serve_app.extraction.parties.headings import Party
from serve_app.extraction.parties.legal_forms import has_legal_form
from serve_app.extraction.parties.names import normal_name
from serve_app.extraction.parties.trades import is_only_trade
from serve_app.extraction.ranking.options import Option, has_buyer_heading, relative_log_odds

# How a logo prints "and", a register writes it out.
_AND = frozenset({"and", "und", "et", "y", "e", "en", "i"})
# A name in a sentence goes on with other words.
_SENTENCE = re.compile(r" (?:is an?|est une?|ist eine?|es una?|[èe] un[ao]?|au|a|at|the|which|that) ", re.IGNORECASE)
# Each word of an owner's name is at least this likely to be one.
_SURE = relative_log_odds(0.5)


def with_full_name(ranked: Sequence[Candidate[str]], options: Sequence[Option[str]]) -> list[Candidate[str]]:
    """The names, best first, where the best one gives way to a longer one that begins with all its words and has a
    legal form or, if both are persons', a family name more; the buyer's excepted."""
    if not ranked or has_legal_form(ranked[0].value):
        return list(ranked)
    best, *others = ranked
    longer = [option for option in options if _completes(option, best.value)]
    if not longer:
        return [best, *others]
    full = max(longer, key=lambda option: (has_legal_form(option.value), -len(option.value)))
    return _replaced(best, others, full)


def with_owner(ranked: Sequence[Candidate[str]], options: Sequence[Option[str]]) -> list[Candidate[str]]:
    """The names, best first, where a brand that is best gives way to the company right below it: "Akme Bistro" over
    "Forum Foods Ltd"."""
    if not ranked or has_legal_form(ranked[0].value):
        return list(ranked)
    best, *others = ranked
    owner = next((option for option in options if _owns(option, best.value, options)), None)
    return _replaced(best, others, owner) if owner else [best, *others]


def _owns(option: Option[str], brand: str, options: Sequence[Option[str]]) -> bool:
    """Whether an option is a company, of which the models are sure, and the brand's name is printed right above it."""
    is_sure = option.features.get("model:weakest word", 0.0) >= _SURE
    if not is_sure or not has_legal_form(option.value) or is_only_trade(option.value) or _is_buyers(option):
        return False
    both = normal_name(f"{brand} {option.value}")
    return any(
        other.features.get("ends in a company")
        and option.place.is_part_of(other.place)
        and normal_name(other.value) == both
        for other in options
    )


def _replaced(best: Candidate[str], others: Sequence[Candidate[str]], by: Option[str]) -> list[Candidate[str]]:
    """The names, with another one in the place of the best, which counts for it."""
    key = normal_name(by.value)
    score = best.score + sum(other.score for other in others if normal_name(other.value) == key)
    rest = [other for other in others if normal_name(other.value) != key]
    return [replace(best, value=by.value, place=by.place, score=min(1.0, score)), *rest]


def _is_buyers(option: Option[str]) -> bool:
    return has_buyer_heading(option.features) or bool(option.features.get(f"names section:{Party.BUYER.value}"))


def _completes(option: Option[str], name: str) -> bool:
    mine, whole = _words(name), _words(option.value)
    is_longer = len(whole) > len(mine) > 0 and whole[: len(mine)] == mine
    # Of two lines, the first may be the brand and the second its owner.
    is_apart = option.features.get("two lines") or _SENTENCE.search(f"{option.value} ")
    is_full = has_legal_form(option.value) or (looks_like_person(name) and looks_like_person(option.value))
    return is_longer and is_full and not _is_buyers(option) and not is_apart


def _words(name: str) -> list[str]:
    return [word for word in tokens(normal_name(name)) if word not in _AND]
