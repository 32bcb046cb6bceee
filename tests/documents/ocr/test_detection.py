"""Lines are found at legible print, however long the picture is, and each of them once."""

import numpy as np
import numpy.typing as npt
import pytest

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.detection import Detector
from tests.documents.images.printed import pixels, printed

ROLL = tuple(f"Item {number} of the roll {number}.90" for number in range(300))


class DarkPixels:
    """Finds text wherever a picture is dark, and remembers the sizes of what it saw."""

    alphabet = ""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    def run(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        self.sizes.append((values.shape[2], values.shape[3]))
        return (values[:, :1] < 0).astype(np.float32)


def bars(count: int, step: int = 30) -> Picture:
    """A strip with a dark bar where each line of print would be."""
    picture = np.full((count * step, 560, 3), 255, np.uint8)
    for row in range(count):
        picture[row * step + 8 : row * step + 24, 40:520] = 0
    return picture


class TestLongPictures:
    @pytest.mark.parametrize("count", [40, 70, 260, 300])
    def test_each_line_is_found_once(self, count: int) -> None:
        quads = Detector(DarkPixels()).lines(bars(count))
        rows = sorted(float(quad[:, 1].mean()) / 30 for quad in quads)
        assert rows == pytest.approx([row + 16 / 30 for row in range(count)], abs=0.1)

    def test_a_strip_on_its_side_is_seen_in_strips_too(self) -> None:
        picture = np.ascontiguousarray(bars(260).swapaxes(0, 1))
        network = DarkPixels()
        assert len(Detector(network).lines(picture)) == 260
        assert len(network.sizes) > 1

    def test_print_of_a_roll_is_as_large_as_that_of_a_page(self) -> None:
        network = DarkPixels()
        picture = pixels(printed(ROLL, height=20).image)
        Detector(network).lines(picture)
        assert len(network.sizes) > 1
        assert network.sizes[0][1] > 0.6 * picture.shape[1]

    def test_all_strips_have_one_size(self) -> None:
        network = DarkPixels()
        Detector(network).lines(bars(300))
        assert len(network.sizes) > len(set(network.sizes)) == 1

    def test_the_pixels_are_bounded_whatever_the_shape(self) -> None:
        network = DarkPixels()
        Detector(network).lines(np.full((60_000, 500, 3), 255, np.uint8))
        assert sum(height * width for height, width in network.sizes) < 15_000_000


@pytest.mark.parametrize("shape", [(5000, 1, 3), (1, 5000, 3), (1, 1, 3), (3, 40, 3), (40, 3)])
def test_pictures_of_any_shape_have_lines_or_none(shape: tuple[int, ...]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, shape, np.uint8)
    assert all(quad.shape == (4, 2) for quad in Detector(DarkPixels()).lines(noise))


class TestEmptyPaper:
    def test_an_empty_page_is_not_looked_at(self) -> None:
        network = DarkPixels()
        assert Detector(network).lines(np.full((3508, 2480, 3), 255, np.uint8)) == []
        assert network.sizes == []

    def test_paper_between_lines_is_not_looked_at(self) -> None:
        page = np.full((1200, 560, 3), 255, np.uint8)
        page[:120], page[-120:] = bars(4), bars(4)
        network = DarkPixels()
        rows = sorted(round(float(quad[:, 1].mean())) for quad in Detector(network).lines(page))
        assert rows == pytest.approx([16, 46, 76, 106, 1096, 1126, 1156, 1186], abs=3)
        assert sum(height for height, _ in network.sizes) < 0.6 * len(page)

    def test_faint_print_and_grain_of_paper_are_set_apart(self) -> None:
        grain = np.random.default_rng(1).integers(244, 252, (1200, 560, 3), np.uint8)
        network = DarkPixels()
        assert Detector(network).lines(grain) == []
        assert network.sizes == []
        grain[600:616, 40:520] -= 40
        Detector(network).lines(grain)
        assert len(network.sizes) == 1
