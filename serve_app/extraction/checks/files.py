"""Signs in a file itself that somebody changed what it says."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from serve_app.domain.document import Box, Conflict, ConflictKind, Document
from serve_app.domain.invoice import CheckKind, CheckSeverity, Citation, Detail, Extraction, Field, SupplierCheck

# The values of another invoice in a form that is used again: the number is another one, too.
_OF_EACH_INVOICE = (Field.INVOICE_NUMBER,)
_PAID = (Field.AMOUNT, Detail.AMOUNT_DUE)
# Others are named by what is printed, so many of them.
_MOST_OTHERS = 3


class _Found(NamedTuple):
    """A conflict, and the value that it is about, if any."""

    name: Field | Detail | None
    conflict: Conflict


def file_checks(document: Document, extraction: Extraction) -> list[SupplierCheck]:
    """What a person should look at before paying, because the file has two versions of it."""
    found = list(_found(document, extraction))
    checks = (_changed(found), _text_layer(found))
    return [check for check in checks if check is not None]


def _found(document: Document, extraction: Extraction) -> Iterator[_Found]:
    cited = list(_cited(extraction)) if any(page.conflicts for page in document.pages) else []
    for page in document.pages:
        for conflict in page.conflicts:
            box = page.shown(conflict.box)
            names = (name for name, place in cited if place.page == page.number and _is_in(box, place.box))
            yield _Found(next(names, None), conflict)


def _cited(extraction: Extraction) -> Iterator[tuple[Field | Detail, Citation]]:
    of_details = (extraction.details.citations or {}) if extraction.details else {}
    for name, places in chain[tuple[Field | Detail, Citation | list[Citation]]](
        (extraction.citations or {}).items(), of_details.items()
    ):
        if isinstance(places, Citation):
            yield name, places


def _is_in(box: Box, place: tuple[float, float, float, float]) -> bool:
    x0, y0, x1, y1 = place
    return x0 <= box.x_center <= x1 and y0 <= box.y_center <= y1


def _changed(found: list[_Found]) -> SupplierCheck | None:
    """An editor's update of the file replaced values, or added an account to an invoice that asked for its sum
    without."""
    replaced = [each for each in found if each.conflict.kind is ConflictKind.REPLACED]
    if replaced:
        names = {each.name for each in replaced}
        is_alert = names != {None} and names.isdisjoint(_OF_EACH_INVOICE)
        text = f"The file was changed after it was made: {_listed(replaced, 'was')}."
        return _check(CheckKind.FILE_CHANGED, CheckSeverity.ALERT if is_alert else CheckSeverity.NOTICE, text)
    added = {each.name for each in found if each.conflict.kind is ConflictKind.ADDED}
    if Detail.IBAN not in added or not added.isdisjoint(_PAID):
        return None
    text = "The bank account was added to the file after it was made."
    return _check(CheckKind.FILE_CHANGED, CheckSeverity.ALERT, text)


def _text_layer(found: list[_Found]) -> SupplierCheck | None:
    hidden = [each for each in found if each.conflict.kind is ConflictKind.TEXT_LAYER and each.name is not None]
    if not hidden:
        return None
    text = f"The hidden text of the file differs from what its pages show: {_listed(hidden, 'is')}."
    return _check(CheckKind.TEXT_LAYER_DIFFERS, CheckSeverity.NOTICE, text)


def _listed(found: list[_Found], verb: str) -> str:
    """Each value once, with what it is or was in the other version; those of no field only if there are no others."""
    named = {each.name: "" for each in found if each.name is not None}
    for name in named:
        others = [each.conflict.other for each in found if each.name is name]
        named[name] = " ".join(other for other in others if other)
    if named:
        return ", ".join(_worded(name.value.replace("_", " "), other, verb) for name, other in named.items())
    return ", ".join(_worded(each.conflict.text, each.conflict.other, verb) for each in found[:_MOST_OTHERS])


def _worded(name: str, other: str | None, verb: str) -> str:
    return f"{name} ({verb} {other})" if other else name


def _check(kind: CheckKind, severity: CheckSeverity, text: str) -> SupplierCheck:
    return SupplierCheck(kind=kind, severity=severity, text=text, since=None, evidence=[])
