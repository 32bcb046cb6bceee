"""`python -m benchmarks.own_fields [OUT]`: how often values of own fields are right after so many pointed examples, on
other invoices of the vendor and on those of others.

Each handwritten page has one invoice of its vendor; the others are made of its words (`variants`). Pages are read as
HTML; their words are kept in OUT.
"""

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from uuid import uuid4

from benchmarks.own_fields.variants import another, variant
from serve_app.documents.reader import read_document
from serve_app.domain.evidence import Evidence, pack, unpack
from serve_app.domain.invoice import CustomValue
from serve_app.domain.own_field import OwnField, OwnFieldType
from serve_app.domain.own_field_example import OwnFieldExample
from serve_app.extraction.confidence.kept_evidence import words_of
from serve_app.extraction.own_fields.find import FoundValue, find_own_fields
from serve_app.extraction.own_fields.learn import place_of
from serve_app.extraction.own_fields.page_lines import Line, Pages
from serve_app.extraction.own_fields.printed_values import printed_at

HERE = Path(__file__).parent
PAGES = HERE.parent / "handwritten" / "docs"
EXAMPLES = (0, 1, 3, 5)
DRAWS = 5
"""Of other vendors' examples, for each document."""
FIELDS = {
    each.name: each
    for each in (
        OwnField(name="delivery_date", label="Delivery date", type=OwnFieldType.DATE),
        OwnField(name="contract_number", label="Contract number", type=OwnFieldType.TEXT),
        OwnField(name="meter_reading", label="Meter reading", type=OwnFieldType.NUMBER),
        OwnField(name="licence_plate", label="Licence plate", type=OwnFieldType.TEXT),
        OwnField(name="contact", label="Contact", type=OwnFieldType.TEXT),
    )
}


@dataclass(frozen=True, slots=True)
class Document:
    """An invoice: the words of its pages, and where each value is printed."""

    name: str
    evidence: Evidence
    values: dict[str, CustomValue]
    example: OwnFieldExample


@dataclass(slots=True)
class Count:
    """Values, and what was found of them."""

    values: int = 0
    right: int = 0
    agreed: int = 0
    right_agreed: int = 0
    wrong: int = 0

    def add(self, wanted: CustomValue, found: FoundValue | None) -> None:
        is_right = found is not None and found.value == wanted.value
        self.values += 1
        self.right += is_right
        self.wrong += found is not None and not is_right
        if found is not None and found.is_agreed:
            self.agreed += 1
            self.right_agreed += is_right


@dataclass(slots=True)
class Figures:
    counts: dict[tuple[str, str, int], Count] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def measure(self, whose: str, number: int, name: str, document: Document, examples: list[OwnFieldExample]) -> None:
        began = time.process_time()
        found = find_own_fields([FIELDS[name]], document.evidence, document.example.keys, examples)
        self.seconds.append(time.process_time() - began)
        for title in (name, "all"):
            self.counts.setdefault((whose, title, number), Count()).add(document.values[name], found.get(name))

    def print(self) -> None:
        for whose in ("vendor", "others"):
            print(f"\n| {whose} | values | " + " | ".join(f"{n} examples" for n in EXAMPLES) + " |")
            print("| --- | ---: |" + " ---: |" * len(EXAMPLES))
            for name in (*FIELDS, "all"):
                counts = [self.counts[whose, name, number] for number in EXAMPLES]
                cells = [cell_of(each) for each in counts]
                print(f"| {name} | {counts[0].values} | " + " | ".join(cells) + " |")
        ordered = sorted(self.seconds)
        print(f"\nprocessor time of a field: median {1000 * ordered[len(ordered) // 2]:.2f} ms, ", end="")
        print(f"95 %: {1000 * ordered[int(0.95 * len(ordered))]:.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.own_fields", description=__doc__)
    parser.add_argument("out", type=Path, nargs="?", default=Path("build/own_fields"))
    parser.add_argument("--wrong", action="store_true", help="list what is wrong or missing")
    options = parser.parse_args()
    documents = _documents(options.out)
    figures = Figures()
    for name, invoices in documents.items():
        for title in invoices[0].values:
            for number in EXAMPLES:
                taught = [each.example for each in invoices[1 : number + 1]][::-1]
                figures.measure("vendor", number, title, invoices[0], taught)
                for draw in range(DRAWS):
                    others = [each[0] for other, each in documents.items() if other != name and title in each[0].values]
                    rng = Random(f"{name} {title} {draw}")  # noqa: S311 - the same draws for everybody
                    drawn = [each.example for each in rng.sample(others, min(number, len(others)))]
                    figures.measure("others", number, title, invoices[0], drawn)
            if options.wrong:
                _print_wrong(title, invoices)
    figures.print()


