"""Facts about the world that reading an invoice needs, as data: a file for each language and each country."""

from serve_app.extraction.knowledge.files import SEVERAL, languages, words_of
from serve_app.extraction.knowledge.language import Caption, Column, Connectives, Example, Language, Rows

__all__ = ["SEVERAL", "Caption", "Column", "Connectives", "Example", "Language", "Rows", "languages", "words_of"]
