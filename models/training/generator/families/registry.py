"""The layout families: each draws a case in its own arrangement."""

from collections.abc import Callable
from dataclasses import dataclass

from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief

Draw = Callable[[Pen], None]


@dataclass(frozen=True, slots=True)
class Family:
    """A layout family. `held_out` ones are never trained on: they measure how well unseen layouts are read."""

    name: str
    draw: Draw
    brief: Brief
    weight: float
    is_invoice: bool
    held_out: bool


FAMILIES: dict[str, Family] = {}


def family(
    brief: Brief | None = None, *, weight: float = 1.0, is_invoice: bool = True, held_out: bool = False
) -> Callable[[Draw], Draw]:
    """Registers the decorated function as the family of its name."""

    def register(draw: Draw) -> Draw:
        name = draw.__name__
        FAMILIES[name] = Family(name, draw, brief or Brief(), weight, is_invoice, held_out)
        return draw

    return register
