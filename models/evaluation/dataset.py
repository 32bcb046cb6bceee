"""A folder of documents with their truth.

`docs/<set>/<file>` is a document and `truth/<set>/<file>.json` its truth: one object, or `{"documents": [...]}` for a
file of several invoices. In a truth, a key that is absent is not scored; null means that the document has no such
value. Keys with an underscore are notes: `_vendor_alt`, `_number_alt`, `_amount_alt` list further accepted values,
`_not_printed` names fields that are nowhere on the page, `_pages` the pages of one invoice of several. `expect` marks a
file without an invoice, and says what should become of it. An optional `MANIFEST.csv` names the `kind` of each file
(columns `set`, `file`, `kind`): figures are given for each kind. It may also name a `group`: files of one group are
nearly identical, so a calibration gives them less weight.
"""

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.evaluation.truth import problem_of
from serve_app.domain.user_error import UserError

Truth = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One file; `truths` has one entry per invoice. For a file without an invoice it is empty, and `expect` says what
    should become of it. `source` names the place that its set, and others, came from."""

    set: str
    path: Path
    truths: tuple[Truth, ...]
    kind: str = "all"
    expect: str | None = None
    group: str | None = None
    source: str = ""

    @property
    def name(self) -> str:
        return f"{self.set}/{self.path.name}"


class DatasetError(UserError):
    """A folder that is not a dataset; the message says what is missing."""


def load_dataset(folder: Path) -> list[Case]:
    """All files of `folder` that have a truth, by name. Raises DatasetError if there are none, or if one cannot be
    used."""
    cases, manifest = [], _manifest(folder / "MANIFEST.csv")
    for truth in sorted((folder / "truth").glob("*/*.json")):
        path = folder / "docs" / truth.parent.name / truth.name.removesuffix(".json")
        if not path.is_file():
            raise DatasetError(f"{truth} has no document {path}")
        content = _content(truth)
        row = manifest.get((truth.parent.name, path.name), {})
        truths, expect = _truths(truth, content), content.get("expect")
        set_, group = truth.parent.name, row.get("group") or None
        source = row.get("source") or set_.partition("_")[0]
        cases.append(Case(set_, path, truths, row.get("kind", "all"), expect, group, source))
    if not cases:
        raise DatasetError(f"{folder} contains no truth/<set>/<file>.json")
    return cases


def _manifest(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    if not path.is_file():
        return {}
    with path.open(newline="") as file:
        return {(row["set"], row["file"]): row for row in csv.DictReader(file)}


def _content(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text())
    except ValueError as error:
        raise DatasetError(f"{path} is not valid JSON: {error}") from error
    return content


def _truths(path: Path, content: dict[str, Any]) -> tuple[Truth, ...]:
    if "expect" in content:
        return ()
    truths = content.get("documents", [content])
    if problem := next(filter(None, map(problem_of, truths)), None):
        raise DatasetError(f"{path}: {problem}")
    return tuple({"doc_type": content.get("doc_type"), **truth} for truth in truths)
