"""The settings of a format as fields of a form, and back. The model of the settings says which there are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from starlette.datastructures import FormData

from serve_app.domain.errors import InvalidParameter
from serve_app.services.exports.formats.base import Format
from serve_app.services.exports.settings import LedgerSettings


class Kind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "choice"
    PAIRS = "pairs"
    """A line for each: a name, an equals sign, and what it stands for."""


@dataclass(frozen=True, slots=True)
class FormField:
    """`name` is the name of the setting; `value` is what the form shows."""

    name: str
    kind: Kind
    label: str
    value: str
    hint: str = ""
    options: tuple[str, ...] = ()
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that are shown together. It is closed where the last export has settings and nothing is to be entered."""

    title: str
    fields: list[FormField]
    is_open: bool


_HINTS = {
    "expense_accounts": "Vendor = account, one per line.",
    "vendor_accounts": "Vendor = account, one per line.",
    "tax_codes": "Rate in percent = code, one per line, such as 19 = 9.",
    "columns": "Title = source, one per line, such as Supplier = vendor.",
}
_COLUMNS = "columns"


def fields_of(model: type[BaseModel], settings: Mapping[str, Any]) -> list[FormField]:
    """The fields, with these settings in them."""
    return [_field(name, info, settings.get(name, info.get_default())) for name, info in model.model_fields.items()]


def groups_of(format: Format[Any], settings: Mapping[str, Any], *, is_open: bool = False) -> list[Group]:
    """What only this format has, then the accounts and codes that all have. `is_open`: show them all."""
    fields = fields_of(format.settings, settings)
    common = LedgerSettings.model_fields
    groups = {
        f"Settings of {format.title}": [field for field in fields if field.name not in common],
        "Accounts and tax codes": [field for field in fields if field.name in common],
    }
    return [
        Group(title, found, is_open or any(field.is_required and not field.value for field in found))
        for title, found in groups.items()
        if found
    ]


def settings_in(model: type[BaseModel], form: FormData) -> dict[str, Any]:
    """The settings that a form has; the model checks them. Raises InvalidParameter for a line without an equals
    sign."""
    found: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        kind, text = _kind(info), str(form.get(name) or "").strip()
        if kind is Kind.FLAG:
            found[name] = bool(text)
        elif kind is Kind.PAIRS:
            pairs = list(_pairs(name, text))
            is_list = name == _COLUMNS
            found[name] = [{"title": key, "source": value} for key, value in pairs] if is_list else dict(pairs)
        elif text:
            found[name] = int(text) if kind is Kind.NUMBER and text.isdecimal() else text
    return found


def _field(name: str, info: FieldInfo, value: Any) -> FormField:
    kind = _kind(info)
    label = name.replace("_", " ").removeprefix("is ").removeprefix("has ").capitalize()
    shown = _lines(value) if kind is Kind.PAIRS else _shown(value)
    options = tuple(str(each) for each in get_args(info.annotation)) if kind is Kind.CHOICE else ()
    return FormField(name, kind, label, shown, _HINTS.get(name, ""), options, info.is_required())


def _kind(info: FieldInfo) -> Kind:
    annotation = info.annotation
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) is Literal:
        return Kind.CHOICE
    if get_origin(annotation) in (dict, list):
        return Kind.PAIRS
    if annotation is bool:
        return Kind.FLAG
    return Kind.NUMBER if annotation is int else Kind.TEXT


def _shown(value: Any) -> str:
    """Empty for what must be entered."""
    if isinstance(value, bool):
        return "yes" if value else ""
    return str(value) if isinstance(value, str | int) else ""


def _lines(value: Any) -> str:
    if isinstance(value, Mapping):
        return "\n".join(f"{key} = {each}" for key, each in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "\n".join(f"{each['title']} = {each['source']}" for each in value)
    return ""


def _pairs(name: str, text: str) -> Iterable[tuple[str, str]]:
    for line in text.splitlines():
        if not line.strip():
            continue
        # The last sign: a title or a vendor may contain one.
        key, has_sign, value = line.rpartition("=")
        if not has_sign or not key.strip():
            raise InvalidParameter(f"{name.replace('_', ' ')}: write “{line.strip()}” as name = value.", name)
        yield key.strip(), value.strip()
