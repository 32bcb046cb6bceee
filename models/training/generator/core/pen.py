"""The pen of families and blocks: the case in the words and formats of one document."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from random import Random

from models.training.generator.core.canvas import LINE, Canvas, Rich, Text, fill_slots, join
from models.training.generator.core.dates import format_date
from models.training.generator.core.lists import wording
from models.training.generator.core.numbers import MoneyStyle, Placement
from models.training.generator.core.profile import Profile
from models.training.generator.core.style import Style, draw_style
from models.training.generator.facts.case import Case
from models.training.generator.facts.identifiers import other_number
from models.training.generator.facts.names import brand
from serve_app.domain.invoice import LineItem
from serve_app.domain.labels import Label

# The share of documents whose number has an unusual caption: "Our reference", "Folio", "Transaction".
_UNUSUAL_NUMBER = 0.06
# Nothing is wrapped into columns narrower than this, in points.
_NARROWEST = 45.0


@dataclass
class Pen:
    """Draws one document. `y` is the cursor: blocks start there and leave it below themselves.

    `scanned`: the words will look as if read by OCR; `brand`: a second name printed for the issuer.
    """

    rng: Random
    case: Case
    profile: Profile
    style: Style
    canvas: Canvas
    second_language: str | None = None
    second_script: tuple[str, ...] = ()
    y: float = 0.0
    is_invoice: bool = True
    currency_shown: bool = False
    unusual_number: bool = False
    scanned: bool = False
    brand: str = ""
    sums_drawn: bool = False
    rows: list[LineItem] = field(default_factory=list)
    on_new_page: Callable[[], None] | None = None
    on_finish: list[Callable[[int, int], None]] = field(default_factory=list)
    bottom_margin: float = 60.0
    bound: float | None = None
    _memo: dict[str, str] = field(default_factory=dict)

    # -- geometry

    @property
    def left(self) -> float:
        return self.style.margin

    @property
    def right(self) -> float:
        return self.style.width - self.style.margin

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def bottom(self) -> float:
        return self.style.height - self.bottom_margin

    @property
    def size(self) -> float:
        return self.style.size

    @property
    def step(self) -> float:
        """The distance between lines of the document's base size."""
        return self.style.size * self.style.leading

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def skip(self, lines: float = 1.0) -> None:
        self.y += lines * self.step

    def room(self, height: float) -> None:
        """Starts a new page where `height` points do not fit any more."""
        if self.y + height > self.bottom:
            self.new_page()

    def new_page(self) -> None:
        self.canvas.new_page()
        self.y = self.style.margin * 0.8
        if self.on_new_page:
            self.on_new_page()

    # -- words

    def word(self, key: str) -> str:
        """A synonym of `key`: always the same within the document."""
        if key not in self._memo:
            text = wording(self.case.language, self.profile).pick(key, self.rng)
            if self.second_language and "{" not in text:
                text += self.rng.choice((" / ", " / ", "/")) + wording(self.second_language, self.profile).pick(
                    key, self.rng
                )
            if self.second_script and "{" not in text:
                text += f" {self.rng.choice(self.second_script)}"
            self._memo[key] = text
        return self._memo[key]

    def fresh(self, key: str) -> str:
        """A synonym of `key`, drawn anew at each call."""
        return wording(self.case.language, self.profile).pick(key, self.rng)

    def label(self, key: str) -> str:
        """A synonym of `key` in the document's letter case."""
        text = self.word(key)
        if self.style.label_case == "upper":
            return text.upper()
        return text.lower() if self.style.label_case == "lower" else text

    def tagged(self, key: str) -> str:
        """The label of `key` with the document's mark after labels, usually a colon."""
        text = self.label(key)
        return text if text.endswith((":", "#")) or not self.style.suffix else text + self.style.suffix

    def gap_after(self, text: str) -> str:
        """The separator of a label and its value: empty if a PDF writer glued them together."""
        return self.style.gap if text.endswith((":", "#", ".")) else " "

    def sentence(self, key: str) -> Rich:
        """A sentence of `key` with its blanks filled; of its dates, only `{due}` is labelled as the due date."""
        return self.fill(self.fresh(key))

    def fill(self, template: str) -> Rich:
        case, rng = self.case, self.rng
        return fill_slots(
            template,
            due=self.day(case.due, Label.DUE_DATE) if "{due}" in template else "",
            other_date=self.day(case.other_date, Label.OTHER_DATE) if "{other_date}" in template else "",
            num=[(other_number(rng, case.issued), Label.OTHER_NUMBER)] if "{num}" in template else "",
            days=str(case.days),
            amount=self.money(case.amount_due, Label.AMOUNT_DUE) if "{amount}" in template else "",
            total=self.money(case.total, Label.TOTAL) if "{total}" in template else "",
            brand=brand(rng) if "{brand}" in template else "",
            person=case.seller.person,
        )

    # -- values

    def day(self, value: date, label: Label | None, *, short: bool = False) -> Rich:
        template = self.style.short_date if short else self.style.date
        words = wording(self.case.language, self.profile).lists
        return [(format_date(value, template, words, self.case.language), label)]

    def money(self, value: Decimal, label: Label | None, *, style: MoneyStyle | None = None) -> Rich:
        """An amount in the style of the totals (or another) with its currency, if printed there."""
        style = style or self.style.totals_money
        if style.template != Placement.NONE:
            self.currency_shown = True
        number = (style.plain(value), label)
        if style.template == Placement.NONE:
            return [number]
        return fill_slots(style.template, c=[(style.mark, Label.CURRENCY)], n=[number])

    def mark(self) -> Rich:
        """The currency on its own."""
        self.currency_shown = True
        return [(self.style.totals_money.mark, Label.CURRENCY)]

    def rate(self, value: Decimal) -> str:
        places = max(self.style.rate_places, -int(value.normalize().as_tuple().exponent))
        number = self.style.totals_money.numbers.format(value, places)
        return self.style.rate_template.format(number)

    # -- drawing

    def line(
        self, text: Text, x: float | None = None, *, size: float | None = None, bold: bool = False, align: str = "left"
    ) -> None:
        """Draws a line at the cursor and moves it down; within a block with a `bound` it is wrapped there."""
        size = size or self.size
        edge = {"left": self.left, "right": self.right, "center": self.style.width / 2}[align] if x is None else x
        if self.bound is not None and align == "left" and self.bound - edge > _NARROWEST:
            self.y = self.canvas.paragraph(text, edge, self.y, self.bound - edge, size, bold=bold)
            self.y += size * max(0.0, self.style.leading - LINE)
            return
        self.canvas.line(text, edge, self.y, size, bold=bold, align=align)
        self.y += size * max(self.style.leading, 1.1)

    def lines(
        self, texts: list[Text], x: float | None = None, *, size: float | None = None, align: str = "left"
    ) -> None:
        for text in texts:
            self.line(text, x, size=size, align=align)

    def paragraph(
        self, text: Text, *, size: float | None = None, align: str = "left", width: float | None = None
    ) -> None:
        size = size or self.size
        self.room(size * LINE * 2)
        self.y = self.canvas.paragraph(text, self.left, self.y, width or self.width, size, align=align)

    def pair(self, key: str, value: Text, x: float, *, gap: float | None = None, size: float | None = None) -> None:
        """`label value` at the cursor; with a `gap` the value stands that far right of the label's start."""
        size = size or self.size
        if gap is None:
            self.line(join(self.tagged(key), self.gap_after(self.tagged(key)), value), x, size=size)
            return
        self.canvas.line(self.tagged(key), x, self.y, size, bold=self.style.label_bold)
        gap = max(gap, self.canvas.text_width(self.tagged(key), size, self.style.label_bold) + 4)
        self.line(value, x + gap, size=size, bold=self.style.value_bold)


def make_pen(rng: Random, case: Case, profile: Profile) -> Pen:
    """A pen with a random style, at the top of an empty page."""
    style = draw_style(rng, case)
    pen = Pen(rng, case, profile, style, Canvas(style.width, style.height, style.font))
    pen.y = style.margin * rng.uniform(0.5, 1.1)
    pen.unusual_number = rng.random() < _UNUSUAL_NUMBER
    return pen
