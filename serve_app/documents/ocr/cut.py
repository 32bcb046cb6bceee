"""Parts of a page's picture, to be read again."""

from serve_app.documents.images.picture import Picture
from serve_app.domain.document import Box


def cut_out(picture: Picture, box: Box, around: float) -> Picture:
    """What the picture shows in a box, with paper around it: a share of the box's height on each side."""
    height, width = picture.shape[:2]
    margin = around * box.height * height
    x0, x1 = box.x0 * width - margin, box.x1 * width + margin
    y0, y1 = box.y0 * height - margin, box.y1 * height + margin
    left, top = max(0, int(x0)), max(0, int(y0))
    return picture[top : max(top + 1, int(y1) + 1), left : max(left + 1, int(x1) + 1)]
