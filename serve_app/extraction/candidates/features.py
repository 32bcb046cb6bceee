"""What speaks for and against a candidate, as named numbers, mostly from 0 to 1 (log-odds up to 11)."""

import math
from collections.abc import Sequence
from enum import StrEnum

from serve_app.domain.labels import Label
from serve_app.extraction.captions import Caption, Captions, Meanings
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.parties.headings import Party

Features = dict[str, float]

# Probabilities are kept this far from 0 and 1: a model is never surer than that.
EDGE = 0.005


class Objection(StrEnum):
    """The features that speak against a name being the issuer's."""

    LINK = "against:link"
    HALF = "against:half"
    REGISTRATION = "against:registration"
    PICTURE = "against:picture"
    CODE = "against:code"
    TRADE = "against:trade"
    FACTOR = "against:factor"
    GREETING = "against:greeting"
    TITLE = "against:title"
    DAY = "against:day"
    STREET = "against:street"
    AUTHORITY = "against:authority"
    MAKER = "against:maker"
    SLOGAN = "against:slogan"
    SEVERAL = "against:several"
    CUT = "against:cut"
    PART = "against:part of a name"
    LINE = "against:line of a name"
    MISREAD = "against:misread"
    BUYER = "against:buyer"
    ADDRESSEE = "against:addressee"
    GENERAL_PARTNER = "against:general partner"
    HOUSEHOLD = "against:household"
    CONTACT = "against:contact"
    PLACE = "against:place"
    AGENT = "against:agent"


def has_buyer_heading(features: Features) -> bool:
    """Whether a heading, or the section of a form, makes a name the buyer's."""
    return any(features.get(f"{kind}:{Party.BUYER.value}") for kind in ("heading", "section"))


def relative_log_odds(probability: float) -> float:
    """The log-odds of a probability, within what a model can be sure of, over those of words that carry no label."""
    return _log_odds(probability) - _log_odds(0)


def _log_odds(probability: float) -> float:
    kept = min(max(probability, EDGE), 1 - EDGE)
    return math.log(kept / (1 - kept))


def of_models(page: PageEvidence, words: Sequence[int], labels: Sequence[Label]) -> Features:
    """For each label, how sure the models are that the words carry it."""
    return {f"model:{label.lower()}": relative_log_odds(page.mean(words, label)) for label in labels}


def of_captions(captions: Captions, kinds: Sequence[Caption]) -> Features:
    """Which captions are before and above the value; those that are unrelated to the field count as one."""
    return {
        f"before:{_kind(captions.before, kinds)}": 1.0,
        **({f"earlier:{_kind(captions.earlier, kinds)}": 1.0} if captions.earlier else {}),
        f"above:{_kind(captions.above, kinds)}": 1.0,
        **({f"column:{_kind(captions.column, kinds)}": 1.0} if captions.column else {}),
        "skipped": min(captions.skipped, 3) / 3,
    }


def _kind(meanings: Meanings, kinds: Sequence[Caption]) -> str:
    """What a caption means for a field with these kinds of captions."""
    return next((meaning.value for meaning in meanings if meaning in kinds), "else" if meanings else "none")
