"""Draws whole documents: a family, a case for it, its drawing, the sample."""

from collections.abc import Sequence
from functools import cache
from random import Random

from models.training.generator.blocks.marks import any_marks, late_marks, other_script
from models.training.generator.blocks.meta import copy_mark
from models.training.generator.core.finish import finish
from models.training.generator.core.letter_case import draw_dress
from models.training.generator.core.pen import Pen, make_pen
from models.training.generator.core.profile import Profile
from models.training.generator.facts.build import build_case
from models.training.generator.families import FAMILIES, Family
from models.training.sample import Sample

HELD_OUT: tuple[str, ...] = tuple(sorted(name for name, each in FAMILIES.items() if each.held_out))
_BILINGUAL_SHARE = 0.03
_COPY_SHARE = 0.03
_TILL_NOISE = 0.55
_SHARES = {"invoice": 0.64, "receipt": 0.27, "none": 0.09}


def families() -> tuple[str, ...]:
    """The names of all layout families."""
    return tuple(sorted(FAMILIES))


def generate(seed: int, profile: Profile = Profile.EXTRACTOR) -> Sample:
    """The document of a seed, of any family."""
    return _sample(seed, profile, families())


def generate_training(seed: int, profile: Profile = Profile.EXTRACTOR) -> Sample:
    """The document of a seed, never of a held-out family."""
    return _sample(seed, profile, tuple(name for name in families() if name not in HELD_OUT))


def generate_validation(seed: int, profile: Profile = Profile.EXTRACTOR) -> Sample:
    """The document of a seed, of a held-out family."""
    return _sample(seed, profile, HELD_OUT)


def _sample(seed: int, profile: Profile, names: Sequence[str]) -> Sample:
    rng = Random(f"{profile.value}/{seed}")
    family = FAMILIES[rng.choices(names, _weights(profile, tuple(names)))[0]]
    return draw(family, rng, profile, noisy=rng.random() < _noise_share(family, profile))


@cache
def _weights(profile: Profile, names: tuple[str, ...]) -> list[float]:
    """The weight of each family in a profile; all profiles have the same shares of receipts and non-invoices."""
    kinds = [_kind(FAMILIES[name]) for name in names]
    weights = [FAMILIES[name].weight * profile.liking(name) for name in names]
    sums = {kind: sum(w for w, each in zip(weights, kinds, strict=True) if each == kind) for kind in set(kinds)}
    return [weight / sums[kind] * _SHARES[kind] for weight, kind in zip(weights, kinds, strict=True)]


def _kind(family: Family) -> str:
    if not family.is_invoice:
        return "none"
    return "receipt" if family.brief.cash else "invoice"


def _noise_share(family: Family, profile: Profile) -> float:
    """Receipts are photographed more often than not."""
    return max(_TILL_NOISE, profile.noise_share) if family.brief.cash else profile.noise_share


def draw(family: Family, rng: Random, profile: Profile, *, noisy: bool) -> Sample:
    """A document of `family`."""
    case = build_case(rng, profile, family.brief)
    pen = make_pen(rng, case, profile)
    pen.is_invoice, pen.scanned = family.is_invoice, noisy
    pen.canvas.dress = draw_dress(rng, till=family.brief.cash)
    if case.language != "en" and rng.random() < _BILINGUAL_SHARE:
        pen.second_language = "en"
    if rng.random() < _COPY_SHARE:
        copy_mark(pen)
    if not family.brief.cash:
        any_marks(pen)
        other_script(pen)
    family.draw(pen)
    if not family.brief.cash:
        late_marks(pen)
    finish_pages(pen)
    return finish(pen, rng, family.name, noisy=noisy)


def finish_pages(pen: Pen) -> None:
    """What is drawn once the number of pages is known: footers and page numbers."""
    sheets = pen.canvas.sheets
    for number, sheet in enumerate(sheets, 1):
        pen.canvas.page = sheet
        for step in pen.on_finish:
            step(number, len(sheets))
