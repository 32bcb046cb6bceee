"""The one reading order of the service: lines from top to bottom, words of a line from left to right.

Models are trained on it and every reader of documents produces it, so real pages look like those the models know.
"""

from collections.abc import Sequence

from serve_app.domain.document import Box

# A word belongs to a line if their centres are closer than this fraction of the smaller of both heights.
SAME_LINE = 0.5


class _Line:
    __slots__ = ("center", "height", "indices")

    def __init__(self, index: int, center: float, height: float) -> None:
        self.indices = [index]
        self.center = center
        self.height = height

    def add(self, index: int, center: float, height: float) -> None:
        count = len(self.indices)
        self.center = (self.center * count + center) / (count + 1)
        self.height = (self.height * count + height) / (count + 1)
        self.indices.append(index)


def group_lines(boxes: Sequence[Box]) -> list[list[int]]:
    """Indices of `boxes` grouped into printed lines: lines from top to bottom, each from left to right."""
    lines: list[_Line] = []
    centers = [(box.y0 + box.y1) / 2 for box in boxes]
    for index in sorted(range(len(boxes)), key=centers.__getitem__):
        center, height = centers[index], boxes[index].height
        # Only the last few lines can still be open, because boxes are sorted by their centre.
        for line in lines[:-5:-1]:
            smaller = height if height < line.height else line.height
            if abs(center - line.center) <= SAME_LINE * smaller:
                line.add(index, center, height)
                break
        else:
            lines.append(_Line(index, center, height))
    lines.sort(key=lambda line: line.center)
    return [sorted(line.indices, key=lambda i: boxes[i].x0) for line in lines]


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """Indices of `boxes` in reading order."""
    return [index for line in group_lines(boxes) for index in line]
