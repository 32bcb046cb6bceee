"""A detail as it was found, with what speaks for it."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from serve_app.domain.invoice import Field
from serve_app.domain.labels import Label
from serve_app.extraction.candidates import Place

V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Found(Generic[V]):
    """A value and where it is printed.

    Of two things one tells what the models think of it: `labels`, which a model that sees it gives its words, or
    `depends_on`, the header field that it belongs to. With neither of them no model speaks for it. `is_proved`: the
    sums of the document or the value's own check digits hold with this value, or a heading says whose name it is.
    """

    value: V
    place: Place
    labels: tuple[Label, ...] = ()
    depends_on: Field | None = None
    is_proved: bool = False
