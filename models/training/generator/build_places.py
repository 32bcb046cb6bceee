"""Rebuild `places/*.txt` (people, cities, streets of each country) with Faker: `python -m ...build_places`.

Faker is too slow to be called for every document, and the lists are needed where it is not installed.
"""

from collections.abc import Callable
from pathlib import Path

from faker import Faker

FOLDER = Path(__file__).parent / "places"
SEED = 20240301
LOCALES = {
    "at": "de_AT", "au": "en_AU", "be": "nl_BE", "br": "pt_BR", "ca": "en_CA", "ch": "de_CH", "cz": "cs_CZ",
    "de": "de_DE", "dk": "da_DK", "es": "es_ES", "fr": "fr_FR", "gb": "en_GB", "hu": "hu_HU",
    "in": "en_IN", "it": "it_IT", "mx": "es_MX", "nl": "nl_NL", "no": "no_NO", "nz": "en_NZ", "ph": "en_PH",
    "pl": "pl_PL", "pt": "pt_PT", "ro": "ro_RO", "se": "sv_SE", "us": "en_US",
}  # fmt: skip
SIZES = {"first": 120, "last": 220, "city": 140, "street": 220}


def distinct(make: Callable[[], str], count: int) -> list[str]:
    """Up to `count` different values of `make`, one line each."""
    found: dict[str, None] = {}
    for _ in range(count * 4):
        found.setdefault(" ".join(make().replace("|", " ").split()))
        if len(found) == count:
            break
    return list(found)


def main() -> None:
    for country, locale in LOCALES.items():
        fake = Faker(locale)
        fake.seed_instance(SEED)
        makers: dict[str, Callable[[], str]] = {
            "first": fake.first_name,
            "last": fake.last_name,
            "city": fake.city,
            "street": fake.street_address,
        }
        lines = [f"{key}: {' | '.join(distinct(make, SIZES[key]))}" for key, make in makers.items()]
        (FOLDER / f"{country}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
