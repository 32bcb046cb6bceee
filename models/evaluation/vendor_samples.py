"""Several generated invoices of each of many vendors."""

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from models.training.generator import HELD_OUT, Profile
from models.training.generator.compose import finish_pages
from models.training.generator.core.finish import finish
from models.training.generator.core.letter_case import draw_dress
from models.training.generator.core.pen import make_pen
from models.training.generator.facts.build import build_case
from models.training.generator.families import FAMILIES, Family
from models.training.sample import Sample


def samples_of_vendor(seed: int, count: int) -> Iterator[Sample]:
    """Invoices of one vendor in a layout on which nothing was trained, in one look, with other facts on each."""
    names = [name for name in HELD_OUT if FAMILIES[name].is_invoice and not FAMILIES[name].brief.cash]
    family = FAMILIES[Random(f"family/{seed}").choice(names)]  # noqa: S311 - no secret
    for number in range(count):
        yield _sample(family, seed, number)


def _sample(family: Family, seed: int, number: int) -> Sample:
    profile = Profile.EXTRACTOR
    brief = replace(family.brief, credit_share=0.0)
    vendor, facts_of, finishing = (
        Random(name)  # noqa: S311 - no secret
        for name in (f"vendor/{seed}", f"facts/{seed}/{number}", f"finish/{seed}/{number}")
    )
    first = build_case(vendor, profile, brief)
    facts = build_case(facts_of, profile, replace(brief, countries=(first.country.code,)))
    case = replace(
        facts,
        language=first.language,
        currency=first.currency,
        seller=first.seller,
        buyer=first.buyer,
        number=_next_number(first.number, number),
    )
    look = Random(f"look/{seed}")  # noqa: S311 - no secret
    pen = make_pen(look, case, profile)
    pen.is_invoice, pen.scanned = True, False
    pen.canvas.dress = draw_dress(look, till=False)
    family.draw(pen)
    finish_pages(pen)
    return finish(pen, finishing, family.name, noisy=False)


def _next_number(first: str, count: int) -> str:
    """The vendor's number after so many others: its last digits count up."""
    digits = re.findall(r"\d+", first)
    if not digits:
        return f"{first}{count + 1}"
    start = first.rindex(digits[-1])
    counted = str(int(digits[-1]) + 3 * count).zfill(len(digits[-1]))
    return first[:start] + counted + first[start + len(digits[-1]) :]
