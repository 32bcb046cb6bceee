"""Batches as people make them: the invoices of one order at a marketplace, a stack of receipts, sheets or blank pages
between documents.

In an order, buyer, order number and the platform's head and foot are on every page, so they say nothing about where an
invoice begins.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from models.training.batches import (
    Batch,
    case_like,
    draw_foreign,
    draw_with,
    finish_sample,
    join_samples,
    without_empty_pages,
)
from models.training.generator.compose import HELD_OUT, families
from models.training.generator.core.pen import Pen, make_pen
from models.training.generator.core.profile import Profile
from models.training.generator.facts.build import Brief, build_case
from models.training.generator.facts.case import Case
from models.training.generator.facts.identifiers import other_number
from models.training.generator.facts.names import brand
from models.training.generator.families import FAMILIES, Family
from models.training.sample import Sample

_COUNTS = range(2, 10)
_SAME_LAYOUT = 0.7
_SAME_SELLER = 0.12
_SAME_DAY = 0.75
_SECOND_PAGE = 0.1
_SEPARATED = 0.2
_BLANK = 0.3
_NOISY_RECEIPTS = 0.6
_WITH_FOREIGN = 0.2
_SHEETS = (
    "PATCH T",
    "PATCHT",
    "PATCH II",
    "Patch Code",
    "Separator Sheet",
    "Document separator - do not file",
    "DOCUMENT SEPARATOR",
    "Batch separator",
    "End of document",
    "New document",
    "Barcode cover sheet",
    "Trennblatt",
    "Trennseite",
    "Belegtrenner",
    "Stapeltrennblatt",
    "Page de séparation",
    "Feuille de séparation",
    "Hoja separadora",
    "Foglio separatore",
    "Scheidingsblad",
    "Strona rozdzielająca",
    "Skilleark",
    "*SEP*",
)
_SHEET_NOTES = ("do not remove", "do not file", "Scan with document", "bitte nicht entfernen", "ne pas jeter", "*0001*")


def generate_bundle(seed: int, *, held_out: bool, noise_share: float = 0.0, misread_share: float = 0.0) -> Batch:
    """The bundle of a seed: an order's invoices, a stack of receipts, or a usual batch with sheets in it. Layout
    families are either only held-out ones or only others; `noise_share` and `misread_share` as in `generate_batch`."""
    rng = Random(f"bundle/{held_out}/{seed}")
    names = [name for name in families() if (name in HELD_OUT) == held_out]
    kind = rng.choice((_order, _order, _receipts, _mixture))
    samples = list(kind(rng, names, noise_share))
    if rng.random() < _WITH_FOREIGN:
        position = rng.randint(0, len(samples))
        samples.insert(position, draw_foreign(rng, names, None, noise_share, misread_share))
    if kind is _mixture or rng.random() < _SEPARATED:
        samples = list(_separated(rng, samples, noise_share))
    return join_samples(samples)


@dataclass(frozen=True, slots=True)
class _Platform:
    """What stands on every page of an order, at the top or at the bottom."""

    head: str | None
    foot: str | None

    def draw(self, pen: Pen) -> None:
        """Have it drawn on all pages once the document is complete."""
        pen.on_finish.append(lambda number, count: self._print(pen))

    def _print(self, pen: Pen) -> None:
        size = pen.size * 0.85
        if self.head:
            pen.canvas.line(self.head, pen.left, pen.style.margin * 0.25, size)
        if self.foot:
            pen.canvas.line(self.foot, pen.left, pen.style.height - pen.style.margin * 0.5, size)


def _platform(rng: Random, order: str) -> _Platform:
    name = brand(rng)
    texts = (
        f"{name} {order}",
        f"{name} Marketplace - www.{name.split()[0].casefold()}.example",
        f"Order {order}",
        None,
    )
    return _Platform(rng.choice(texts), rng.choice(texts))


def _order(rng: Random, names: Sequence[str], noise_share: float) -> Iterator[Sample]:
    """An order's invoices, most of them of a page each and of different sellers."""
    choices = [FAMILIES[name] for name in names if FAMILIES[name].is_invoice and not FAMILIES[name].brief.cash]
    family, layout = _any_family(rng, choices), rng.getrandbits(32)
    first = build_case(rng, Profile.EXTRACTOR, replace(family.brief, long_share=0))
    platform, sellers = _platform(rng, other_number(rng, first.issued)), [first.seller]
    is_one_layout, is_one_day = rng.random() < _SAME_LAYOUT, rng.random() < _SAME_DAY
    for _ in range(rng.choice(_COUNTS)):
        if not is_one_layout:
            family, layout = _any_family(rng, choices), rng.getrandbits(32)
        case = _ordered(rng, first, family, is_one_day=is_one_day)
        if rng.random() < _SAME_SELLER:
            case = replace(case, seller=rng.choice(sellers))
        sellers.append(case.seller)
        yield without_empty_pages(draw_with(rng, family, layout, case, noise_share, platform.draw))


