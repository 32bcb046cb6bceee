"""The one reading order of the service: lines from top to bottom, words of a line from left to right.

Models are trained on it and every reader of documents produces it, so real pages look like those the models know.
"""

from collections.abc import Sequence

from serve_app.domain.document import Box

# A word belongs to a line when its centre is nearer to the line's than this share of the smaller of both heights.
SAME_LINE = 0.5


class _Line:
    def __init__(self, index: int, box: Box) -> None:
        self.indices = [index]
        self.center = box.y_center
        self.height = box.height

    def holds(self, box: Box) -> bool:
        return abs(box.y_center - self.center) <= SAME_LINE * min(box.height, self.height)

    def add(self, index: int, box: Box) -> None:
        count = len(self.indices)
        self.center = (self.center * count + box.y_center) / (count + 1)
        self.height = (self.height * count + box.height) / (count + 1)
        self.indices.append(index)


def group_lines(boxes: Sequence[Box]) -> list[list[int]]:
    """Indices of `boxes` grouped into printed lines: lines from top to bottom, each from left to right."""
    lines: list[_Line] = []
    for index in sorted(range(len(boxes)), key=lambda i: boxes[i].y_center):
        box = boxes[index]
        # Only the last few lines can still be open: boxes come sorted by their centre.
        line = next((line for line in reversed(lines[-4:]) if line.holds(box)), None)
        if line is None:
            lines.append(_Line(index, box))
        else:
            line.add(index, box)
    lines.sort(key=lambda line: line.center)
    return [sorted(line.indices, key=lambda i: boxes[i].x0) for line in lines]


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """Indices of `boxes` in reading order."""
    return [index for line in group_lines(boxes) for index in line]
