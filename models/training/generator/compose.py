"""Draws whole documents: a family, a case for it, its drawing, the sample."""

from collections.abc import Sequence
from random import Random

from models.training.generator.blocks.meta import copy_mark
from models.training.generator.core.finish import finish
from models.training.generator.core.pen import Pen, make_pen
from models.training.generator.core.profile import Profile
from models.training.generator.facts.build import build_case
from models.training.generator.families import FAMILIES, Family
from models.training.sample import Sample

HELD_OUT: tuple[str, ...] = tuple(sorted(name for name, each in FAMILIES.items() if each.held_out))
_BILINGUAL_SHARE = 0.03
_COPY_SHARE = 0.03


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
    choices = [FAMILIES[name] for name in names]
    weights = [each.weight * profile.weight(each.name) for each in choices]
    family = rng.choices(choices, weights)[0]
    return draw(family, rng, profile, noisy=rng.random() < profile.noise_share)


def draw(family: Family, rng: Random, profile: Profile, *, noisy: bool) -> Sample:
    """A document of `family`."""
    case = build_case(rng, profile, family.brief)
    pen = make_pen(rng, case, profile)
    pen.is_invoice = family.is_invoice
    if case.language != "en" and rng.random() < _BILINGUAL_SHARE:
        pen.second_language = "en"
    if rng.random() < _COPY_SHARE:
        copy_mark(pen)
    family.draw(pen)
    finish_pages(pen)
    return finish(pen, rng, family.name, noisy=noisy)


def finish_pages(pen: Pen) -> None:
    """What is drawn when the number of pages is known: footers and page numbers."""
    sheets = pen.canvas.sheets
    for number, sheet in enumerate(sheets, 1):
        pen.canvas.page = sheet
        for step in pen.on_finish:
            step(number, len(sheets))
