"""Facts about the world that reading an invoice needs, as data: a file for each language and each country."""

from serve_app.extraction.knowledge.country import Country, Signs
from serve_app.extraction.knowledge.files import SEVERAL, countries, languages, words_of
from serve_app.extraction.knowledge.language import Caption, Column, Connectives, Example, Language, Rows
from serve_app.extraction.knowledge.patterns import in_small_letters, parts_of, pattern_of

__all__ = [
    "SEVERAL",
    "Caption",
    "Column",
    "Connectives",
    "Country",
    "Example",
    "Language",
    "Rows",
    "Signs",
    "countries",
    "in_small_letters",
    "languages",
    "parts_of",
    "pattern_of",
    "words_of",
]
