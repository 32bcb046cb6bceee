"""Codes from a CSV file, as ledgers export them."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

from serve_app.domain.chart import USUAL, Chart, ChartCode, Dimension, code_problem
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.folding import folded
from serve_app.domain.plain_text import one_line

MOST_PROBLEMS = 20
"""Of a file: whoever has read so many sees what is wrong."""
_COLUMNS = {
    "code": (
        "code",
        "number",
        "no",
        "nr",
        "account",
        "account code",
        "account number",
        "konto",
        "kontonummer",
        "nummer",
    ),
    "name": ("name", "description", "account name", "full name", "bezeichnung", "kontobezeichnung", "beschriftung"),
    "active": ("active", "status", "aktiv"),
    "dimension": ("dimension",),
}
"""What the columns are called; other columns do not count."""
_INACTIVE = frozenset({"no", "false", "0", "inactive", "archived", "nein", "inaktiv", "n"})
_ACTIVE = frozenset({"", "yes", "true", "1", "active", "ja", "aktiv", "y", "x"})


@dataclass(frozen=True, slots=True)
class CodesFile:
    """The codes of a file by dimension, and what is wrong with it, in the order of its lines."""

    codes: Mapping[str, Sequence[ChartCode]] = field(default_factory=dict)
    problems: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import would do to a dimension. `missing` codes are in the chart and not in the file: they become
    inactive if the file is to replace the dimension, and stay otherwise."""

    key: str
    added: Sequence[ChartCode]
    changed: Sequence[ChartCode]
    unchanged: int
    missing: Sequence[ChartCode]


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, or else the encoding that Windows programs use in the West."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def parse_codes(text: str, dimension: str) -> CodesFile:
    """The codes of a file with a header, separated by commas, semicolons or tabs. `dimension` is that of lines that
    name none."""
    reader = csv.reader(StringIO(text), delimiter=_delimiter(text))
    try:
        columns = _columns_of(next(reader, []))
        if "code" not in columns:
            return CodesFile(problems=["line 1: there is no column `code`, such as `code;name`"])
        return _parsed(((reader.line_num, row) for row in reader), columns, dimension)
    except csv.Error as error:
        return CodesFile(problems=[f"line {reader.line_num}: {error}"])


def _delimiter(text: str) -> str:
    header = text.split("\n", 1)[0]
    return max(",;\t", key=header.count)


def _columns_of(header: Sequence[str]) -> dict[str, int]:
    """Where each known column is; the first one of several."""
    names = [folded(one_line(cell)).strip("* ") for cell in header]
    found = {name: [names.index(each) for each in known if each in names] for name, known in _COLUMNS.items()}
    return {name: places[0] for name, places in found.items() if places}


def _parsed(rows: Iterator[tuple[int, list[str]]], columns: Mapping[str, int], dimension: str) -> CodesFile:
    codes: dict[str, dict[str, ChartCode]] = {}
    problems = []
    for line, row in rows:
        if not any(map(str.strip, row)):
            continue
        cells = {name: one_line(row[place]) if place < len(row) else "" for name, place in columns.items()}
        key = cells.get("dimension") or dimension
        problem = _add(codes.setdefault(key, {}), cells)
        if problem is not None:
            problems.append(f"line {line}: {problem}")
    if not problems and not any(codes.values()):
        problems.append("line 2: there are no codes")
    return CodesFile({key: list(each.values()) for key, each in codes.items()}, problems[:MOST_PROBLEMS])


def _add(codes: dict[str, ChartCode], cells: Mapping[str, str]) -> str | None:
    """Add the code of a line; what is wrong with it."""
    active = folded(cells.get("active", ""))
    if active not in _ACTIVE | _INACTIVE:
        return f"`{cells['active']}` is neither yes nor no"
    code = ChartCode(code=cells["code"], name=cells.get("name", ""), active=active not in _INACTIVE)
    if code.code in codes:
        return f"the code {code.code} is there twice"
    problem = code_problem(code)
    if problem is None:
        codes[code.code] = code
    return problem


def previews_of(chart: Chart, file: CodesFile) -> list[ImportPreview]:
    """What importing the file would do."""
    return [_preview(chart.find(key), key, codes) for key, codes in file.codes.items()]


def _preview(dimension: Dimension | None, key: str, codes: Sequence[ChartCode]) -> ImportPreview:
    known = {each.code: each for each in dimension.codes} if dimension else {}
    new = {each.code for each in codes}
    changed = [each for each in codes if each.code in known and known[each.code] != each]
    return ImportPreview(
        key=key,
        added=[each for each in codes if each.code not in known],
        changed=changed,
        unchanged=sum(known.get(each.code) == each for each in codes),
        missing=[each for each in known.values() if each.code not in new and each.active],
    )


def with_codes(chart: Chart, file: CodesFile, *, replaces: bool) -> Chart:
    """The chart with the codes of the file. Codes that are not in it become inactive if it `replaces` their dimension.
    Raises InvalidParameter."""
    if file.problems:
        raise InvalidParameter(f"{'; '.join(file.problems)}.", "file")
    for key, codes in file.codes.items():
        before = chart.find(key)
        merged = {each.code: _kept(each, replaces) for each in before.codes} if before else {}
        merged |= {each.code: each for each in codes}
        name = before.name if before else USUAL.get(key, key.replace("_", " ").capitalize())
        chart = chart.with_dimension(Dimension(key=key, name=name, codes=list(merged.values())))
    return chart


def _kept(code: ChartCode, replaces: bool) -> ChartCode:
    return code.model_copy(update={"active": False}) if replaces else code
