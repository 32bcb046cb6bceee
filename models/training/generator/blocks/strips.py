"""Captions in a row, their values in the row below, seldom straight under them."""

from collections.abc import Sequence

from models.training.generator.core.canvas import LINE, Rich
from models.training.generator.core.pen import Pen

_Pair = tuple[str, Rich]


def strip(pen: Pen, pairs: Sequence[_Pair], x: float | None = None, width: float | None = None) -> None:
    """Draws rows of at most seven captions with the values in the row below each; nothing where there are no pairs."""
    if not pairs:
        return
    x, width = pen.left if x is None else x, pen.width if width is None else width
    size, bold = pen.size * pen.rng.choice((1.0, 0.9, 0.8)), pen.style.label_bold
    row: list[_Pair] = []
    rows, used, most = [row], 0.0, pen.rng.randint(3, 7)
    for pair in pairs:
        need = _need(pen, pair, size, bold=bold)
        if row and (used + need > width or len(row) >= most):
            row, used = [], 0.0
            rows.append(row)
        row.append(pair)
        used += need
    align, drift = _habit(pen)
    for each in rows:
        _row(pen, each, x, width, size, bold=bold, align=align, drift=drift)


def _need(pen: Pen, pair: _Pair, size: float, *, bold: bool) -> float:
    words = pen.label(pair[0]).split()
    caption = max(pen.canvas.text_width(word, size, bold) for word in words)
    return max(caption, pen.canvas.text_width(pair[1], pen.size)) + 7


def _habit(pen: Pen) -> tuple[tuple[str, str], float]:
    """How captions and values are aligned, and by what part of the spare room the values are offset."""
    captions = pen.rng.choices(("left", "center", "right"), (60, 28, 12))[0]
    values = captions if pen.chance(0.5) else pen.rng.choice(("left", "center", "right"))
    drift = pen.rng.uniform(-0.5, 0.8) if pen.chance(0.35) else 0.0
    return (captions, values), drift


def _row(
    pen: Pen,
    pairs: Sequence[_Pair],
    x: float,
    width: float,
    size: float,
    *,
    bold: bool,
    align: tuple[str, str],
    drift: float,
) -> None:
    needs = [_need(pen, pair, size, bold=bold) for pair in pairs]
    spare = max(0.0, width - sum(needs))
    shares = [pen.rng.uniform(0.4, 1.6) if pen.chance(0.6) else 1.0 for _ in pairs]
    cells = [need + spare * share / sum(shares) for need, share in zip(needs, shares, strict=True)]
    edges = [x + sum(cells[:index]) for index in range(len(cells))]
    pen.room(pen.step * 3)
    captions = [
        pen.canvas.wrap(pen.canvas.tokens(pen.label(key)), cell - 4, size, bold)
        for (key, _), cell in zip(pairs, cells, strict=True)
    ]
    deepest, low = max(len(lines) for lines in captions), pen.chance(0.5)
    for lines, edge, cell in zip(captions, edges, cells, strict=True):
        skipped = deepest - len(lines) if low else 0
        for number, line in enumerate(lines, skipped):
            at = _anchor(edge, cell, align[0])
            pen.canvas.put(line, at, pen.y + number * size * LINE, size, bold=bold, align=align[0])
    pen.y += deepest * size * LINE + pen.rng.choice((0.0, 1.0, 3.0, 6.0))
    shift = drift * spare / len(pairs)
    for (_, value), edge, cell in zip(pairs, edges, cells, strict=True):
        pen.canvas.line(
            value, _anchor(edge, cell, align[1]) + shift, pen.y, pen.size, bold=pen.style.value_bold, align=align[1]
        )
    pen.y += pen.step * pen.rng.uniform(1.0, 1.8)


def _anchor(edge: float, cell: float, align: str) -> float:
    return edge + {"left": 0.0, "center": (cell - 4) / 2, "right": cell - 4}[align]
