"""Facts about the world that reading an invoice needs, as data: a file for each language and each country."""

from serve_app.extraction.knowledge.country import Country, Signs
from serve_app.extraction.knowledge.files import SEVERAL, countries, languages, words_of
from serve_app.extraction.knowledge.language import (
    Caption,
    Column,
    Connectives,
    Example,
    Language,
    Rows,
    Trades,
)
from serve_app.extraction.knowledge.page_captions import PageCaptions
from serve_app.extraction.knowledge.patterns import (
    in_small_letters,
    loose_pattern_of,
    parts_of,
    pattern_of,
    pattern_of_names,
)
from serve_app.extraction.knowledge.word_pattern import WordPattern

__all__ = [
    "SEVERAL",
    "Caption",
    "Column",
    "Connectives",
    "Country",
    "Example",
    "Language",
    "PageCaptions",
    "Rows",
    "Signs",
    "Trades",
    "WordPattern",
    "countries",
    "in_small_letters",
    "languages",
    "loose_pattern_of",
    "parts_of",
    "pattern_of",
    "pattern_of_names",
    "words_of",
]
