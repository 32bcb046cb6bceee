"""Label Studio: tasks with pictures of pages, on which people mark and write values.

`tasks.json` lists tasks: `data` (`pages`: addresses of the pictures, `file`: the document itself), `annotations` by
people, and `predictions` by models. Each value is a rectangle with a label, in percent of the picture, and a text of
the same `id`. `config.xml` is the project's labelling interface.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote, unquote
from xml.sax.saxutils import quoteattr

from models.evaluation.formats.record import (
    CELLS,
    UNLABELLED,
    Exported,
    Format,
    FormatError,
    Imported,
    ImportOptions,
    Printed,
)
from models.evaluation.formats.splits import bound, read_file, read_json, size_of, write_json, write_picture
from models.evaluation.formats.values import LABELS, truth_of, without
from serve_app.domain.document import Box

TASKS, CONFIG = "tasks.json", "config.xml"
_PICTURES, _FILES = "pictures", "files"
# Where Label Studio serves files of the folder that LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT names.
_LOCAL = "/data/local-files/?d="
_HEADER = tuple(key for key in LABELS if key not in CELLS)


def read(source: Path, options: ImportOptions) -> Iterator[Imported]:
    """The documents that somebody annotated. What has no rectangle is not printed."""
    files = [source] if source.is_file() else sorted(source.glob("*.json"))
    if not files:
        raise FormatError(f"{source} is no JSON file, and has none")
    for file in files:
        tasks = read_json(file)
        if not isinstance(tasks, list):
            raise FormatError(f"{file} is no list of tasks: export the project as JSON, not as JSON-MIN or CSV")
        for number, task in enumerate(tasks, start=1):
            place = f"{file}, task {number}"
            try:
                results = _annotation(task)
                if results is not None:
                    yield _imported(file.parent, task, results, place, options)
            except (LookupError, TypeError, AttributeError) as error:
                raise FormatError(
                    f"{place} is not as Label Studio writes it: {type(error).__name__} {error}"
                ) from error


def write(documents: Iterable[Exported], out: Path) -> None:
    """Documents, pictures, tasks and the labelling interface."""
    out.mkdir(parents=True, exist_ok=True)
    tasks = [_task(each, out) for each in documents]
    write_json(out / TASKS, tasks)
    (out / CONFIG).write_text(_config(), encoding="utf-8")


def _task(document: Exported, out: Path) -> dict[str, Any]:
    set_ = document.case.set
    names = [f"{_PICTURES}/{set_}/{document.stem}-{n}.jpg" for n in range(1, len(document.pictures) + 1)]
    for name, picture in zip(names, document.pictures, strict=True):
        write_picture(out / name, picture)
    file = f"{_FILES}/{set_}/{document.case.path.name}"
    write_picture(out / file, document.data)
    pages = [_LOCAL + quote(f"{out.resolve().name}/{name}") for name in names]
    truth = {key: document.truth[key] for key in ("doc_type", "currency") if key in document.truth}
    task: dict[str, Any] = {
        "data": {"pages": pages, "file": file, "set": set_, **truth, UNLABELLED: document.unlabelled()}
    }
    if document.case.truths:
        task["annotations"] = [{"result": list(_results(document, document.printed)), "ground_truth": True}]
    if document.predicted is not None:
        task["predictions"] = [{"model_version": "invoices", "result": list(_results(document, document.predicted))}]
    return task


def _results(document: Exported, values: Sequence[Printed]) -> Iterator[dict[str, Any]]:
    for number, value in enumerate(values):
        width, height = size_of(document.pictures[value.page])
        box = document.box(value)
        place = {
            "x": 100 * box.x0, "y": 100 * box.y0, "width": 100 * box.width, "height": 100 * box.height, "rotation": 0
        }  # fmt: skip
        both = {
            "id": f"value{number}", "to_name": "page", "item_index": value.page, "original_width": width,
            "original_height": height, "image_rotation": 0,
        }  # fmt: skip
        label = {**place, "rectanglelabels": [value.key]}
        yield {**both, "from_name": "label", "type": "rectanglelabels", "value": label}
        yield {**both, "from_name": "text", "type": "textarea", "value": {**place, "text": [value.text]}}


def _config() -> str:
    labels = "\n".join(f"    <Label value={quoteattr(key)}/>" for key in LABELS)
    return f"""<View>
  <RectangleLabels name="label" toName="page">
{labels}
  </RectangleLabels>
  <Image name="page" valueList="$pages" zoom="true"/>
  <TextArea name="text" toName="page" perRegion="true" required="true" editable="true" displayMode="region-list"/>
