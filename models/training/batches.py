"""Batches: several documents scanned or joined into one file, with the right answer for every page.

Half of them come from one issuer (a month's invoices of one supplier, in one layout), which is what makes splitting
hard; the others from as many issuers as documents. Pages that belong to no invoice stand between them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from models.training.generator.blocks import parties, small_print
from models.training.generator.compose import HELD_OUT, families, finish_pages
from models.training.generator.core.finish import finish
from models.training.generator.core.pen import Pen, make_pen
from models.training.generator.core.profile import Profile
from models.training.generator.facts.build import Brief, build_case
from models.training.generator.facts.case import Case
from models.training.generator.families import FAMILIES, Family
from models.training.sample import Sample
from serve_app.domain.document import Document, Page
from serve_app.domain.labels import OUTSIDE, Label

MOST_PAGES = 9
_COUNTS = range(1, 21)
# Pages per invoice: most have one, every length up to nine occurs.
_PAGE_WEIGHTS = (60, 20, 7, 4, 3, 2, 2, 1, 1)
_ROWS_A_PAGE = 26
_ONE_ISSUER = 0.5
FOREIGN_SHARE = 0.22
_SAYS_NOTHING = frozenset({Label.OTHER_NUMBER, Label.OTHER_DATE})


@dataclass(frozen=True, slots=True)
class Batch:
    """A file of several documents. `parts` are the first and last page (1-based) of every invoice, in order; all other
    pages belong to no invoice. `tags` has the label of every word, page by page; `origins` the index of the document
    that each page is of."""

    document: Document
    parts: tuple[tuple[int, int], ...]
    tags: tuple[tuple[str, ...], ...] = ()
    origins: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Issuer:
    """What the invoices of one issuer have in common."""

    family: Family
    layout: int
    case: Case


def generate_batch(
    seed: int,
    *,
    held_out: bool,
    noise_share: float = 0.0,
    foreign_share: float = FOREIGN_SHARE,
    misread_share: float = 0.0,
) -> Batch:
    """The batch of a seed: either of held-out layout families only or of the others only.

    `noise_share` is the share of documents that look as if read by OCR, `foreign_share` that of the gaps between
    invoices in which a page of no invoice stands, `misread_share` that of these pages whose tags are those of an
    invoice, as models see kinds that they do not know.
    """
    rng = Random(f"batch/{held_out}/{seed}")
    names = [name for name in families() if (name in HELD_OUT) == held_out]
    count = rng.choices(_COUNTS, [1 / number for number in _COUNTS])[0]
    issuer = _issuer(rng, names) if rng.random() < _ONE_ISSUER else None
    samples: list[Sample] = []
    for _ in range(count):
        if rng.random() < foreign_share:
            samples.append(draw_foreign(rng, names, issuer, noise_share, misread_share))
        samples.append(_invoice(rng, issuer or _issuer(rng, names), noise_share))
    if rng.random() < foreign_share:
        samples.append(draw_foreign(rng, names, issuer, noise_share, misread_share))
    return join_samples(samples)


def _issuer(rng: Random, names: Sequence[str]) -> _Issuer:
    choices = [FAMILIES[name] for name in names if FAMILIES[name].is_invoice]
    family = rng.choices(choices, [choice.weight for choice in choices])[0]
    return _Issuer(family, rng.getrandbits(32), build_case(rng, Profile.EXTRACTOR, family.brief))


def _invoice(rng: Random, issuer: _Issuer, noise_share: float) -> Sample:
    """An invoice of the issuer: its layout, another number, date, customer, and rows for one to nine pages."""
    pages = rng.choices(range(1, MOST_PAGES + 1), _PAGE_WEIGHTS)[0]
    rows = _ROWS_A_PAGE * (pages - 1) + rng.randint(0, _ROWS_A_PAGE)
    brief = replace(issuer.family.brief, long_share=0.0)
    while True:
        case = _case_of(rng, issuer, brief if pages == 1 else replace(brief, rows=(rows, rows)))
        sample = without_empty_pages(draw_with(rng, issuer.family, issuer.layout, case, noise_share))
        if len(sample.document.pages) <= MOST_PAGES:
            return sample
        rows //= 2


def _case_of(rng: Random, issuer: _Issuer, brief: Brief) -> Case:
    return replace(case_like(rng, issuer.case, brief), seller=issuer.case.seller)


def case_like(rng: Random, first: Case, brief: Brief) -> Case:
    """Other facts in the country and language of a case."""
    brief = replace(brief, countries=(first.country.code,))
    while True:
        case = build_case(rng, Profile.EXTRACTOR, brief)
        if case.language == first.language:
            return case


def draw_with(
    rng: Random,
    family: Family,
    layout: int,
    case: Case,
    noise_share: float,
    prepare: Callable[[Pen], None] | None = None,
) -> Sample:
    """A document drawn with the choices of style and layout that the seed `layout` stands for. `prepare` gets the pen
    before anything is drawn."""
    pen = make_pen(Random(layout), case, Profile.EXTRACTOR)
    pen.rng = Random(layout + 1)
    pen.is_invoice = family.is_invoice
    if prepare is not None:
        prepare(pen)
    family.draw(pen)
    return finish_sample(pen, rng, family.name, noise_share)


def finish_sample(pen: Pen, rng: Random, name: str, noise_share: float) -> Sample:
    """The sample of all that a pen drew."""
    finish_pages(pen)
    return finish(pen, rng, name, noisy=rng.random() < noise_share)


def without_empty_pages(sample: Sample) -> Sample:
    """The sample without last pages that contain nothing of the invoice, such as a page of conditions."""
    count = len(sample.document.pages)
    while count > 1 and not _says_something(sample.tags[count - 1]):
        count -= 1
    return replace(sample, document=Document(sample.document.pages[:count]), tags=sample.tags[:count])


def _says_something(tags: Sequence[str]) -> bool:
    return any(tag != OUTSIDE and Label(tag[2:]) not in _SAYS_NOTHING for tag in tags)


def draw_foreign(
    rng: Random, names: Sequence[str], issuer: _Issuer | None, noise_share: float, misread_share: float = 0.0
) -> Sample:
    """A page of no invoice: a document of another kind, a cover letter or a page of conditions."""
    kinds = [FAMILIES[name] for name in names if not FAMILIES[name].is_invoice]
    pick = rng.randrange(len(kinds) + 2)
    case = build_case(rng, Profile.EXTRACTOR, Brief(long_share=0))
    if issuer is not None and rng.random() < 0.5:
        case = _case_of(rng, issuer, Brief(long_share=0))
    if pick < len(kinds):
        kind = replace(kinds[pick], is_invoice=rng.random() < misread_share)
        return replace(draw_with(rng, kind, rng.getrandbits(32), case, noise_share), is_invoice=False)
    pen = make_pen(rng, case, Profile.EXTRACTOR)
    pen.is_invoice = False
    (_cover_letter if pick == len(kinds) else _conditions)(pen)
    return finish_sample(pen, rng, "foreign", noise_share)


def _cover_letter(pen: Pen) -> None:
    """A cover letter for the enclosed invoices."""
    if pen.chance(0.7):
        parties.letterhead(pen, pen.left)
    pen.skip(2)
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(2)
    pen.line(pen.sentence("salute"))
    for _ in range(pen.rng.randint(1, 4)):
        pen.paragraph(pen.sentence("letter"))
        pen.skip(0.5)
    pen.line(pen.fresh("regards"))
    pen.line(pen.case.seller.person)


def _conditions(pen: Pen) -> None:
    """A page of terms, as on the back of an invoice."""
    pen.skip(1)
    for _ in range(pen.rng.randint(1, 4)):
        small_print.conditions(pen)
        if pen.y > pen.bottom * 0.7:
            break


def join_samples(samples: Sequence[Sample]) -> Batch:
    """One file of all documents, in order."""
    pages: list[Page] = []
    parts = []
    for sample in samples:
        first = len(pages) + 1
        pages.extend(replace(page, number=first + index) for index, page in enumerate(sample.document.pages))
        if sample.is_invoice:
            parts.append((first, len(pages)))
    tags = tuple(tags for sample in samples for tags in sample.tags)
    origins = tuple(index for index, sample in enumerate(samples) for _ in sample.tags)
    return Batch(Document(tuple(pages)), tuple(parts), tags, origins)
