"""What stands on a page, found once, without any model or field in mind: lines, cells, dates, amounts, names."""

from serve_app.extraction.facts.page import PageFacts, Words, facts_of_document, facts_of_page

__all__ = ["PageFacts", "Words", "facts_of_document", "facts_of_page"]
