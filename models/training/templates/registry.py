"""The templates that are drawn: name, packages, licence, and how each is fed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random

from models.training.templates.facts import FactOptions, Facts, build_facts

# HTML as text, or a PDF as bytes.
Output = str | bytes
Draw = Callable[[Facts, Path, Random], Output]
_HELD_OUT = 10


@dataclass(frozen=True, slots=True)
class Template:
    """One layout. `engine`: `python`, `node` or `latex`; `lacks`: key values of a document that it does not print.

    `draw` gets the facts, the folder where its packages are installed, and a random source for what it may vary;
    a template of node has none, its recipe is in `node/`. `below` is how far a row goes on under its description.
    """

    name: str
    packages: tuple[str, ...]
    licence: str
    options: FactOptions = field(default_factory=FactOptions)
    engine: str = "python"
    draw: Draw | None = None
    lacks: tuple[str, ...] = ()
    below: float = 0.6
    doc_type: str = "invoice"
    share: float = 1.0

    @property
    def package(self) -> str:
        """The package that the layout is from; the others are needed by it."""
        return self.packages[0]

    def facts(self, seed: int, index: int) -> tuple[Facts, Random]:
        """The facts of its document with this index, and the random source that goes with them."""
        rng = Random(f"templates/{self.name}/{seed}/{index}")
        return build_facts(rng, self.options), rng


TEMPLATES: dict[str, Template] = {}


def add(template: Template) -> None:
    """Enter a template; its name must be new."""
    if template.name in TEMPLATES:
        raise ValueError(f"two templates are called {template.name}")
    TEMPLATES[template.name] = template


def template(name: str, *packages: str, licence: str, engine: str = "python", **more: object) -> Callable[[Draw], Draw]:
    """Enter the decorated recipe as a template."""

    def enter(draw: Draw) -> Draw:
        add(Template(name, packages, licence, engine=engine, draw=draw, **more))  # type: ignore[arg-type]
        return draw

    return enter


def held_out() -> frozenset[str]:
    """A tenth of the templates, for validation: whole packages, so that no layout has a sister in training."""
    packages = sorted({each.package for each in TEMPLATES.values()}, key=lambda name: sha256(name.encode()).hexdigest())
    names: list[str] = []
    for package in packages:
        members = [each.name for each in TEMPLATES.values() if each.package == package]
        if len(names) + len(members) <= max(1, len(TEMPLATES) // _HELD_OUT) and len(members) == 1:
            names += members
    return frozenset(names)
