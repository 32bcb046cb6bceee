"""Which of the values that a page offers is the one a field asks for: the models' word, the captions', the page's."""

from serve_app.extraction.ranking.options import Option
from serve_app.extraction.ranking.rank import Ranked, rank

__all__ = ["Option", "Ranked", "rank"]
