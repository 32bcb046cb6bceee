"""The values of own fields of an invoice, under their names among all fields: `custom.plate` is one of the whole
invoice, `line.2.custom.lot` one of its second line."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from serve_app.domain.invoice import CustomValue, Extraction

OF_INVOICE = "custom."
OF_LINES = "line.custom."
"""How own fields of lines begin where a line is not named, such as in exports."""
_CELL = re.compile(r"line\.([1-9][0-9]{0,3})\.custom\.(.+)", re.ASCII)
_NOTHING = CustomValue()

E = TypeVar("E", bound=Extraction)


def own_field_name(name: str, line: int | None = None) -> str:
    """The name among all fields of an own field, or of its value on a line (from 1)."""
    return f"{OF_INVOICE}{name}" if line is None else f"line.{line}.{OF_INVOICE}{name}"


def own_name(name: str) -> str:
    """The name of an own field, given its name among all fields; empty for other fields."""
    if name.startswith(OF_INVOICE):
        return name.removeprefix(OF_INVOICE)
    found = _CELL.fullmatch(name)
    return found[2] if found else ""


def line_of(name: str) -> int | None:
    """The line (from 1) whose value it is; None for fields of the whole invoice."""
    found = _CELL.fullmatch(name)
    return int(found[1]) if found else None


def own_value(invoice: Extraction, name: str) -> CustomValue:
    """The value of an own field, given its name among all fields; an empty one if the invoice lacks it."""
    line = line_of(name)
    if line is None:
        return invoice.custom.get(own_name(name), _NOTHING)
    return invoice.line_items[line - 1].custom.get(own_name(name), _NOTHING) if has_line(invoice, line) else _NOTHING


def with_own_value(invoice: E, name: str, value: CustomValue) -> E:
    """The invoice with this value; the same one if it has no such line."""
    line = line_of(name)
    if line is None:
        return invoice.model_copy(update={"custom": invoice.custom | {own_name(name): value}})
    if not has_line(invoice, line):
        return invoice
    items = list(invoice.line_items)
    item = items[line - 1]
    items[line - 1] = item.model_copy(update={"custom": item.custom | {own_name(name): value}})
    return invoice.model_copy(update={"line_items": items})


def has_line(invoice: Extraction, line: int) -> bool:
    """Whether the invoice has so many lines."""
    return line <= len(invoice.line_items)


def each_own_value(invoice: E, change: Callable[[str, CustomValue], CustomValue]) -> E:
    """The invoice with each value as it is changed, given its name among all fields."""
    update: dict[str, Any] = {}
    if invoice.custom:
        update["custom"] = {name: change(own_field_name(name), each) for name, each in invoice.custom.items()}
    if any(item.custom for item in invoice.line_items):
        update["line_items"] = [
            item.model_copy(
                update={
                    "custom": {name: change(own_field_name(name, line), each) for name, each in item.custom.items()}
                }
            )
            for line, item in enumerate(invoice.line_items, 1)
        ]
    return invoice.model_copy(update=update) if update else invoice


def own_values(invoice: Extraction) -> Mapping[str, CustomValue]:
    """All values of own fields, by their names among all fields."""
    return dict(_own_values(invoice))


def _own_values(invoice: Extraction) -> Iterator[tuple[str, CustomValue]]:
    for name, value in invoice.custom.items():
        yield own_field_name(name), value
    for number, item in enumerate(invoice.line_items, 1):
        for name, value in item.custom.items():
            yield own_field_name(name, number), value
