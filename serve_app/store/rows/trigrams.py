"""Parts of texts, found by the three letters in a row that they are made of."""

LETTERS = 3
ENOUGH = 2000
"""A search that more invoices than this may match fills its first page soon: it goes through the list. One that fewer
may match goes through those."""


def trigrams(text: str) -> frozenset[str]:
    """All the three letters in a row of the text; none of a shorter one."""
    return frozenset(text[start : start + LETTERS] for start in range(len(text) - LETTERS + 1))
