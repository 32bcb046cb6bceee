"""Pairs of models that are served side by side: an extractor and a verifier each."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

FIRST = "first"
"""The pair that reads whatever no other one was chosen for. It is always served."""
_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?")


class Place(StrEnum):
    """The places of a pair that a model can take."""

    EXTRACTOR = "extractor"
    VERIFIER = "verifier"


@dataclass(frozen=True, slots=True)
class Pin:
    """An account whose documents are read by one pair up to `last_day` (UTC), which was decided at `since`."""

    account_id: UUID
    pair: str
    last_day: date
    since: datetime


class Shadow(BaseModel):
    """A `pair` that reads the `share` of the documents once more, after the first pair has answered them: while at most
    `beside` documents are in progress in the same dispatcher, and none waits."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pair: str
    share: float = Field(default=1.0, gt=0, le=1)
    beside: int = Field(default=0, ge=0)


def deployment_of(place: Place, pair: str = FIRST) -> str:
    """The deployment that runs the model in this place of the pair, if the pair has one of its own."""
    return place.capitalize() if pair == FIRST else f"{place.capitalize()}-{pair}"


def check_further(pairs: Mapping[str, Collection[Place]], shadow: Shadow | None = None) -> None:
    """Raises ValueError unless pairs beside the first can have these names, each with models in these places, and the
    shadow is one of them."""
    if shadow is not None and shadow.pair not in pairs:
        raise ValueError(f"shadow: there is no pair {shadow.pair!r} beside the first one")
    for name, places in pairs.items():
        if name == FIRST or not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} cannot be a pair's name: 1 to 32 of a-z, 0-9 and -, and not {FIRST!r}")
        if not places:
            raise ValueError(f"the pair {name} has no own model: set extractor, verifier or both")
