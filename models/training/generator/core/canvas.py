"""Pages of placed words. Text comes in labelled pieces; words inherit the labels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from string import Formatter

from models.training.generator.core.fonts import Font, text_width
from serve_app.domain.labels import Label

Piece = tuple[str, Label | None]
Rich = list[Piece]
Text = str | Rich

LINE = 1.22


@dataclass(slots=True)
class Token:
    """A word before it is placed. Words of one printed value share an `entity`."""

    text: str
    label: Label | None = None
    entity: int = 0


@dataclass(slots=True)
class Ink:
    """A word on a page: `x`, `y` is its top-left corner in points."""

    text: str
    x: float
    y: float
    width: float
    size: float
    font: Font
    bold: bool
    label: Label | None
    entity: int


@dataclass(slots=True)
class Sheet:
    """One page's words and size."""

    width: float
    height: float
    inks: list[Ink] = field(default_factory=list)


def rich(text: Text) -> Rich:
    return [(text, None)] if isinstance(text, str) else text


def join(*texts: Text) -> Rich:
    """Texts in a row, with nothing between them."""
    return [piece for text in texts for piece in rich(text)]


def fill_slots(template: str, **slots: Text) -> Rich:
    """`template` with its `{slots}` replaced by texts that keep their labels."""
    pieces: Rich = []
    for literal, name, _, _ in Formatter().parse(template):
        if literal:
            pieces.append((literal, None))
        if name:
            pieces += rich(slots[name])
    return pieces


def plain(text: Text) -> str:
    return "".join(piece for piece, _ in rich(text))


class Canvas:
    """Draws texts on pages and remembers what was printed."""

    def __init__(self, width: float, height: float, font: Font) -> None:
        self.font = font
        self.sheets = [Sheet(width, height)]
        self.page = self.sheets[0]
        self.first: dict[Label, str] = {}
        self.dress: Callable[[str], str] | None = None
        self._entities = count(1)

    def new_page(self) -> None:
        self.page = Sheet(self.page.width, self.page.height)
        self.sheets.append(self.page)

    def tokens(self, text: Text) -> list[Token]:
        """The words of `text`. A word of several pieces gets the label of its most specific piece."""
        tokens: list[Token] = []
        glued = False
        for content, label in rich(text):
            if self.dress is not None:
                content = self.dress(content)
            if label is not None:
                self.first.setdefault(label, " ".join(content.split()))
            entity = next(self._entities) if label is not None else 0
            words = content.split()
            if words and glued and tokens and not content[0].isspace():
                self._glue(tokens[-1], words.pop(0), label, entity)
            tokens += [Token(word, label, entity) for word in words]
            if content:
                glued = not content[-1].isspace()
        return tokens

    @staticmethod
    def _glue(token: Token, text: str, label: Label | None, entity: int) -> None:
        token.text += text
        if label is not None and token.label in (None, Label.CURRENCY):
            token.label, token.entity = label, entity
        if token.label is Label.CURRENCY and any(char.isdigit() for char in token.text):
            token.label, token.entity = None, 0  # a currency glued to an unlabelled amount

    def dressed(self, text: str) -> str:
        """`text` as this canvas prints it: some printers have only capitals, some no accents."""
        return text if self.dress is None else self.dress(text)

    def measure(self, tokens: Sequence[Token], size: float, bold: bool = False) -> float:
        space = text_width(" ", size, self.font)
        return sum(text_width(t.text, size, self.font, bold) for t in tokens) + space * (len(tokens) - 1)

    def text_width(self, text: Text, size: float, bold: bool = False) -> float:
        return text_width(self.dressed(" ".join(plain(text).split())), size, self.font, bold)

    def put(
        self, tokens: Sequence[Token], x: float, y: float, size: float, *, bold: bool = False, align: str = "left"
    ) -> None:
        """Places words in one line; `x` is the left or right edge, or the centre."""
        if not tokens:
            return
        if align != "left":
            x -= self.measure(tokens, size, bold) * (1 if align == "right" else 0.5)
        space = text_width(" ", size, self.font)
        inks = self.page.inks
        for token in tokens:
            width = text_width(token.text, size, self.font, bold)
            inks.append(Ink(token.text, x, y, width, size, self.font, bold, token.label, token.entity))
            x += width + space

    def line(self, text: Text, x: float, y: float, size: float, *, bold: bool = False, align: str = "left") -> float:
        """Draws one line; returns the y of the next."""
        self.put(self.tokens(text), x, y, size, bold=bold, align=align)
        return y + size * LINE

    def wrap(self, tokens: Sequence[Token], width: float, size: float, bold: bool = False) -> list[list[Token]]:
        """Words broken into lines of at most `width`."""
        lines: list[list[Token]] = []
        space, used = text_width(" ", size, self.font), 0.0
        for token in tokens:
            needed = text_width(token.text, size, self.font, bold)
            if lines and used + space + needed <= width:
                lines[-1].append(token)
                used += space + needed
            else:
                lines.append([token])
                used = needed
        return lines

    def paragraph(
        self, text: Text, x: float, y: float, width: float, size: float, *, bold: bool = False, align: str = "left"
    ) -> float:
        """Draws a wrapped text whose column starts at `x`; returns the y below it."""
        edge = {"left": x, "right": x + width, "center": x + width / 2}[align]
        for tokens in self.wrap(self.tokens(text), width, size, bold):
            self.put(tokens, edge, y, size, bold=bold, align=align)
            y += size * LINE
        return y
