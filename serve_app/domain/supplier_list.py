"""A list of suppliers that an operator keeps: those that must not be paid, and those whose data are known."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import StringIO

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.invoice import CheckKind, CheckSeverity, Details, Extraction, SupplierCheck
from serve_app.domain.plain_text import one_line, shortened

_IDENTIFIERS = ("tax_number", "iban", "name")
_COLUMNS = frozenset({*_IDENTIFIERS, "status", "note"})
_LONGEST = 200


class ListStatus(StrEnum):
    """`blocked`: not to be paid, such as a sanctioned firm. `known`: other accounts than the listed ones are wrong."""

    BLOCKED = "blocked"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class ListedSupplier:
    """A row. Identifiers are in the form in which they are compared; empty if the row has none."""

    title: str
    name: str
    tax_number: str
    iban: str
    status: ListStatus


class SupplierList:
    """The rows, by what identifies them."""

    def __init__(self, rows: Iterable[ListedSupplier] = ()) -> None:
        self._by: dict[str, dict[str, list[ListedSupplier]]] = {name: defaultdict(list) for name in _IDENTIFIERS}
        for row in rows:
            for name, found in self._by.items():
                if value := getattr(row, name):
                    found[value].append(row)

    def checks(self, extraction: Extraction) -> list[SupplierCheck]:
        """What the list says about the supplier of an invoice."""
        found = (self._blocked(extraction), self._differing(extraction))
        return [check for check in found if check is not None]

    def _blocked(self, extraction: Extraction) -> SupplierCheck | None:
        for name in _IDENTIFIERS:
            for row in self._matching(extraction, name):
                if row.status is ListStatus.BLOCKED:
                    text = f"The supplier's {_WORDS[name]} is on the list of blocked suppliers: {row.title}."
                    return _alert(CheckKind.SUPPLIER_BLOCKED, text)
        return None

    def _differing(self, extraction: Extraction) -> SupplierCheck | None:
        """An account or a tax number that the list does not have for this supplier. The tax number says who it is; only
        without a listed one the name does."""
        rows = self._matching(extraction, "tax_number") or self._matching(extraction, "name")
        known = [row for row in rows if row.status is ListStatus.KNOWN]
        for name in ("iban", "tax_number"):
            value, listed = _value(extraction, name), {getattr(row, name) for row in known} - {""}
            if value and listed and value not in listed:
                text = f"The {_WORDS[name]} is not the one in the list of known suppliers: {known[0].title}."
                return _alert(CheckKind.SUPPLIER_LIST_DIFFERS, text)
        return None

    def _matching(self, extraction: Extraction, name: str) -> list[ListedSupplier]:
        return self._by[name].get(_value(extraction, name), [])


_WORDS = {"tax_number": "tax number", "iban": "bank account", "name": "name"}


def parse_supplier_list(text: str) -> SupplierList:
    """Read a CSV file with a header, separated by commas or semicolons. Raise ValueError that names the line for
    anything else."""
    header = text.split("\n", 1)[0]
    reader = csv.DictReader(StringIO(text), delimiter=";" if header.count(";") > header.count(",") else ",")
    try:
        reader.fieldnames = _columns(reader.fieldnames or ())
        return SupplierList(_rows(reader))
    except csv.Error as error:
        raise ValueError(f"after line {reader.line_num}: {error}") from error


def _columns(names: Iterable[str]) -> list[str]:
    columns = [name.strip().lower() for name in names]
    is_known = _COLUMNS.issuperset(columns) and len(set(columns)) == len(columns)
    if not is_known or set(_IDENTIFIERS).isdisjoint(columns):
        raise ValueError(f"line 1: the columns must be of {', '.join(sorted(_COLUMNS))}")
    return columns


def _rows(reader: "csv.DictReader[str]") -> Iterator[ListedSupplier]:
    for row in reader:
        if None in row or None in row.values():
            raise ValueError(f"line {reader.line_num}: another number of values than columns")
        given = {column: value.strip() for column, value in row.items()}
        if any(given.values()):
            yield _row(given, reader.line_num)


def _row(given: dict[str, str], line: int) -> ListedSupplier:
    name, tax_number, iban = (given.get(column, "") for column in ("name", "tax_number", "iban"))
    key = normalise_vendor(name)
    if not key and not _compact(tax_number) and not _compact(iban):
        raise ValueError(f"line {line}: neither a name nor a tax number nor an IBAN")
    try:
        status = ListStatus(given.get("status", "").lower() or ListStatus.BLOCKED)
    except ValueError as error:
        raise ValueError(f"line {line}: the status must be {' or '.join(ListStatus)}") from error
    title = name or tax_number or iban
    note = given.get("note", "")
    title = shortened(one_line(f"{title} ({note})" if note else title), _LONGEST)
    return ListedSupplier(title, key, _compact(tax_number), _compact(iban), status)


def _value(extraction: Extraction, name: str) -> str:
    """As it is in `ListedSupplier`; empty if the invoice has none."""
    details = extraction.details or Details()
    if name == "name":
        return normalise_vendor(extraction.vendor_name or "")
    return _compact((details.iban if name == "iban" else details.vendor_tax_id) or "")


def _compact(identifier: str) -> str:
    return "".join(filter(str.isalnum, identifier.upper()))


def _alert(kind: CheckKind, text: str) -> SupplierCheck:
    return SupplierCheck(kind=kind, severity=CheckSeverity.ALERT, text=text, since=None, evidence=[])
