"""DocILE (Šimsa et al., 2023): PDFs with the text and place of each header value and cell.

`annotations/ID.json` has `field_extractions` and `line_item_extractions` (`fieldtype`, `text`, `bbox` in fractions,
`page` from 0, `line_item_id`) and `metadata`; `pdfs/ID.pdf` is the document, `SPLIT.json` lists the ids of a split.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from models.evaluation.formats.record import UNLABELLED, Exported, Format, FormatError, Imported, ImportOptions, Printed
from models.evaluation.formats.splits import bound, read_file, read_json, write_json, write_picture
from models.evaluation.formats.values import truth_of, without
from serve_app.documents.sniff import PDF, sniff

# What is sought first comes first.
_FIELDS = {
    "vendor_name": ("vendor_name",),
    "invoice_number": ("document_id",),
    "amount": ("amount_total_gross", "amount_due"),
    "currency": ("currency_code_amount_due",),
    "issued_at": ("date_issue",),
    "due_at": ("date_due",),
    "tax": ("amount_total_tax",),
}
_CELLS = {
    "description": ("line_item_description",),
    "quantity": ("line_item_quantity",),
    "unit_price": ("line_item_unit_price_net", "line_item_unit_price_gross"),
}
_TYPES = {"tax_invoice": "invoice", "utility_bill": "invoice", "credit_note": "credit_note", "receipt": "receipt"}
_DPI = 200 / 72


def read(source: Path, options: ImportOptions) -> Iterator[Imported]:
    """Header values and line items of each document."""
    if not (source / "annotations").is_dir():
        raise FormatError(f"{source} has no folder annotations")
    sets = _splits(source, options.name)
    for file in sorted((source / "annotations").glob("*.json")):
        content = read_json(file)
        try:
            header, rows = _texts(content)
            metadata = content["metadata"]
            kind = _TYPES.get(metadata.get("document_type"))
        except (LookupError, TypeError, AttributeError) as error:
            raise FormatError(f"{file} is not as DocILE describes it: {type(error).__name__} {error}") from error
        # A sign on the page may be that of several currencies.
        if (code := str(metadata.get("currency", "other"))) != "other":
            header["currency"] = code.upper()
        truth, unclear = truth_of(*without(header, rows, metadata.get(UNLABELLED, ())), (), options.order)
        data = read_file(source / "pdfs", f"{file.stem}.pdf", str(file))
        set_ = sets.get(file.stem, options.name)
        yield Imported(set_, f"{file.stem}.pdf", data, {**truth, "doc_type": kind}, unclear)


def write(documents: Iterable[Exported], out: Path) -> None:
    """PDFs (pictures become one), each value that a page prints, and a list of ids for each set."""
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for each in documents:
        name = f"{each.case.set}_{each.stem}"
        ids[each.case.set].append(name)
        pdf = each.data if sniff(each.data) == PDF else bound(each.pictures)
        write_picture(out / "pdfs" / f"{name}.pdf", pdf)
        write_json(out / "annotations" / f"{name}.json", _annotation(each))
    for set_, names in ids.items():
        write_json(out / f"{set_}.json", names)


def _splits(source: Path, name: str) -> dict[str, str]:
    lists = ((path.stem, read_json(path)) for path in sorted(source.glob("*.json")))
    return {str(id_): f"{name}_{split}" for split, ids in lists if isinstance(ids, list) for id_ in ids}


def _texts(content: Mapping[str, Any]) -> tuple[dict[str, str | None], list[dict[str, str | None]]]:
    """The texts of the header and of each row; None is what is not labelled, because DocILE labels all."""
    rows: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for cell in content["line_item_extractions"]:
        rows[cell["line_item_id"]].append(cell)
    header = _chosen(content["field_extractions"], _FIELDS)
    return header, [_chosen(rows[row], _CELLS) for row in sorted(rows)]


def _chosen(found: Iterable[Mapping[str, Any]], wanted: Mapping[str, tuple[str, ...]]) -> dict[str, str | None]:
    texts: dict[str, str] = {}
    for each in found:
        if each.get("text"):
            texts.setdefault(each["fieldtype"], " ".join(str(each["text"]).split()))
    return {key: next((texts[kind] for kind in kinds if kind in texts), None) for key, kinds in wanted.items()}


def _annotation(document: Exported) -> dict[str, Any]:
    kinds = {ours: name for name, ours in reversed(_TYPES.items())}
    metadata = {
        "page_count": len(document.pages),
        "page_sizes_at_200dpi": [[round(page.width * _DPI), round(page.height * _DPI)] for page in document.pages],
        "document_type": kinds.get(document.truth.get("doc_type") or "invoice", "other"),
        "currency": str(document.truth.get("currency") or "other").lower(),
        UNLABELLED: document.unlabelled(),
        "original_filename": document.case.path.name,
        "source": document.case.source or document.case.set,
    }
    header = [_field(document, each) for each in document.printed if each.row is None]
    cells = [
        {**_field(document, each), "line_item_id": each.row + 1} for each in document.printed if each.row is not None
    ]
    return {
        "field_extractions": header, "line_item_extractions": cells, "line_item_headers": [], "metadata": metadata
    }  # fmt: skip


def _field(document: Exported, value: Printed) -> dict[str, Any]:
    box = document.box(value)
    kinds = _FIELDS if value.row is None else _CELLS
    return {
        "fieldtype": kinds[value.key][0], "text": value.text, "page": value.page,
        "bbox": [round(edge, 5) for edge in (box.x0, box.y0, box.x1, box.y1)],
    }  # fmt: skip


FORMAT = Format(read, write)
