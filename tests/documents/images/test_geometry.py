"""What is known of a view's picture."""

import numpy as np
import pytest

from serve_app.documents.images import geometry
from serve_app.documents.images.geometry import View
from serve_app.documents.images.ink import Ink


def test_the_marks_of_a_view_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Ink(np.zeros((1, 2), np.float32), 20.0)]
    monkeypatch.setattr(geometry, "find_ink", lambda picture: found.pop())
    view = View.of(np.zeros((10, 10), np.uint8))
    assert view.ink is view.turned(0).ink