def _ordered(rng: Random, first: Case, family: Family, *, is_one_day: bool) -> Case:
    """A case of the same order: its buyer, and the numbers of order and customer."""
    rows = (20, 45) if rng.random() < _SECOND_PAGE else (1, 6)
    case = case_like(rng, first, replace(family.brief, long_share=0, rows=rows))
    shared = {key: first.numbers[key] for key in ("order_number", "customer_number")}
    case = replace(case, buyer=first.buyer, numbers={**case.numbers, **shared})
    return replace(case, issued=first.issued, due=first.due, other_date=first.other_date) if is_one_day else case


def _receipts(rng: Random, names: Sequence[str], noise_share: float) -> Iterator[Sample]:
    """A stack of receipts, some of the same shop."""
    choices = [FAMILIES[name] for name in names if FAMILIES[name].is_invoice and FAMILIES[name].brief.cash]
    noise_share = max(noise_share, _NOISY_RECEIPTS) if noise_share else 0.0
    for _ in range(rng.choice(_COUNTS)):
        family, layout = _any_family(rng, choices), rng.getrandbits(32)
        case = build_case(rng, Profile.EXTRACTOR, replace(family.brief, long_share=0))
        yield draw_with(rng, family, layout, case, noise_share)
        if rng.random() < _SAME_SELLER:
            again = replace(case_like(rng, case, replace(family.brief, long_share=0)), seller=case.seller)
            yield draw_with(rng, family, layout, again, noise_share)


def _mixture(rng: Random, names: Sequence[str], noise_share: float) -> Iterator[Sample]:
    """Invoices of several issuers and layouts."""
    choices = [FAMILIES[name] for name in names if FAMILIES[name].is_invoice]
    for _ in range(rng.choice(_COUNTS)):
        family = _any_family(rng, choices)
        case = build_case(rng, Profile.EXTRACTOR, family.brief)
        yield without_empty_pages(draw_with(rng, family, rng.getrandbits(32), case, noise_share))


def _any_family(rng: Random, choices: Sequence[Family]) -> Family:
    return rng.choices(choices, [choice.weight for choice in choices])[0]


def _separated(rng: Random, samples: Sequence[Sample], noise_share: float) -> Iterator[Sample]:
    """The documents with a sheet of one kind, or a blank page, before each or between them."""
    is_blank, is_first = rng.random() < _BLANK, rng.random() < 0.5
    lines = [rng.choice(_SHEETS), *([rng.choice(_SHEET_NOTES)] if rng.random() < 0.5 else [])]
    for index, sample in enumerate(samples):
        if index or is_first:
            yield _sheet(rng, [] if is_blank else lines, noise_share)
        yield sample


def _sheet(rng: Random, lines: Sequence[str], noise_share: float) -> Sample:
    pen = make_pen(rng, build_case(rng, Profile.EXTRACTOR, Brief(long_share=0)), Profile.EXTRACTOR)
    pen.is_invoice = False
    pen.y = pen.style.height * 0.3
    for line in lines:
        pen.line(line, size=pen.size * 2.5, align="center", bold=True)
        pen.skip(2)
    return finish_sample(pen, rng, "sheet", noise_share)
