"""Till receipts on a grid of letters: many layouts that the base is taught, and one that it is not."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

SIDE = 12
"""Rows of a receipt, and letters in a row."""
CELL = 14
"""Pixels of a letter on each side: a patch of the picture's network."""
LETTERS = " ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,-/:#%"
FIELDS = ("seller", "invoice_number", "issue_date", "tax", "total")
"""In the order of the adapter's answers."""
_CAPTIONS = {
    "seller": ("", "BY", "FROM"),
    "invoice_number": ("NO", "INV", "BILL", "REF", "#"),
    "issue_date": ("DATE", "DAY", "ON", "OF"),
    "tax": ("TAX", "VAT", "GST", "TX"),
    "total": ("TOTAL", "SUM", "PAY", "DUE"),
}
_PRINTED = 0.9
"""The share of values that a receipt prints."""
_CONSONANTS, _VOWELS = "BCDFGHJKLMNPQRSTVWXZ", "AEIOUY"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The letters of each row, and the printed values by field."""

    rows: tuple[str, ...]
    values: Mapping[str, str]

    @property
    def letters(self) -> str:
        """Row by row, with all blanks."""
        return "".join(row.ljust(SIDE) for row in self.rows)

    def picture(self) -> bytes:
        """A PNG with one letter in each cell."""
        sheet = Image.new("L", (SIDE * CELL, SIDE * CELL), 255)
        draw = ImageDraw.Draw(sheet)
        for y, row in enumerate(self.rows):
            for x, letter in enumerate(row):
                draw.text(((x + 0.5) * CELL, (y + 0.5) * CELL), letter, fill=0, font_size=CELL - 2, anchor="mm")
        data = io.BytesIO()
        sheet.save(data, "PNG")
        return data.getvalue()


Draw = Callable[[Random], Receipt]


def taught(random: Random, rows: int = SIDE) -> Receipt:
    """A receipt of a layout of its own: captions, places, order and formats are drawn at random. Some values are not
    printed; the fewer rows, the more. There are two rows at least."""
    date = random.choice(("{d}.{m}.{y}", "{d}-{m}-{y}", "{y}-{m}-{d}", "{m}.{d}.20{y}"))
    values = {
        "seller": _name(random, 3),
        "invoice_number": _number(random),
        "issue_date": _date(random, date),
        "tax": _amount(random, 2000, "."),
        "total": _amount(random, 1_000_000, "."),
    }
    blocks: list[list[str]] = []
    printed: dict[str, str] = {}
    free = rows
    for field in random.sample(FIELDS, len(FIELDS)):
        block = _block(random, random.choice(_CAPTIONS[field]), values[field])
        if len(block) <= free and (not printed or random.random() < _PRINTED):
            blocks.insert(0 if field == "seller" else len(blocks), block)
            printed[field] = values[field]
            free -= len(block)
    for _ in range(random.randint(0, free)):
        blocks.insert(random.randint(1, len(blocks)), [_filler(random, ".")])
    return Receipt(_spread(random, blocks, rows), {field: printed[field] for field in FIELDS if field in printed})


def untaught(random: Random) -> Receipt:
    """A receipt of one supplier with captions, formats and an order that no taught receipt has."""
    values = {
        "seller": _name(random, 3),
        "invoice_number": f"{random.randint(0, 9999):04}/{random.randint(20, 29)}",
        "issue_date": _date(random, "{d}/{m}/{y}"),
        "tax": _amount(random, 2000, ","),
        "total": _amount(random, 1_000_000, ","),
    }
    blocks = [
        ["BETRAG EUR", values["total"].rjust(SIDE)],
        [_justified("MWST", values["tax"])],
        *([_filler(random, ",")] for _ in range(random.randint(1, 3))),
        [f"VOM {values['issue_date']}"],
        [_justified("ZL", values["invoice_number"])],
        [f"HAUS {values['seller']}"],
    ]
    return Receipt(_spread(random, blocks, SIDE), values)


def _spread(random: Random, blocks: list[list[str]], rows: int) -> tuple[str, ...]:
    """The rows of the blocks in order, with blank rows anywhere."""
    spread = [*blocks]
    for _ in range(rows - sum(map(len, blocks))):
        spread.insert(random.randint(0, len(spread)), [""])
    return tuple(row for block in spread for row in block)


def _block(random: Random, caption: str, value: str) -> list[str]:
    """A caption and its value, in one row or in two."""
    colon = caption + random.choice(("", "", ":")) if caption else ""
    if not caption:
        return [random.choice((value, value.center(SIDE).rstrip()))]
    if len(colon) + 1 + len(value) > SIDE or random.random() < 0.15:
        return [colon, random.choice((value, value.rjust(SIDE)))]
    return [random.choice((f"{colon} {value}", _justified(colon, value)))]


def _justified(left: str, right: str) -> str:
    return left + right.rjust(SIDE - len(left))


def _filler(random: Random, point: str) -> str:
    """A row without a value: goods, an address, a telephone number, thanks."""
    word = _name(random, random.randint(1, 2))
    return random.choice(
        (
            word,
            f"{word} {_name(random, 2)}"[:SIDE],
            _justified(word, _amount(random, 2000, point)),
            f"{random.randint(1, 199)} {word} {random.choice(('ST', 'RD'))}"[:SIDE],
            f"TEL {random.randint(10_000, 9_999_999)}",
            f"{random.randint(2, 9)} {random.choice('X/%')} {word}",
        )
    )


def _name(random: Random, syllables: int) -> str:
    """A word that can be spoken."""
    return "".join(random.choice(_CONSONANTS) + random.choice(_VOWELS) for _ in range(syllables)) + random.choice(
        ("", random.choice(_CONSONANTS))
    )


def _number(random: Random) -> str:
    digits = str(random.randint(100, 999_999))
    return random.choice((digits, digits, f"{random.choice(_CONSONANTS)}{digits}", f"{digits[:3]}-{digits[-2:]}"))


def _date(random: Random, form: str) -> str:
    day, month, year = random.randint(1, 28), random.randint(1, 12), random.randint(20, 29)
    return form.format(d=f"{day:02}", m=f"{month:02}", y=year)


def _amount(random: Random, limit: int, point: str) -> str:
    """An amount below a limit in cents; small ones are as frequent as large ones."""
    cents = round(limit ** random.uniform(0.6, 1))
    whole, part = divmod(cents, 100)
    grouped = f"{whole:,}" if point == "." else f"{whole:,}".replace(",", ".")
    return f"{grouped}{point}{part:02}"
