"""The parts of a workbook as text (Office Open XML, ECMA-376 part 1, SpreadsheetML)."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from xml.sax.saxutils import escape

from serve_app.domain.plain_text import one_line
from serve_app.services.csv.cells import Value

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

SHEET_BEGINS = (
    f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2"'
    ' activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'
)
"""Of a sheet whose first row stays in view."""
SHEET_ENDS = "</sheetData></worksheet>"

_DATE_STYLE, _MOMENT_STYLE = 1, 2
_MOST_CHARACTERS = 32_767
# Sheets count days from here; they take 1900 for a leap year, so it holds from March 1900 on.
_EPOCH = date(1899, 12, 30)
_DAY = timedelta(days=1)
# Spreadsheets read `_x0041_` as a character by its number.
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_XML = re.compile("[\ufffe\uffff]")


def row_xml(number: int, values: Sequence[Value]) -> str:
    """A row, counted from 1. Every text stays a text: none becomes a formula, a link or a number."""
    cells = "".join(_cell(f"{_letters(column)}{number}", value) for column, value in enumerate(values))
    return f'<row r="{number}">{cells}</row>'


def _cell(place: str, value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return f'<c r="{place}" t="b"><v>{value:d}</v></c>'
        case Decimal():
            return f'<c r="{place}"><v>{value:f}</v></c>'
        case int() | float():
            return f'<c r="{place}"><v>{value}</v></c>'
        case datetime():
            # Without a time zone, as sheets have none: UTC.
            at = value.astimezone(UTC)
            days = (at.date() - _EPOCH) / _DAY + timedelta(hours=at.hour, minutes=at.minute, seconds=at.second) / _DAY
            return f'<c r="{place}" s="{_MOMENT_STYLE}"><v>{days:.9f}</v></c>'
        case date():
            return f'<c r="{place}" s="{_DATE_STYLE}"><v>{(value - _EPOCH).days}</v></c>'
        case _:
            return f'<c r="{place}" t="inlineStr"><is><t>{_text(str(value))}</t></is></c>'


def _text(text: str) -> str:
    return escape(_ESCAPED.sub("_x005F_", _NOT_XML.sub("\ufffd", one_line(text))[:_MOST_CHARACTERS]))


def _letters(column: int) -> str:
    """The name of a column, counted from 0: A, B, ..., Z, AA."""
    before, last = divmod(column, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


def other_parts(sheets: Sequence[str]) -> dict[str, str]:
    """What a workbook has beside its sheets, by name in the package; the sheets are given by their titles."""
    numbered = list(enumerate(sheets, start=1))
    types = "".join(f'<Override PartName="/{sheet_name(n)}" ContentType="{_TYPE}.worksheet+xml"/>' for n, _ in numbered)
    links = "".join(_link(f"rId{n}", "worksheet", sheet_name(n).removeprefix("xl/")) for n, _ in numbered)
    listed = "".join(f'<sheet name="{escape(title)}" sheetId="{n}" r:id="rId{n}"/>' for n, title in numbered)
    return {
        "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>{types}</Types>',
        "_rels/.rels": _links(_link("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/_rels/workbook.xml.rels": _links(links + _link(f"rId{len(sheets) + 1}", "styles", "styles.xml")),
        "xl/workbook.xml": f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}">'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/styles.xml": _STYLES,
    }


def sheet_name(number: int) -> str:
    """The name of a sheet in the package, counted from 1."""
    return f"xl/worksheets/sheet{number}.xml"


def _link(name: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{name}" Type="{_DOCUMENT}/{kind}" Target="{target}"/>'


def _links(links: str) -> str:
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'


_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>'
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