</View>
"""


def _annotation(task: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """What the last person to annotate a task marked; None if nobody did."""
    done = [each for each in task.get("annotations") or [] if not each.get("was_cancelled")]
    return done[-1]["result"] if done else None


def _imported(
    folder: Path, task: Mapping[str, Any], results: Sequence[Mapping[str, Any]], place: str, options: ImportOptions
) -> Imported:
    data = task["data"]
    header, rows = _stated(results)
    if "currency" in data and "currency" not in header:
        header["currency"] = data["currency"]
    texts = {key: header.get(key) for key in _HEADER}
    # Of a document that people labelled before, except where somebody has marked it since.
    blank = [key for key in data.get(UNLABELLED, ()) if key not in header]
    truth, unclear = truth_of(*without(texts, rows, blank), (), options.order)
    name, content = _document(folder, data, place)
    kind = {"doc_type": data["doc_type"]} if "doc_type" in data else {}
    return Imported(f"{options.name}_{data.get('set', 'tasks')}", name, content, {**truth, **kind}, unclear)


def _document(folder: Path, data: Mapping[str, Any], place: str) -> tuple[str, bytes]:
    """The document itself, if the task names it; else the pictures of its pages, in the order of the task."""
    if "file" in data:
        return PurePosixPath(data["file"]).name, read_file(folder, data["file"], place)
    pages = data.get("pages") or [data["image"]]
    names = [PurePosixPath(unquote(page.removeprefix(_LOCAL))) for page in pages]
    found = [read_file(folder, _beside(folder, name), place) for name in names]
    return (names[0].name, found[0]) if len(found) == 1 else (f"{names[0].stem}.pdf", bound(found))


def _beside(folder: Path, name: PurePosixPath) -> PurePosixPath:
    """The path within the folder: Label Studio's begins at the folder that it serves."""
    parts = name.parts
    return next((path for n in range(len(parts)) if (folder / (path := PurePosixPath(*parts[n:]))).is_file()), name)


def _stated(results: Sequence[Mapping[str, Any]]) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The texts of the header, and those of each row: a cell belongs to the description that is nearest in height."""
    texts = {each["id"]: " ".join(each["value"]["text"]) for each in results if each["type"] == "textarea"}
    regions = [
        (each["value"]["rectanglelabels"][0], texts.get(each["id"], ""), _box(each))
        for each in results
        if each["type"] == "rectanglelabels"
    ]
    header: dict[str, str] = {}
    for key, text, _ in regions:
        if key in _HEADER:
            header.setdefault(key, text)
    heads = sorted((box for key, _, box in regions if key == CELLS[0]), key=lambda box: box.y0)
    rows: list[dict[str, str]] = [{} for _ in heads]
    for key, text, box in regions:
        if key in CELLS and heads:
            nearest = min(range(len(heads)), key=lambda row: abs(heads[row].y0 - box.y0))
            rows[nearest].setdefault(key, text)
    return header, rows


def _box(result: Mapping[str, Any]) -> Box:
    """The place of a rectangle; pages follow each other downwards."""
    value, page = result["value"], 100 * result.get("item_index", 0)
    x, y = value["x"], value["y"] + page
    return Box(x, y, x + value["width"], y + value["height"])


FORMAT = Format(read, write, unlabelled=True)
