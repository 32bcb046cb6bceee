"""LaTeX templates, set by pdfLaTeX."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment, FileSystemLoader

from models.training.templates.facts import FactOptions, Facts, Party
from models.training.templates.registry import template

_SPECIAL = {char: f"\\{char}" for char in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\^{}",
    "\\": r"\textbackslash{}",
}
# What pdfLaTeX's fonts lack.
_MARKS = {"₹": "Rs.", "₺": "TL", "₱": "PHP", "₪": "ILS", "฿": "THB", "₩": "KRW", "€": r"\texteuro{}", "円": "JPY"}


def tex(text: object) -> str:
    """`text` as LaTeX source."""
    return "".join(_MARKS.get(char) or _SPECIAL.get(char, char) for char in str(text))


def typeset(source: str) -> bytes:
    """The PDF of a source; raise CalledProcessError if LaTeX fails."""
    with TemporaryDirectory() as place:
        (Path(place) / "page.tex").write_text(source, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "page.tex"]
        for _ in range(2):
            subprocess.run(command, cwd=place, check=True, capture_output=True, timeout=60)
        return (Path(place) / "page.pdf").read_bytes()


@template(
    "facturization",
    "facturization==0.1.1",
    licence="MIT",
    engine="latex",
    options=FactOptions(latin=True, tax_by_line=True),
)
def facturization(facts: Facts, site: Path, rng: Random) -> bytes:
    environment = Environment(
        loader=FileSystemLoader(site / "facturization"), block_start_string="<%", block_end_string="%>",
        variable_start_string="<<", variable_end_string=">>", autoescape=False,  # noqa: S701 (LaTeX, escaped by `tex`)
    )  # fmt: skip
    filters: dict[str, Callable[..., str]] = {
        "tex": tex, "texblock": tex, "date": facts.day, "money": lambda value: tex(facts.plain(value)),
    }  # fmt: skip
    environment.filters.update(filters)
    source = environment.get_template("template.tex").render(
        fontsize=rng.choice(("10pt", "11pt")), lang="", invoice_number=facts.number, issue_date=facts.issued,
        due_date=facts.due if rng.random() < 0.8 else None, sender=_party(facts.seller), recipient=_party(facts.buyer),
        currency=facts.currency, totals={"net": facts.net, "vat": facts.tax, "gross": facts.total},
        items=[{"description": i.description, "details": [i.details] if i.details and rng.random() < 0.3 else [],
                "quantity": facts.count(i.quantity), "unit_price": i.price, "net": i.total, "rate": facts.rate,
                "vat": i.tax, "gross": i.gross} for i in facts.items],
        payment={"Bank": facts.seller.bank, "IBAN": facts.seller.iban, "BIC": facts.seller.bic}, closingnote=facts.note,
    )  # fmt: skip
    fonts = rng.choice(("helvet", "mathptmx", "mathpazo"))
    sans = r"\renewcommand{\familydefault}{\sfdefault}" if fonts == "helvet" else ""
    # LaTeX's own fonts are pictures of letters where not all of TeX is installed.
    return typeset(
        source.replace(r"\usepackage[T1]{fontenc}", rf"\usepackage[T1]{{fontenc}}\usepackage{{{fonts}}}{sans}")
    )


def _party(party: Party) -> dict[str, Any]:
    return {
        "address": [party.name, party.street, party.place, party.country], "registration": [("VAT", party.vat)],
        "contacts": [("Email", party.mail), ("Phone", party.phone)],
    }  # fmt: skip
