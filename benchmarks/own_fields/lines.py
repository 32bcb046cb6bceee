"""`python -m benchmarks.own_fields.lines [OUT]`: the same of own fields on lines, such as the unit of a quantity.

`lines.json` has the values of the line items in the truths of the handwritten pages. The rows are where their
descriptions are printed, so that nothing depends on how well the models find lines.
"""

import argparse
import json
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from benchmarks.own_fields.__main__ import DRAWS, EXAMPLES, HERE, Count, cell_of, read_page
from benchmarks.own_fields.variants import another, variant
from serve_app.domain.evidence import Evidence
from serve_app.domain.invoice import Citation, CustomValue, LineItem
from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType
from serve_app.domain.own_field_example import OwnFieldExample
from serve_app.extraction.own_fields.find_lines import find_on_lines
from serve_app.extraction.own_fields.learn import row_place_of
from serve_app.extraction.own_fields.page_lines import Line, Pages
from serve_app.extraction.own_fields.rows import Row, rows_of

TRUTHS = HERE.parent / "handwritten" / "truth"
FIELDS = {
    name: OwnField(name=name, label=label, type=OwnFieldType.TEXT, scope=OwnFieldScope.LINE)
    for name, label in (("article_number", "Article number"), ("unit", "Unit"))
}
_POINTED = 2
"""On so many lines of an invoice somebody points at the value."""
_WORDS = 3


@dataclass(frozen=True, slots=True)
class Invoice:
    """The words of an invoice, its lines, and the values of each field on them."""

    evidence: Evidence
    items: list[LineItem]
    places: list[Citation | None]
    values: dict[str, list[str | None]]
    example: OwnFieldExample


