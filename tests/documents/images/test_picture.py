"""A picture without colour is held as one, and any other as it is."""

import numpy as np

from serve_app.documents.images.picture import grey_if_colourless, in_grey

GREY = np.random.default_rng(1).integers(0, 255, (70, 50), np.uint8)


def test_a_picture_of_grey_pixels_has_one_value_for_each() -> None:
    coloured = np.repeat(GREY[:, :, np.newaxis], 3, axis=2)
    assert np.array_equal(grey_if_colourless(coloured), GREY)
    assert np.array_equal(in_grey(coloured), GREY)


def test_a_single_pixel_of_another_colour_keeps_the_picture_as_it_is() -> None:
    coloured = np.repeat(GREY[:, :, np.newaxis], 3, axis=2)
    coloured[33, 21, 1] ^= 1
    assert grey_if_colourless(coloured) is coloured


def test_a_grey_picture_stays() -> None:
    assert grey_if_colourless(GREY) is GREY
    assert in_grey(GREY) is GREY
