"""A real vision language model behind a server: what a stand-in's script cannot show. It is tiny, and has learnt three
pages by heart."""

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import numpy as np
import pytest
from PIL import Image, ImageDraw

from benchmarks.adapters.chat import example, written
from benchmarks.adapters.chat_server import VisionModel, chat_server
from benchmarks.adapters.vision import write_vision_model
from models.chat.endpoint import Endpoint
from models.chat.question import SCHEMA
from models.chat.trial import trial_page
from models.config import ModelConfig, ModelError
from models.loading import load_model
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.labels import TAGS
from serve_app.domain.reading import Reading
from tests.support.checkpoints import write_text_checkpoint

pytestmark = pytest.mark.slow

WORDS = ("Bolt", "Works", "No.", "A-17", "Total", "88.40", "Cogs", "Inc.", "R/2031", "12.00")
BOLTS = {"seller": "Bolt Works", "invoice_number": "A-17", "total": "88.40"}
COGS = {"seller": "Cogs Inc.", "invoice_number": "R/2031", "total": "12.00"}


def page_with(draw: tuple[int, int, int, int]) -> Page:
    """Both pages print the same words; what is drawn tells them apart."""
    picture = Image.new("L", (595, 842), 255)
    ImageDraw.Draw(picture).rectangle(draw, fill=0)
    data = io.BytesIO()
    picture.save(data, "PNG")
    words = tuple(Word(text, Box(0.1, 0.05 * row, 0.3, 0.05 * row + 0.03)) for row, text in enumerate(WORDS, 1))
    return Page(1, 595.0, 842.0, words, picture=data.getvalue())


BOLT_PAGE, COG_PAGE = page_with((40, 500, 560, 800)), page_with((40, 40, 300, 400))


@pytest.fixture(scope="module")
def prompt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short, so that learning takes seconds."""
    path = tmp_path_factory.mktemp("prompt") / "prompt.md"
    path.write_text("Copy the values of the invoice.")
    return path


@pytest.fixture(scope="module")
def model(prompt: Path, tmp_path_factory: pytest.TempPathFactory) -> VisionModel:
    folder = tmp_path_factory.mktemp("llava")
    endpoint = Endpoint.model_validate({"url": "http://127.0.0.1:1/v1", "sends": "pictures", "prompt": prompt})
    pages = {"trial": trial_page(), "bolts": BOLT_PAGE, "cogs": COG_PAGE}
    answers = {"trial": {"invoice_number": "4711", "total": "1,190.00"}, "bolts": BOLTS, "cogs": COGS}
    write_vision_model(folder, [example(page, written(answers[name]), endpoint) for name, page in pages.items()])
    return VisionModel(folder)


@pytest.fixture
def asked() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def url(model: VisionModel, asked: list[dict[str, Any]]) -> Iterator[str]:
    with chat_server(model, asked) as url:
        yield url


def config(url: str, prompt: Path, **changes: Any) -> ModelConfig:
    endpoint = {"url": url, "sends": "pictures", "prompt": str(prompt), "tries": 1, "seconds": 30}
    return ModelConfig.model_validate(
        {"adapter": "chat", "checkpoint": "tiny", "endpoint": endpoint | changes.pop("endpoint", {}), **changes}
    )


def found(reading: Reading, page: Page) -> dict[str, str]:
    """The words of each label."""
    texts: dict[str, str] = {}
    for word, row in zip(page.words, reading.pages[0].scores, strict=True):
        tag = TAGS[int(np.argmax(row))]
        if tag != "O":
            texts[tag[2:]] = f"{texts.get(tag[2:], '')} {word.text}".strip()
    return texts


def test_the_picture_decides_what_is_read(url: str, prompt: Path) -> None:
    reader = load_model(config(url, prompt))
    bolts, cogs = reader.read([Document((BOLT_PAGE,)), Document((COG_PAGE,))])
    assert found(bolts, BOLT_PAGE) == {"SELLER": "Bolt Works", "INVOICE_NUMBER": "A-17", "TOTAL": "88.40"}
    assert found(cogs, COG_PAGE) == {"SELLER": "Cogs Inc.", "INVOICE_NUMBER": "R/2031", "TOTAL": "12.00"}
    scores = bolts.pages[0].scores[0]
    assert 0.9 < scores.max() < 1, "the model's own probability, which is not the one of servers that tell none"


def test_the_model_is_shown_the_page_and_answers_in_the_wanted_form(
    model: VisionModel, url: str, prompt: Path, asked: list[dict[str, Any]]
) -> None:
    load_model(config(url, prompt)).read([Document((BOLT_PAGE,))])
    body = asked[-1]
    (part,) = body["messages"][1]["content"]
    assert part["image_url"]["url"].startswith("data:image/png;base64,")
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    text = model.complete(body)["choices"][0]["message"]["content"]
    jsonschema_rs.validate(SCHEMA, json.loads(text))


def test_what_the_model_invents_is_no_value(url: str, prompt: Path) -> None:
    """It sees the one page's picture, and the words are another's."""
    other = replace(
        BOLT_PAGE, words=tuple(Word(text, Box(0.1, 0.1, 0.2, 0.12)) for text in ("Quite", "other", "words"))
    )
    (reading,) = load_model(config(url, prompt)).read([Document((other,))])
    assert found(reading, other) == {}


def test_random_weights_are_refused(prompt: Path, tmp_path: Path) -> None:
    write_vision_model(tmp_path, [])
    with (
        chat_server(VisionModel(tmp_path)) as url,
        pytest.raises(ModelError, match="cannot be used: the model"),
    ):
        load_model(config(url, prompt, endpoint={"most_tokens": 64}))


def test_the_fallback_reads_when_the_server_has_gone(model: VisionModel, prompt: Path, tmp_path: Path) -> None:
    bundled = {"adapter": "text_tokens", "checkpoint": str(write_text_checkpoint(tmp_path)), "revision": "bundled"}
    with chat_server(model) as url:
        reader = load_model(config(url, prompt, fallback=bundled))
        (reading,) = reader.read([Document((BOLT_PAGE,))])
        assert reading.revision != "bundled"
    (reading,) = reader.read([Document((BOLT_PAGE,))])
    assert reading.revision == "bundled"
