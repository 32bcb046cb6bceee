"""The one sheet in a photo is found; where there are several, none is cut out."""

import cv2
import numpy as np

from serve_app.documents.images.paper import find_paper
from serve_app.documents.images.picture import Picture


def table(*sheets: tuple[int, int, int, int]) -> Picture:
    """Sheets (left, top, right, bottom) on a dark, rough table, each turned a little."""
    photo = np.random.default_rng(5).integers(20, 70, (900, 1200), dtype=np.uint8)
    for left, top, right, bottom in sheets:
        corners = np.array([[left + 12, top], [right, top + 9], [right - 12, bottom], [left, bottom - 9]])
        cv2.fillPoly(photo, [corners], (225,))
    return photo


class TestSheetsOnAPhoto:
    def test_a_single_sheet_is_found(self) -> None:
        corners = find_paper(table((150, 100, 700, 800)))
        assert corners is not None
        assert np.abs(corners[0] - (162, 100)).max() < 20

    def test_none_is_cut_out_of_two(self) -> None:
        assert find_paper(table((100, 100, 550, 800), (650, 120, 960, 560))) is None

    def test_something_small_and_light_beside_a_sheet_is_none(self) -> None:
        assert find_paper(table((150, 100, 700, 800), (900, 300, 1000, 420))) is not None
