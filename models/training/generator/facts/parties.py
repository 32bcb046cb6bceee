"""Companies, people and their addresses."""

from dataclasses import dataclass
from random import Random

from models.training.generator.core.letter_case import without_accents
from models.training.generator.core.lists import Lists, load
from models.training.generator.facts.countries import Country, fill, make_iban
from models.training.generator.facts.names import Parts, company_name, person_name, practice_name, shop_name

_TLDS = {
    "GB": "co.uk",
    "US": "com",
    "AU": "com.au",
    "IN": "in",
    "MY": "com.my",
    "TR": "com.tr",
    "BR": "com.br",
    "NZ": "co.nz",
    "ZA": "co.za",
}


@dataclass(frozen=True, slots=True)
class Party:
    """A seller or buyer as an invoice prints it. `parts` are the lines on which the name may stand.

    `practice`: a person's own business.
    """

    parts: Parts
    person: str
    street: str
    place: str
    country: Country
    phone: str
    fax: str
    domain: str
    vat: str
    tax_no: str
    iban: str
    bic: str
    bank: str
    extra: str
    practice: bool = False

    @property
    def name(self) -> str:
        return " ".join(self.parts)

    @property
    def address(self) -> tuple[str, ...]:
        return tuple(line for line in (self.extra, self.street, self.place) if line)

    @property
    def mail(self) -> str:
        return f"info@{self.domain}"


def _place(country: Country, city: str, rng: Random) -> str:
    code = fill(country.zip, rng)
    if country.zip_last:
        state = rng.choice(("NY", "CA", "TX", "FL", "IL", "WA", "MA", "OH")) if country.code == "US" else ""
        return rng.choice(
            (
                f"{city}, {state} {code}" if state else f"{city} {code}",
                f"{city} {code}".strip(),
                f"{city}, {code}".strip(", "),
            )
        )
    prefix = f"{country.code}-" if country.iban and rng.random() < 0.2 else ""
    return f"{prefix}{code} {city}".strip()


def _domain(name: str, country: Country, rng: Random) -> str:
    first = without_accents(name).lower().split(" ")[0]
    slug = "".join(char for char in first if char.isascii() and char.isalnum()) or "kontakt"
    return f"{slug}.{rng.choice((_TLDS.get(country.code, country.code.lower()), 'com'))}"


def make_party(country: Country, language: str, rng: Random, *, kind: str) -> Party:
    """A party; `kind` is `company`, `shop`, `person` or `practice` (a person's business)."""
    people, words = load("places", country.places or country.code.lower()), load("wordings", language)
    person = person_name(people, rng)
    makers = {"company": company_name, "shop": shop_name, "practice": practice_name}
    parts = (person,) if kind == "person" else makers[kind](country, people, words, rng)
    return Party(
        parts=parts,
        person=person if kind == "person" else person_name(people, rng),
        street=rng.choice(people["street"]),
        place=_place(country, rng.choice(people["city"]), rng),
        country=country,
        phone=fill(country.phone, rng),
        fax=fill(country.phone, rng),
        domain=_domain(parts[0], country, rng),
        vat=fill(country.vat, rng),
        tax_no=fill(country.tax_no, rng),
        iban=make_iban(country, rng),
        bic=fill("????", rng) + country.code + fill("##" if rng.random() < 0.5 else "??XXX", rng),
        bank=rng.choice(load("lists", "common")["bank"]),
        extra=_extra(words, rng),
        practice=kind == "practice",
    )


def _extra(words: Lists, rng: Random) -> str:
    """A line between name and street that some addresses have."""
    if rng.random() > 0.08:
        return ""
    return rng.choice(
        (
            f"{rng.choice(words['sector'])}",
            "Building C",
            "2. OG",
            "Dept. 4",
            "c/o Reception",
            "P.O. Box 1180",
            "Accounts Payable",
        )
    )
