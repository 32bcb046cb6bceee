"""Signs, beside the models' word, that a name is the issuer's: both models may take a contact or a slogan for it."""

from collections.abc import Sequence

from serve_app.extraction.candidates.candidate import Candidate
from serve_app.extraction.candidates.features import Features, has_buyer_heading
from serve_app.extraction.parties.headings import Party
from serve_app.extraction.parties.legal_forms import has_legal_form
from serve_app.extraction.parties.names import normal_name

# The features of a name's candidates that are signs of their own kind, and from which value on.
SIGNS = {"legal form": 1.0, "domain": 0.6, "registered near": 1.0, "contact near": 1.0, "over address": 1.0}
# At least so many of them tell a company from a person, a product or a slogan.
ENOUGH = 2
# From this on, the models take a name for the buyer's rather than for nobody's.
_HINT = 3.0


def is_corroborated(candidates: Sequence[Candidate[str]], name: str) -> bool:
    """Whether enough signs stand by a name, wherever it is printed, and no section of a form names another party as the
    seller, or this one as the buyer. That a heading makes it the seller's is one of them."""
    mine = _features_of(candidates, name)
    signs = sum(any(features.get(sign, 0.0) >= least for features in mine) for sign, least in SIGNS.items())
    signs += is_named_as_seller(candidates, name)
    contradicted = any(
        features.get("another names section") or features.get(f"names section:{Party.BUYER.value}") for features in mine
    )
    return signs >= ENOUGH and not contradicted and not _is_outranked(candidates, name) and not _is_joined(mine)


def _is_outranked(candidates: Sequence[Candidate[str]], name: str) -> bool:
    """Whether a name has no legal form, and a company that is registered on the page and not the buyer has one."""
    if has_legal_form(name):
        return False
    return any(
        has_legal_form(candidate.value)
        and candidate.features.get("registered near")
        and not _is_hinted_buyer(candidate.features)
        and not has_buyer_heading(candidate.features)
        for candidate in candidates
    )


def _is_joined(mine: Sequence[Features]) -> bool:
    """Whether a name always stands on two lines of which the second is a company's by itself: the first may be its
    brand."""
    return all(features.get("ends in a company") for features in mine)


def is_named_as_seller(candidates: Sequence[Candidate[str]], name: str) -> bool:
    """Whether a section of a form, or a heading before or above a name, says that it is the seller's: then no other
    name on the page is a rival."""
    seller_features = (f"names section:{Party.SELLER.value}", f"heading:{Party.SELLER.value}")
    return any(features.get(feature) for features in _features_of(candidates, name) for feature in seller_features)


def is_registered_company(candidates: Sequence[Candidate[str]], name: str) -> bool:
    """Whether a name has a legal form, stands by the number under which a company is registered, and is not taken for
    the buyer's."""
    mine = _features_of(candidates, name)
    is_registered = any(features.get("registered near") for features in mine)
    return has_legal_form(name) and is_registered and not any(_is_hinted_buyer(features) for features in mine)


def _is_hinted_buyer(features: Features) -> bool:
    return features.get("model:buyer", 0.0) >= _HINT


def _features_of(candidates: Sequence[Candidate[str]], name: str) -> list[Features]:
    """The features of a name, wherever it is printed."""
    wanted = normal_name(name)
    return [candidate.features for candidate in candidates if normal_name(candidate.value) == wanted]
