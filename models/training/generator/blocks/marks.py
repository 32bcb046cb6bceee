"""What others add to a page: fax machines, mail programs, browsers, stamps."""

from functools import partial

from models.training.generator.blocks.parties import buyer, seller
from models.training.generator.core.canvas import join
from models.training.generator.core.lists import load, wording
from models.training.generator.core.pen import Pen
from models.training.generator.facts.countries import fill
from serve_app.domain.labels import Label

_SHARE = 0.07
_STAMPED = 0.06
_SCRIPTS = {"AE": "arabic", "JP": "japanese", "HK": "chinese", "SG": "chinese", "MY": "chinese"}
_SCRIPT_SHARE = 0.015
_SCRIPT_SHARES = {"AE": 0.5, "JP": 0.5, "HK": 0.4, "SG": 0.08, "MY": 0.06}


def any_marks(pen: Pen) -> None:
    """Before a document is drawn: mostly nothing, now and then one mark."""
    if pen.chance(_SHARE):
        pen.rng.choice((fax_header, mail_head, browser_print, archive_note))(pen)


def late_marks(pen: Pen) -> None:
    """After it is drawn: now and then a stamp in an empty place."""
    if pen.chance(_STAMPED):
        stamp(pen)


def other_script(pen: Pen) -> None:
    """Words in a script without labels next to the readable ones: behind captions, or on separate lines."""
    country = pen.case.country.code
    if not pen.chance(_SCRIPT_SHARES.get(country, _SCRIPT_SHARE)):
        return
    scripts = load("lists", "scripts")
    words = scripts[_SCRIPTS.get(country) or pen.rng.choice(sorted(scripts))]
    if pen.chance(0.6):
        pen.second_script = words
    for _ in range(pen.rng.randint(0, 3)):
        text = " ".join(pen.rng.sample(words, pen.rng.randint(1, 4)))
        pen.line(text, align=pen.rng.choice(("left", "center", "right")), size=pen.size * pen.rng.choice((1.0, 1.5)))


def _clock(pen: Pen) -> str:
    return f"{pen.rng.randint(0, 23):02}:{pen.rng.randint(0, 59):02}"


def _later(pen: Pen) -> list[tuple[str, Label | None]]:
    return pen.day(pen.case.other_date, Label.OTHER_DATE, short=True)


def fax_header(pen: Pen) -> None:
    """The line that a fax machine prints on every page."""
    phone = fill(pen.case.country.phone, pen.rng)

    def draw(page: int, pages: int) -> None:
        text = join(
            _later(pen), " ", _clock(pen), "   FAX ", [(phone, Label.OTHER_NUMBER)], f"   P.{page:02}/{pages:02}"
        )
        pen.canvas.line(text, pen.left * 0.5, 6, pen.size * 0.8)

    pen.on_finish.append(draw)
    pen.y += 10


def mail_head(pen: Pen) -> None:
    """Sender, recipient, subject and time over a printed mail."""
    start, to, subject, sent = wording(pen.case.language, pen.profile).lists["mail_head"]
    colon = pen.rng.choice((": ", ":  "))
    pen.line(join(f"{start}{colon}", pen.case.seller.mail))
    pen.line(join(f"{sent}{colon}", pen.day(pen.case.issued, Label.OTHER_DATE), " ", _clock(pen)))
    pen.line(join(f"{to}{colon}", pen.case.buyer.mail))
    pen.line(join(f"{subject}{colon}", pen.word("title_invoice"), " ", [(pen.case.number, Label.INVOICE_NUMBER)]))
    pen.skip(1)


def browser_print(pen: Pen) -> None:
    """The date and title on top of a printed web page, its address at the bottom."""
    address = f"https://{pen.case.seller.domain}/{pen.rng.choice(('invoice', 'orders', 'account', 'print'))}?id="
    address += fill("########", pen.rng)

    def draw(page: int, pages: int) -> None:
        pen.canvas.line(join(_later(pen), ", ", _clock(pen)), 24, 10, 7)
        pen.canvas.line(pen.word("title_invoice"), pen.style.width / 2, 10, 7, align="center")
        pen.canvas.line(address, 24, pen.style.height - 14, 7)
        pen.canvas.line(f"{page}/{pages}", pen.style.width - 24, pen.style.height - 14, 7, align="right")

    pen.on_finish.append(draw)


def stamp(pen: Pen) -> None:
    """`RECEIVED 12 MAR 2024` somewhere in the margin, over nothing else."""
    word, number = pen.fresh("stamp"), fill("####", pen.rng)
    x = pen.rng.choice((pen.left, pen.style.width * 0.42, pen.style.width * 0.6))
    y = pen.style.height * 0.94 - 40
    pen.on_finish.append(partial(_draw_stamp, pen, word, number, x, y))


def _draw_stamp(pen: Pen, word: str, number: str, x: float, y: float, page: int, _pages: int) -> None:
    if page != 1 or pen.style.height > 2000:
        return
    near = [ink for ink in pen.canvas.page.inks if y - 14 < ink.y + ink.size and ink.y < y + 32]
    busy = [ink for ink in near if ink.x < x + 140 and ink.x + ink.width > x - 4]
    if not busy:
        pen.canvas.line(word, x, y, 13, bold=True)
        pen.canvas.line(_later(pen), x + 8, y + 15, 11)
        if number > "4":
            pen.canvas.line([(number, Label.OTHER_NUMBER)], x + 80, y + 15, 9)


def archive_note(pen: Pen) -> None:
    """Numbers that an archive or a bookkeeper put on top."""
    text = join([(fill("#### #####", pen.rng), Label.OTHER_NUMBER)])
    if pen.chance(0.5):
        text = join(text, "   ", buyer(pen) if pen.chance(0.3) else pen.fresh("stamp"))
    pen.canvas.line(text, pen.right, 8, pen.size * 0.9, align="right")


def payable_to(pen: Pen) -> None:
    """Whom to pay, far from the head: `Cheques payable to X`."""
    pen.line(join(pen.tagged("account_name"), " ", seller(pen)))
