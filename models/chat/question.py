"""The question about one page: prompt, words, picture, and the form of the answer."""

import base64
import json
from collections.abc import Mapping
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from models.chat.answers import HEADER, LINE, LINES, SUMS
from models.chat.endpoint import Endpoint, Sends
from models.config import ModelConfig, ModelError
from serve_app.domain.document import Page
from serve_app.domain.reading_order import group_lines

PROMPT = Path(__file__).parent / "prompt.md"
# In heights of letters; as for the models that mark columns.
_COLUMN_GAP_HEIGHTS = 1.5
_MOST_LETTERS = 24_000


def read_prompt(endpoint: Endpoint) -> str:
    """The prompt's text. Raises ModelError if there is none."""
    path = endpoint.prompt or PROMPT
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"the prompt {path} cannot be read: {error}") from error


def endpoint_of(config: ModelConfig) -> Endpoint:
    """The endpoint, which the configuration of a chat model has."""
    if config.endpoint is None:
        raise ModelError("the adapter chat needs an endpoint")
    return config.endpoint


def revision_of(config: ModelConfig) -> str:
    """What results call a chat model: the name changes with the question, which changes the answers. Raises
    ModelError if the prompt cannot be read."""
    endpoint = endpoint_of(config)
    asked = json.dumps([read_prompt(endpoint), SCHEMA, endpoint.sends])
    return config.revision or f"{config.checkpoint}@{sha256(asked.encode()).hexdigest()[:8]}"


def question(page: Page, prompt: str, model: str, endpoint: Endpoint) -> dict[str, Any]:
    """The body of the chat request. Raises ValueError for a page without a picture if one is to be sent."""
    content: list[dict[str, Any]] = []
    if endpoint.sends is not Sends.PICTURES:
        content.append({"type": "text", "text": f"The words of the page, line by line:\n\n{page_text(page)}"})
    if endpoint.sends is not Sends.WORDS:
        if page.picture is None:
            raise ValueError(f"page {page.number} has no picture, but the model needs one")
        data = base64.b64encode(page.picture).decode()
        content.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}})
    return {
        "model": model,
        "messages": [{"role": "system", "content": prompt}, {"role": "user", "content": content}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "invoice", "strict": True, "schema": SCHEMA},
        },
        "temperature": 0,
        "max_tokens": endpoint.most_tokens,
        "logprobs": True,
    }


def page_text(page: Page) -> str:
    """The words of a page as lines, with a bar between columns."""
    lines = []
    for line in group_lines([word.box for word in page.words]):
        text = page.words[line[0]].text
        for left, right in pairwise(line):
            text += f"{' | ' if _is_gap(page, left, right) else ' '}{page.words[right].text}"
        lines.append(text)
    return "\n".join(lines)[:_MOST_LETTERS]


def _is_gap(page: Page, left: int, right: int) -> bool:
    before, after = page.words[left].box, page.words[right].box
    height = max(before.height, after.height) * page.height
    return (after.x0 - before.x1) * page.width > _COLUMN_GAP_HEIGHTS * height


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT = {"type": ["string", "null"]}
# In the order in which invoices print them, which is that in which their words are looked for.
SCHEMA = _object(
    {
        **dict.fromkeys(HEADER, _TEXT),
        LINES: {"type": "array", "items": _object(dict.fromkeys(LINE, _TEXT))},
        **dict.fromkeys(SUMS, _TEXT),
    }
)
