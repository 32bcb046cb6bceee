"""Pages of hostile text: families of words that patterns and sums try in many combinations, in several layouts."""

from collections.abc import Callable

import numpy as np

from serve_app.documents.packing import pack
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.labels import TAGS
from serve_app.domain.packed import LabelledPages
from serve_app.domain.reading import PageReading, Reading

Family = Callable[[int], str]
FAMILIES: dict[str, Family] = {
    "digits": lambda at: "1" * 40,
    "long digits": lambda at: "1" * 5000,
    "amounts": lambda at: f"{at % 997}.{at % 100:02d}",
    "one amount": lambda at: "10.00",
    "separators": lambda at: "1.1,1'1" * 8,
    "spaced amounts": lambda at: ("1", "234")[at % 2],
    "dashes": lambda at: "-" * 20,
    "broken numbers": lambda at: f"{at}-",
    "dots": lambda at: "." * 200,
    "captions": lambda at: ("Total", "Invoice", "No.", "Date:", "VAT", "Due")[at % 6],
    "dates": lambda at: f"{at % 28 + 1:02d}.{at % 12 + 1:02d}.2024",
    "slashes": lambda at: "1/2/" * 10,
    "letters": lambda at: "a" * 30,
    "long letters": lambda at: "a" * 5000,
    "companies": lambda at: ("Akme", "Ltd", "GmbH")[at % 3],
    "different companies": lambda at: (f"Akme{at}", "Ltd")[at % 2],
    "rates": lambda at: f"{at % 30}%",
    "different rates": lambda at: (f"{at % 100}.{at // 100 % 10000}%", "Discount", f"{at}.00")[at % 3],
    "money": lambda at: ("EUR", "\N{EURO SIGN}", "12.00")[at % 3],
    "numbers of pages": lambda at: ("Page", "1", "of", "9")[at % 4],
    "rows": lambda at: ("Item", "2", "x", "5.00", "10.00")[at % 5],
    "cash": lambda at: ("Cash", f"{at}.00", "Change", f"{at}.50")[at % 4],
    "misread digits": lambda at: "O1l" * 15,
    "registration numbers": lambda at: "DE123456789",
    "addresses": lambda at: (f"a{at}@b{at}.test", f"www.b{at}.com")[at % 2],
    "colons": lambda at: "a:" * 20,
}
LAYOUTS = {"a grid": 10, "a column": 1, "one line": 1_000_000}
"""Words a line."""


def hostile_page(word: Family, size: int, columns: int) -> LabelledPages:
    """One long page of about `size` letters, to whose words both models give every label a little."""
    texts: list[str] = []
    while size > 0:
        texts.append(word(len(texts)))
        size -= len(texts[-1]) + 1
    columns = min(columns, len(texts))
    rows = -(-len(texts) // columns)
    words = tuple(_placed(text, at, rows, columns) for at, text in enumerate(texts))
    scores = np.random.default_rng(1).random((len(texts), len(TAGS)), dtype=np.float32)
    reading = Reading("test", TAGS, (PageReading(scores / scores.sum(axis=1, keepdims=True)),))
    return LabelledPages(pack(Document((Page(1, 595.0, 842.0, words),))), (reading,), (reading,))


def _placed(text: str, at: int, rows: int, columns: int) -> Word:
    x, y = at % columns / columns, at // columns / rows
    return Word(text, Box(x, y, x + 0.8 / columns, y + 0.8 / rows))
