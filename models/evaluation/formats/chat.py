"""Conversations with pictures, as servers and libraries that tune vision models take them (OpenAI's chat format).

`SET.jsonl` has a conversation about each page: exactly what the adapter `chat` asks, and the answer that is wanted. The
answer leaves out what nobody labelled: a null would teach the model that it is not printed.
"""

import base64
import binascii
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from models.chat.answers import HEADER, LINE, LINES, SUMS
from models.chat.endpoint import Endpoint
from models.chat.question import question, read_prompt
from models.evaluation.formats.record import Exported, Format, FormatError, Imported, ImportOptions
from models.evaluation.formats.splits import append_line, read_lines
from models.evaluation.formats.values import LABELS, truth_of
from serve_app.documents.sniff import JPEG, PNG, sniff

_ENDPOINT = Endpoint(url="http://localhost")
_KEYS = {label: key for key, label in LABELS.items()}
_SUFFIXES = {JPEG: ".jpg", PNG: ".png"}


def read(source: Path, options: ImportOptions) -> Iterator[Imported]:
    """A document for each conversation."""
    files = [source] if source.is_file() else sorted(source.glob("*.jsonl"))
    if not files:
        raise FormatError(f"{source} is no JSONL file, and has none")
    for file in files:
        for number, (place, entry) in enumerate(read_lines(file), start=1):
            try:
                messages = entry["messages"]
                data, texts = _asked(messages)
                answer = json.loads(next(each["content"] for each in messages if each["role"] == "assistant"))
                truth, unclear = truth_of(*_stated(answer), texts, options.order)
            except (ValueError, LookupError, TypeError, AttributeError, StopIteration) as error:
                raise FormatError(
                    f"{place} is no conversation about a picture ({type(error).__name__} {error})"
                ) from error
            name = f"{file.stem}-{number:05}{_SUFFIXES.get(sniff(data) or '', '')}"
            yield Imported(f"{options.name}_{file.stem}", name, data, truth, unclear)


def write(documents: Iterable[Exported], out: Path, endpoint: Endpoint = _ENDPOINT) -> None:
    """A conversation for each page, as a model at this endpoint is asked."""
    prompt = read_prompt(endpoint)
    for each in documents:
        for index, (page, picture) in enumerate(zip(each.pages, each.pictures, strict=True)):
            asked = question(replace(page, picture=picture), prompt, "", endpoint)["messages"]
            answer = json.dumps(_answer(each, index), ensure_ascii=False)
            append_line(
                out / f"{each.case.set}.jsonl", {"messages": [*asked, {"role": "assistant", "content": answer}]}
            )


def _answer(document: Exported, page: int) -> dict[str, Any]:
    """What the page prints, in the order of the adapter's answers; null is what it does not print for certain."""
    here = {(each.key, each.row): each.text for each in document.printed if each.page == page}
    elsewhere = {each.key for each in document.printed if each.row is None} - {key for key, _ in here}
    nowhere = {key for key, value in document.truth.items() if value is None}
    answer: dict[str, Any] = {}
    for name, label in (HEADER | SUMS).items():  # type: ignore[operator]
        key = _KEYS.get(label)
        if key is not None and ((key, None) in here or key in elsewhere | nowhere):
            answer[name] = here.get((key, None))
    rows = sorted({row for _, row in here if row is not None})
    if rows or document.truth.get("line_items") == []:
        answer[LINES] = [
            {name: here[cell] for name, label in LINE.items() if (cell := (_KEYS.get(label, ""), row)) in here}
            for row in rows
        ]
    return answer


def _asked(messages: Iterable[Mapping[str, Any]]) -> tuple[bytes, list[str]]:
    """The picture, and the lines of the page beside it."""
    (content,) = (each["content"] for each in messages if each["role"] == "user")
    (url,) = (part["image_url"]["url"] for part in content if part["type"] == "image_url")
    texts = [line for part in content if part["type"] == "text" for line in part["text"].splitlines()]
    head, _, coded = url.partition(",")
    if not head.startswith("data:image/") or not head.endswith(";base64"):
        raise ValueError(f"the picture is not in the file, but at {url[:80]}")
    try:
        return base64.b64decode(coded, validate=True), texts
    except binascii.Error as error:
        raise ValueError(f"the picture is not in base64: {error}") from error


def _stated(answer: Mapping[str, Any]) -> tuple[dict[str, str | None], list[dict[str, str]] | None]:
    header = {
        _KEYS[label]: answer[name]
        for name, label in (*HEADER.items(), *SUMS.items())
        if label in _KEYS and name in answer
    }
    rows = answer.get(LINES)
    if rows is None:
        return header, None
    return header, [
        {_KEYS[label]: row[name] for name, label in LINE.items() if label in _KEYS and row.get(name)} for row in rows
    ]


FORMAT = Format(read, write, upright=True)
