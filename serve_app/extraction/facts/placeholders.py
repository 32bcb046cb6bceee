"""Placeholders of a template that nobody filled in: "{{invoice_id}}" is not a value."""

import re
from collections.abc import Sequence

# The marks of common template languages; a placeholder that is cut off goes on to the end of its line.
_PLACEHOLDER = re.compile(
    r"""
      \{\{.*?(?:\}\}|$) | \{%.*?(?:%\}|$) | <%.*?(?:%>|$)    # Mustache, Jinja, Liquid, Handlebars; ERB, EJS
    | \[\[.*?(?:\]\]|$) | \*\|.*?(?:\|\*|$)                  # Mailchimp and kin
    | [$\#]\{.*?(?:\}|$) | \{[A-Za-z_][\w.]*\}               # shell, JavaScript, Ruby; Python
    | %[A-Za-z_][\w.]*%                                      # Windows
    | \[[A-Z][a-z]+(?:\s[\w,.&]+)*\]                         # "[Company Name, LLC]", for people
    """,
    re.VERBOSE,
)


def placeholder_words(words: Sequence[str]) -> list[int]:
    """Indices of the words of one line that belong to a placeholder."""
    text = " ".join(words)
    if not any(mark in text for mark in "{[<%*"):
        return []
    spans = [match.span() for match in _PLACEHOLDER.finditer(text)]
    found, start = [], 0
    for index, word in enumerate(words):
        end = start + len(word)
        inside = {at for first, last in spans for at in range(max(first, start), min(last, end))}
        # "[Sales]2018-01-05" has a value of its own.
        if inside and not any(text[at].isdigit() for at in range(start, end) if at not in inside):
            found.append(index)
        start = end + 1
    return found
