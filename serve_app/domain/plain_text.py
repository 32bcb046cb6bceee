"""Makes texts from documents and callers fit to be shown on one line."""

import re

# Control characters, line and paragraph separators, bidirectional marks, lone surrogates.
_NOT_SHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ELLIPSIS = "\u2026"


def one_line(text: str) -> str:
    """The text on one line, without characters that are invisible or change how the others are displayed."""
    return " ".join(_NOT_SHOWN.sub(" ", text).split())


def without_controls(text: str) -> str:
    """The text without control characters, line breaks included."""
    return _CONTROLS.sub("", text)


def shortened(text: str, length: int) -> str:
    """At most `length` characters; a text that was cut ends with an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + _ELLIPSIS