def _print_wrong(title: str, invoices: list[Document]) -> None:
    taught = [each.example for each in invoices[1:4]][::-1]
    found = find_own_fields([FIELDS[title]], invoices[0].evidence, invoices[0].example.keys, taught).get(title)
    if found is None or found.value != invoices[0].values[title].value:
        position = invoices[1].example.places[title].position
        print(title, invoices[0].name, "wanted", invoices[0].values[title].value, "found", found, position)


def cell_of(count: Count) -> str:
    """The share of right values; in brackets those on which both ways agree, and wrong ones."""
    agreed = f"{_share(count.right_agreed, count.agreed)} of {count.agreed}"
    return f"{_share(count.right, count.values)} ({agreed}; wrong {_share(count.wrong, count.values)})"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


def _documents(out: Path) -> dict[str, list[Document]]:
    truth = json.loads((HERE / "truth.json").read_text())
    found = {}
    for name, texts in truth.items():
        evidence = read_page(out, name)
        places = {title: _place(Pages(evidence), text) for title, text in texts.items()}
        printed = {title: place for title, place in places.items() if place is not None}
        if missing := set(texts) - set(printed):
            print(f"{name}: not printed as a whole: {', '.join(missing)}")
        if printed:
            found[name] = [_document(name, evidence, printed, number) for number in range(max(EXAMPLES) + 1)]
    return found


def read_page(out: Path, name: str) -> Evidence:
    """The words of a page, kept in a file: reading takes a second."""
    path = out / f"{name}.evidence"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        read = read_document((PAGES / f"{name}.html").read_bytes())
        path.write_bytes(pack(Evidence(tuple(words_of(page) for page in read.pages))))
    evidence = unpack(path.read_bytes())
    assert evidence is not None
    return evidence


def _document(name: str, evidence: Evidence, printed: dict[str, tuple[int, Line]], number: int) -> Document:
    changed: dict[tuple[int, int], str] = {}
    for title, (page, words) in printed.items() if number else ():
        texts = another(title, [word.text for word in words], number, name)
        changed |= {(page, word.number): text for word, text in zip(words, texts, strict=True)}
    evidence = variant(evidence, changed, number, name)
    pages = Pages(evidence)
    values = {title: _value(FIELDS[title], pages, page, words) for title, (page, words) in printed.items()}
    places = {title: place_of(pages, value) for title, value in values.items()}
    return Document(name, evidence, values, OwnFieldExample(uuid4(), (f"name:{name}",), places))


def _place(pages: Pages, text: str) -> tuple[int, Line] | None:
    wanted = [each.strip(".,;:()") for each in text.split()]
    for number, page in pages.by_number.items():
        for line in page.lines:
            for start in range(len(line) - len(wanted) + 1):
                words = line[start : start + len(wanted)]
                if [word.text.strip(".,;:()") for word in words] == wanted:
                    return number, words
    return None


def _value(field: OwnField, pages: Pages, number: int, printed: Line) -> CustomValue:
    page = pages.by_number[number]
    by_index = {word.number: word for line in page.lines for word in line}
    words = [by_index[word.number] for word in printed]
    found = printed_at(field, words, pages, Counter())
    if field.type is OwnFieldType.TEXT or found is None:
        return CustomValue(value=" ".join(word.text for word in words).strip(".,;: "), citation=page.citation(words))
    return CustomValue(value=found.value, citation=page.citation(words))


if __name__ == "__main__":
    main()
