"""Companies, people and their addresses."""

from dataclasses import dataclass
from random import Random
from string import ascii_uppercase

from models.training.generator.core.lists import Lists, load
from models.training.generator.facts.countries import Country, fill, make_iban

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
    """A seller or buyer as an invoice prints it."""

    name: str
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

    @property
    def address(self) -> tuple[str, ...]:
        return tuple(line for line in (self.extra, self.street, self.place) if line)

    @property
    def mail(self) -> str:
        return f"info@{self.domain}"


def brand(rng: Random) -> str:
    """A made-up word such as a company calls itself."""
    parts = load("lists", "common")
    middle = rng.choice(parts["brand_middle"]) if rng.random() < 0.75 else ""
    word = rng.choice(parts["brand_start"]) + middle + rng.choice(parts["brand_end"])
    return word.upper() if rng.random() < 0.15 else word


def person_name(people: Lists, rng: Random) -> str:
    return f"{rng.choice(people['first'])} {rng.choice(people['last'])}"


def _core(people: Lists, words: Lists, rng: Random) -> str:
    last, sector = rng.choice(people["last"]), rng.choice(words["sector"])
    shapes = (
        lambda: f"{brand(rng)} {sector}",
        lambda: f"{last} {sector}",
        lambda: f"{sector} {last}",
        lambda: f"{last} & {rng.choice(people['last'])}",
        lambda: f"{brand(rng)}",
        lambda: f"{brand(rng)}",
        lambda: f"{rng.choice(people['city'])} {sector}",
        lambda: f"{''.join(rng.choices(ascii_uppercase, k=rng.randint(2, 4)))} {sector}",
        lambda: f"{person_name(people, rng)} {sector}",
        lambda: f"{brand(rng)} {sector} & {rng.choice(words['sector'])}",
        lambda: f"{brand(rng)} {rng.choice(words['sector'])} {rng.choice(people['city'])}",
        lambda: f"{rng.choice('ABCDEFGHJKLMPRSTVWZ')}. {last} {sector}",
        lambda: f"{last}, {rng.choice(people['last'])} & {rng.choice(people['last'])}",
    )
    return rng.choice(shapes)()


def company_name(country: Country, people: Lists, words: Lists, rng: Random) -> str:
    """A company's name with or without its legal form."""
    if rng.random() < 0.05:
        return f"{brand(rng).lower()}.{rng.choice(('com', 'io', 'net', country.code.lower()))}"
    core = _core(people, words, rng)
    form = rng.choice(country.forms).replace("{last}", rng.choice(people["last"]))
    name = f"{core}{form}" if form.startswith(",") else f"{core} {form}".strip()
    return name.upper() if rng.random() < 0.14 else name


def shop_name(country: Country, people: Lists, words: Lists, rng: Random) -> str:
    """The name over a shop's door."""
    if rng.random() < 0.35:
        return company_name(country, people, words, rng)
    shop, last = rng.choice(words["shop"]), rng.choice(people["last"])
    name = rng.choice(
        (f"{shop} {last}", f"{brand(rng)} {shop}", f"{last} {shop}", f"{shop} {brand(rng)}", brand(rng), f"{last}'s")
    )
    form = rng.choice(country.forms) if rng.random() < 0.3 else ""
    name = f"{name} {form.replace('{last}', last)}".strip()
    return name.upper() if rng.random() < 0.5 else name


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
    slug = "".join(char for char in name.lower().split(" ")[0] if char.isascii() and char.isalnum()) or "kontakt"
    return f"{slug}.{rng.choice((_TLDS.get(country.code, country.code.lower()), 'com'))}"


def make_party(country: Country, language: str, rng: Random, *, kind: str) -> Party:
    """A party; `kind` is `company`, `shop` or `person`."""
    people, words = load("places", country.places or country.code.lower()), load("wordings", language)
    person = person_name(people, rng)
    makers = {"company": company_name, "shop": shop_name}
    name = person if kind == "person" else makers[kind](country, people, words, rng)
    return Party(
        name=name,
        person=person if kind == "person" else person_name(people, rng),
        street=rng.choice(people["street"]),
        place=_place(country, rng.choice(people["city"]), rng),
        country=country,
        phone=fill(country.phone, rng),
        fax=fill(country.phone, rng),
        domain=_domain(name, country, rng),
        vat=fill(country.vat, rng),
        tax_no=fill(country.tax_no, rng),
        iban=make_iban(country, rng),
        bic=fill("????", rng) + country.code + fill("##" if rng.random() < 0.5 else "??XXX", rng),
        bank=rng.choice(load("lists", "common")["bank"]),
        extra=_extra(words, rng),
    )


def _extra(words: Lists, rng: Random) -> str:
    """A line that some addresses have between name and street."""
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
