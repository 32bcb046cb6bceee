"""Conversations about pages, as the adapter `chat` leads them and vision models learn from them."""

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from models.evaluation.formats.record import FormatError
from models.evaluation.formats.splits import read_lines


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages of a question as chat templates take them, their pictures, and the answer that is wanted."""

    messages: list[dict[str, Any]]
    pictures: list[Image.Image]
    answer: str

    @property
    def has_words(self) -> bool:
        """Whether the question has the words of the page, too."""
        parts = [part for message in self.messages if message["role"] == "user" for part in message["content"]]
        return any(part["type"] == "text" for part in parts)

    @property
    def prompt(self) -> str:
        """The instructions."""
        return "".join(message["content"] for message in self.messages if message["role"] == "system")


def read_conversations(source: Path) -> list[Conversation]:
    """Those of a JSONL file, or of all in a folder, as `invoices data export chat` writes them. Raise FormatError if
    there are none."""
    found = [_conversation(place, entry) for file in files_of(source) for place, entry in read_lines(file)]
    if not found:
        raise FormatError(f"{source} has no conversations (`invoices data export chat` writes them)")
    return found


def files_of(source: Path) -> list[Path]:
    """A file, or those of a folder with conversations."""
    return [source] if source.is_file() else sorted(source.glob("*.jsonl"))


def _conversation(place: str, entry: Mapping[str, Any]) -> Conversation:
    try:
        *asked, answer = entry["messages"]
        messages, pictures = as_template(asked)
        return Conversation(messages, pictures, str(answer["content"]))
    except (ValueError, LookupError, TypeError, OSError) as error:
        raise FormatError(f"{place} is no conversation about a picture ({type(error).__name__} {error})") from error


def as_template(messages: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[Image.Image]]:
    """Messages of the protocol as chat templates take them, and the pictures in them."""
    shown, pictures = [], []
    for message in messages:
        content = message["content"]
        if not isinstance(content, str):
            urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
            pictures += [picture_of(base64.b64decode(url.partition("base64,")[2])) for url in urls]
            content = [{"type": "image"} if part["type"] == "image_url" else part for part in content]
        shown.append({"role": message["role"], "content": content})
    return shown, pictures


def picture_of(data: bytes) -> Image.Image:
    """A picture as processors take it."""
    return Image.open(io.BytesIO(data)).convert("RGB")