@dataclass(slots=True)
class Figures:
    counts: dict[tuple[str, str, int], Count] = field(default_factory=dict)

    def measure(self, whose: str, number: int, name: str, invoice: Invoice, examples: list[OwnFieldExample]) -> None:
        keys = invoice.example.keys
        found = find_on_lines([FIELDS[name]], invoice.evidence, keys, examples, invoice.items, invoice.places)[name]
        for wanted, value in zip(invoice.values[name], found, strict=True):
            for title in (name, "all"):
                count = self.counts.setdefault((whose, title, number), Count())
                if wanted is not None:
                    count.add(CustomValue(value=wanted), value)
                else:
                    count.wrong += value is not None

    def print(self) -> None:
        for whose in ("vendor", "others"):
            print(f"\n| {whose} | values | " + " | ".join(f"{n} examples" for n in EXAMPLES) + " |")
            print("| --- | ---: |" + " ---: |" * len(EXAMPLES))
            for name in (*FIELDS, "all"):
                counts = [self.counts[whose, name, number] for number in EXAMPLES]
                print(f"| {name} | {counts[0].values} | " + " | ".join(map(cell_of, counts)) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.own_fields.lines", description=__doc__)
    parser.add_argument("out", type=Path, nargs="?", default=Path("build/own_fields"))
    parser.add_argument("--wrong", action="store_true", help="list what is wrong or missing")
    options = parser.parse_args()
    truth: dict[str, dict[str, list[str | None]]] = json.loads((HERE / "lines.json").read_text())
    invoices = {name: _invoices(options.out, name, values) for name, values in truth.items()}
    figures = Figures()
    for name, of_vendor in invoices.items():
        for title in of_vendor[0].values:
            for number in EXAMPLES:
                taught = [each.example for each in of_vendor[1 : number + 1]][::-1]
                figures.measure("vendor", number, title, of_vendor[0], taught)
                others = [each[0] for other, each in invoices.items() if other != name and title in each[0].values]
                for draw in range(DRAWS):
                    rng = Random(f"{name} {title} {draw}")  # noqa: S311 - the same draws for everybody
                    drawn = [each.example for each in rng.sample(others, min(number, len(others)))]
                    figures.measure("others", number, title, of_vendor[0], drawn)
            if options.wrong:
                _print_wrong(name, title, of_vendor)
    print(f"{len(invoices)} pages")
    figures.print()


def _print_wrong(name: str, title: str, of_vendor: list[Invoice]) -> None:
    first, taught = of_vendor[0], [each.example for each in of_vendor[1:2]]
    found = find_on_lines([FIELDS[title]], first.evidence, first.example.keys, taught, first.items, first.places)[title]
    values = [each and each.value for each in found]
    if values != first.values[title]:
        print(title, name, "wanted", first.values[title], "found", values, taught[0].rows.get(title))


def _invoices(out: Path, name: str, values: dict[str, list[str | None]]) -> list[Invoice]:
    """The page, and further invoices of its vendor."""
    evidence = read_page(out, name)
    truth = json.loads(next(TRUTHS.glob(f"{name}*.json")).read_text())
    items = [_item(each) for each in truth["line_items"]]
    return [_invoice(name, evidence, items, values, number) for number in range(max(EXAMPLES) + 1)]


def _item(row: dict[str, Any]) -> LineItem:
    numbers = {name: _exact(row.get(name)) for name in ("quantity", "unit_price", "total", "tax_rate")}
    return LineItem(description=row["description"], confidence=None, **numbers)


def _exact(value: float | str | None) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def _invoice(
    name: str, evidence: Evidence, items: list[LineItem], values: dict[str, list[str | None]], number: int
) -> Invoice:
    printed = {title: _printed(Pages(evidence), items, column) for title, column in values.items()}
    changed: dict[tuple[int, int], str] = {}
    for title, column in printed.items() if number and "article_number" in values else ():
        for row, words in enumerate(column if title == "article_number" else ()):
            texts = another(title, [word.text for word in words], number, f"{name} {row}")
            page = _page_of(Pages(evidence), items, row)
            changed |= {(page, word.number): text for word, text in zip(words, texts, strict=True)}
    made = variant(evidence, changed, number, name)
    pages = Pages(made)
    places = _places(pages, items)
    rows = rows_of(pages, items, places)
    found: dict[str, list[str | None]] = {}
    taught = {}
    for title, column in printed.items():
        cited = [_cited(pages, row, words) for row, words in zip(rows, column, strict=True)]
        if not any(cited):
            continue
        found[title] = [each.text if each else None for each in cited]
        pointed = [at for at, each in enumerate(cited) if each][:_POINTED]
        taught[title] = [
            row_place_of(pages, rows[at], CustomValue(value=found[title][at], citation=cited[at])) for at in pointed
        ]
    return Invoice(made, items, places, found, OwnFieldExample(uuid4(), (f"name:{name}",), {}, rows=taught))


def _page_of(pages: Pages, items: list[LineItem], row: int) -> int:
    place = _places(pages, items)[row]
    return 1 if place is None else place.page


def _cited(pages: Pages, row: Row | None, words: Line) -> Citation | None:
    if row is None or not words:
        return None
    by_number = {word.number: word for line in row.page.lines for word in line}
    found = row.page.citation([by_number[word.number] for word in words])
    return found.model_copy(update={"text": found.text.strip(".,;: ")})


def _printed(pages: Pages, items: list[LineItem], column: list[str | None]) -> list[Line]:
    """The words of each value in its row; none where it is not printed as a whole."""
    rows = rows_of(pages, items, _places(pages, items))
    return [_in_row(row, value) for row, value in zip(rows, column, strict=True)]


def _in_row(row: Row | None, value: str | None) -> Line:
    wanted = (value or "").split()
    if row is None or not wanted:
        return []
    for number in row.lines:
        line = row.page.lines[number]
        for start in range(len(line) - len(wanted) + 1):
            if [word.text for word in line[start : start + len(wanted)]] == wanted:
                return line[start : start + len(wanted)]
    return []


def _places(pages: Pages, items: list[LineItem]) -> list[Citation | None]:
    """Where the descriptions are printed, each below the one before."""
    found: list[Citation | None] = []
    after = (0, -1)
    for item in items:
        place = _after(pages, (item.description or "").split()[:_WORDS], after)
        found.append(None if place is None else place[1])
        after = place[0] if place else after
    return found


def _after(pages: Pages, wanted: list[str], after: tuple[int, int]) -> tuple[tuple[int, int], Citation] | None:
    for number, page in pages.by_number.items():
        for at, line in enumerate(page.lines):
            for start in range(len(line) - len(wanted) + 1) if wanted and (number, at) > after else ():
                words = line[start : start + len(wanted)]
                if [word.text for word in words] == wanted:
                    return (number, at), page.citation(words)
    return None


if __name__ == "__main__":
    main()
