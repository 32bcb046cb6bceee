"""A detail as it was found, with the evidence for it."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from serve_app.domain.invoice import Field
from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Place

V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Found(Generic[V]):
    """A value and where it is printed.

    What the models think of it follows from `labels`, those that its words should carry, or from `depends_on`, the
    header field that it belongs to. With neither, no model supports it. `is_proved`: the sums of the document or the
    value's own check digits hold with this value, or a heading says whose name it is.
    """

    value: V
    place: Place
    labels: tuple[Label, ...] = ()
    depends_on: Field | None = None
    is_proved: bool = False
