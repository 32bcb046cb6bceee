"""`python -m models.training.templates.worker ROOT OUT SEED FIRST COUNT NAME`: draw documents of one template.

One process per template, because packages of different templates may conflict.
"""

import logging
import sys
from pathlib import Path

from models.training.templates import recipes  # noqa: F401 (enters all templates)
from models.training.templates.install import python_site
from models.training.templates.registry import TEMPLATES


def main() -> None:
    """Write `OUT/INDEX.html` or `.pdf` for every document that the template can draw."""
    root, out, (seed, first, count), name = Path(sys.argv[1]), Path(sys.argv[2]), map(int, sys.argv[3:6]), sys.argv[6]
    template = TEMPLATES[name]
    site = python_site(root, template)
    sys.path.insert(0, str(site))
    if template.draw is None:
        raise ValueError(f"{name} is not drawn in Python")
    failures = 0
    for index in range(first, first + count):
        facts, rng = template.facts(seed, index)
        try:
            drawn = template.draw(facts, site, rng)
        except Exception as error:  # a package may fail on any of the facts
            failures += 1
            if failures == 1:
                logging.warning("%s: document %s failed: %r", name, index, error)
            if failures == count:
                raise
            continue
        if isinstance(drawn, str):
            (out / f"{index}.html").write_text(drawn, encoding="utf-8")
        else:
            (out / f"{index}.pdf").write_bytes(drawn)


if __name__ == "__main__":
    main()
