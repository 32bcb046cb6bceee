"""The adapter `chat` with a real vision language model behind a server, which learnt a few generated pages by heart."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.adapters.chat_server import VisionModel, chat_server
from benchmarks.adapters.steps import serve
from benchmarks.adapters.vision import Example, write_vision_model
from models.chat.answers import HEADER, LINES, SUMS
from models.chat.endpoint import Endpoint
from models.chat.question import question, read_prompt
from models.chat.trial import trial_page
from models.loading import ModelConfig, load_model
from models.training.conversations import as_template
from models.training.drawn import with_drawings
from models.training.generator import generate_validation
from models.training.labelled import Labelled, LabelledDocument
from models.training.sample import Sample
from models.training.validation import validate
from serve_app.domain.document import Document, Page
from serve_app.domain.labels import Label

NAME = "tiny-llava"
_PAGES = 4
_MOST_STEPS = 300
_TRIAL = {"invoice_number": "4711", "total": "1,190.00"}


def measure(folder: Path) -> dict[str, Any]:
    """Teach, serve and ask."""
    samples = [sample for seed in range(20) if (sample := generate_validation(seed)).is_invoice][:_PAGES]
    endpoint = Endpoint(url="http://127.0.0.1:1/v1", sends="pictures")
    pages = [with_drawings(sample.document).pages[0] for sample in samples]
    answers = [written(_TRIAL), *(written(values_of(sample)) for sample in samples)]
    examples = [example(page, answer, endpoint) for page, answer in zip([trial_page(), *pages], answers, strict=True)]
    learnt = write_vision_model(folder / NAME, examples, most_steps=_MOST_STEPS)
    model = VisionModel(folder / NAME)
    with chat_server(model) as url:
        config = {"adapter": "chat", "checkpoint": NAME, "endpoint": {"url": url, "sends": "pictures"}}
        row = serve(config, [Document((page,)) for page in pages])
        scores = validate(load_model(ModelConfig.model_validate(config)), [_first_page(each) for each in samples])
    losses = {"first_loss": learnt.first_loss, "last_loss": learnt.last_loss, "documents_a_second": 0.0}
    return {**row, **losses, "steps": learnt.steps, "parameters": model.parameters, "f1": scores.overall}


def example(page: Page, answer: str, endpoint: Endpoint) -> Example:
    """What the adapter asks about the page, and the answer to learn."""
    messages, _ = as_template(question(page, read_prompt(endpoint), NAME, endpoint)["messages"])
    assert page.picture is not None
    return Example(page.picture, messages, answer)


def written(values: dict[str, str]) -> str:
    """An answer in the wanted form."""
    return json.dumps({**dict.fromkeys(HEADER), LINES: [], **dict.fromkeys(SUMS), **values}, ensure_ascii=False)


def values_of(sample: Sample) -> dict[str, str]:
    """The first value of each label on the first page, as it is printed."""
    page, tags = sample.document.pages[0], sample.tags[0]
    return {key: text for key, label in {**HEADER, **SUMS}.items() if (text := _text(page, tags, label))}


def _text(page: Page, tags: Sequence[str], label: Label) -> str:
    words: list[str] = []
    for word, tag in zip(page.words, tags, strict=True):
        if tag == (f"I-{label}" if words else f"B-{label}"):
            words.append(word.text)
        elif words:
            break
    return " ".join(words)


def _first_page(sample: Sample) -> Labelled:
    drawn = with_drawings(sample.document)
    return LabelledDocument(drawn.section(1, 1), sample.tags[:1])
