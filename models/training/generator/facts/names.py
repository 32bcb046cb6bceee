"""What companies, shops and people call themselves.

A name is given as its printed parts: most have one, some stand on two lines ("A & B", "trading as C").
The patterns are in `wordings/*.txt`; `//` parts the lines.
"""

from random import Random
from string import Formatter, ascii_uppercase

from models.training.generator.core.lists import Lists, load
from models.training.generator.facts.countries import Country

Parts = tuple[str, ...]
_PATTERN_SHARE = 0.4


def brand(rng: Random) -> str:
    """A made-up word for a company name."""
    parts = load("lists", "common")
    if rng.random() < 0.12:
        return "".join(rng.choices(ascii_uppercase, k=rng.randint(2, 4)))
    middle = rng.choice(parts["brand_middle"]) if rng.random() < 0.75 else ""
    word = rng.choice(parts["brand_start"]) + middle + rng.choice(parts["brand_end"])
    draw = rng.random()
    if draw < 0.15:
        return word.upper()
    if draw < 0.2:
        return word.lower()
    return f"{word} {rng.choice(parts['brand_start'])}" if draw < 0.26 else word


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


def _patterned(pattern: str, country: Country, people: Lists, words: Lists, rng: Random) -> Parts:
    """A pattern with its blanks filled in and empty parts dropped."""
    makers = {
        "first": lambda: rng.choice(people["first"]),
        "last": lambda: rng.choice(people["last"]),
        "last2": lambda: rng.choice(people["last"]),
        "city": lambda: rng.choice(people["city"]),
        "brand": lambda: brand(rng),
        "sector": lambda: rng.choice(words["sector"]),
        "shop": lambda: rng.choice(words["shop"]),
        "form": lambda: rng.choice(country.forms).replace("{last}", rng.choice(people["last"])).strip(", "),
        "n": lambda: str(rng.randint(2, 10 ** rng.choice((2, 3, 4)))),
    }
    values = {name: makers[name]() for _, name, _, _ in Formatter().parse(pattern) if name}
    parts = (" ".join(part.split()) for part in pattern.format(**values).split("//"))
    return tuple(part for part in parts if part)


def company_name(country: Country, people: Lists, words: Lists, rng: Random) -> Parts:
    """A company's name with or without its legal form."""
    draw = rng.random()
    if draw < 0.05:
        return (f"{brand(rng).split()[0].lower()}.{rng.choice(('com', 'io', 'net', country.code.lower()))}",)
    if draw < 0.05 + _PATTERN_SHARE:
        return _cased(_patterned(rng.choice(words["name_patterns"]), country, people, words, rng), 0.12, rng)
    core = _core(people, words, rng)
    form = rng.choice(country.forms).replace("{last}", rng.choice(people["last"]))
    return _cased((f"{core}{form}" if form.startswith(",") else f"{core} {form}".strip(),), 0.14, rng)


def shop_name(country: Country, people: Lists, words: Lists, rng: Random) -> Parts:
    """The name over a shop's door."""
    draw = rng.random()
    if draw < 0.25:
        return company_name(country, people, words, rng)
    if draw < 0.65:
        return _cased(_patterned(rng.choice(words["shop_patterns"]), country, people, words, rng), 0.5, rng)
    shop, last = rng.choice(words["shop"]), rng.choice(people["last"])
    name = rng.choice(
        (f"{shop} {last}", f"{brand(rng)} {shop}", f"{last} {shop}", f"{shop} {brand(rng)}", brand(rng), f"{last}'s")
    )
    form = rng.choice(country.forms) if rng.random() < 0.3 else ""
    return _cased((f"{name} {form.replace('{last}', last)}".strip(),), 0.5, rng)


def practice_name(country: Country, people: Lists, words: Lists, rng: Random) -> Parts:
    """A person's own business: the bare name, or the name with a title or trade."""
    if rng.random() < 0.6:
        return (person_name(people, rng),)
    own = [pattern for pattern in words["name_patterns"] if "{last}" in pattern and "{form}" not in pattern]
    return _patterned(rng.choice(own), country, people, words, rng)


def _cased(parts: Parts, share: float, rng: Random) -> Parts:
    return tuple(part.upper() for part in parts) if rng.random() < share else parts
