"""Texts that documents and callers give, made fit to be shown on one line."""

import re

# Controls, line and paragraph separators, marks that turn the direction of writing around, halves of characters.
_NOT_SHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_ELLIPSIS = "\u2026"


def one_line(text: str) -> str:
    """The text on one line, without characters that are not shown or that make the others read otherwise."""
    return " ".join(_NOT_SHOWN.sub(" ", text).split())


def shortened(text: str, length: int) -> str:
    """At most `length` characters, an ellipsis at the end of a text that was cut."""
    return text if len(text) <= length else text[: length - 1].rstrip() + _ELLIPSIS
