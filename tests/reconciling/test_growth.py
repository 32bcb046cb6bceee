"""A page with twice the text takes less than three times the processor time, whatever it says and however it is laid
out."""

import pytest

from serve_app.domain.packed import LabelledPages
from serve_app.extraction.confidence.calibration import UNFITTED
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.reconciling.reconcile import reconcile
from tests.support.growth import assert_linear
from tests.support.hostile_text import FAMILIES, LAYOUTS, hostile_page
from tests.support.thorough import THOROUGH

pytestmark = pytest.mark.slow

LETTERS = 5000
EVERY = [(name, layout) for name in FAMILIES for layout in LAYOUTS]
# Each family in one of the layouts, each layout with a third of the families.
SOME = [(name, list(LAYOUTS)[at % len(LAYOUTS)]) for at, name in enumerate(FAMILIES)]


@pytest.mark.parametrize(("name", "layout"), EVERY if THOROUGH else SOME)
def test_reading_a_page_is_linear(name: str, layout: str) -> None:
    def make(letters: int) -> LabelledPages:
        return hostile_page(FAMILIES[name], letters, LAYOUTS[layout])

    assert_linear(lambda page: reconcile(page, Calibrations(UNFITTED)), make, LETTERS)
