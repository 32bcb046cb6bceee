"""Lines are read at few widths, each of which is nearly their own."""

import numpy as np

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.line_networks import WholeNetwork
from serve_app.documents.ocr.networks import Values
from serve_app.documents.ocr.recognition import Recogniser

ALPHABET = "abc"


class FakeNetwork:
    """Reads the first letter of its alphabet at the left edge of each line, and remembers the shapes of its input."""

    alphabet = "\n".join(ALPHABET)

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []

    def run(self, values: Values) -> Values:
        self.shapes.append(values.shape)
        chances = np.zeros((len(values), values.shape[3] // 8, len(ALPHABET) + 2), np.float32)
        chances[:, 0, 1] = 0.9
        return chances


def line(width: int) -> Picture:
    return np.full((48, width, 3), 255, np.uint8)


def test_a_line_is_stretched_by_a_sixth_at_most() -> None:
    for width in (96, 143, 161, 200, 257, 300, 513, 700, 1025, 1999):
        network = FakeNetwork()
        Recogniser(WholeNetwork(network)).read([line(width)])
        ((*_, read),) = network.shapes
        assert 1 <= read / width <= 7 / 6


def test_lines_of_all_lengths_are_read_at_few_widths() -> None:
    network = FakeNetwork()
    Recogniser(WholeNetwork(network)).read([line(width) for width in range(10, 2048, 5)])
    widths = {width for *_, width in network.shapes}
    assert len(widths) == 27
    assert (min(widths), max(widths)) == (96, 2048)


def test_lines_of_one_width_share_a_batch_and_answers_keep_their_order() -> None:
    network = FakeNetwork()
    answers = Recogniser(WholeNetwork(network)).read([line(500), line(40), line(490), line(30)])
    assert [(shape[0], shape[3]) for shape in network.shapes] == [(2, 96), (2, 512)]
    positions = [letters[0].position for letters in answers]
    # The left edge of a line that is padded is a larger share of its own width; other lines fill theirs.
    assert positions[0] == positions[2] < positions[1] < positions[3]
