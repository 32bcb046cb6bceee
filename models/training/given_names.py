"""`python -m models.training.given_names`: rebuild `given_names.txt` of the service from Faker's names of persons.

Faker is needed for training only, and the service tells persons from companies without it.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator

import faker.providers.person as persons

from serve_app.extraction.notation.plain import plain
from serve_app.extraction.parties.given_names import FILE

_LISTS = ("first_names", "first_names_male", "first_names_female", "first_names_nonbinary")
# Shorter ones are more often an abbreviation, and the service reads Latin script.
_USABLE = re.compile(r"[a-zæœð-]{3,}")


def main() -> None:
    """Write the names, one on a line."""
    names = {
        plain(name) for locale in pkgutil.iter_modules(persons.__path__) if locale.ispkg for name in _of(locale.name)
    }
    FILE.write_text("\n".join(sorted(name for name in names if _USABLE.fullmatch(name))) + "\n", encoding="utf-8")


def _of(locale: str) -> Iterator[str]:
    provider = importlib.import_module(f"{persons.__name__}.{locale}").Provider
    for kind in _LISTS:
        found = getattr(provider, kind, ())
        if not isinstance(found, property):
            yield from found


if __name__ == "__main__":
    main()
