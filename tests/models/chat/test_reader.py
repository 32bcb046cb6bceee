"""A chat model reads pages as any model does, and a server that misbehaves never makes a value that is not there."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.chat.breaker import Breaker
from models.chat.client import ChatClient, ChatFailure
from models.chat.endpoint import Endpoint
from models.chat.reader import ChatReader, chat_model
from models.config import Adapter, ModelConfig, ModelError
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.labels import TAGS
from serve_app.domain.reading import PageReading, Reading
from tests.models.chat.stand_in import (
    TRIAL,
    Script,
    answers,
    breaks_off,
    completion,
    drips,
    floods,
    hangs_up,
    in_turn,
    serving,
    stalls,
    written,
)

LINES = ["Akme Ltd. Invoice 4711", "Bolts 2 30.00 60.00", "Total € 1,190.00"]
Serve = Callable[..., tuple[Script, Endpoint]]


def page(lines: list[str], number: int = 1) -> Page:
    words = tuple(
        Word(text, Box(0.1 + 0.1 * column, 0.1 + 0.05 * row, 0.17 + 0.1 * column, 0.12 + 0.05 * row))
        for row, line in enumerate(lines)
        for column, text in enumerate(line.split())
    )
    return Page(number, 595.0, 842.0, words)


DOCUMENT = Document((page(LINES),))


class Fallback:
    """Finds nothing."""

    revision = "bundled-1"
    sha256 = ""
    needs_pictures = False

    def read(self, documents: Any) -> list[Reading]:
        def nothing(count: int) -> PageReading:
            scores = np.zeros((count, len(TAGS)), np.float32)
            scores[:, 0] = 1
            return PageReading(scores)

        return [
            Reading(self.revision, TAGS, tuple(nothing(len(page.words)) for page in document.pages))
            for document in documents
        ]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts a server that behaves so; returns what it was asked, and where it is."""
    with ExitStack() as stack:

        def start(behave: Callable[[BaseHTTPRequestHandler, int], None], **changes: Any) -> tuple[Script, Endpoint]:
            script = Script(behave)
            url = stack.enter_context(serving(script))
            return script, Endpoint.model_validate({"url": url, "sends": "words", "seconds": 5} | changes)

        yield start


def config_of(endpoint: Endpoint, **changes: Any) -> ModelConfig:
    return ModelConfig(adapter=Adapter.CHAT, checkpoint="acme/vl-2", endpoint=endpoint, **changes)


def reader_of(
    endpoint: Endpoint,
    fallback: Any = None,
    breaker: Breaker | None = None,
    sleep: Callable[[float], None] = lambda _: None,
) -> ChatReader:
    return ChatReader(config_of(endpoint), ChatClient(endpoint, sleep=sleep), fallback, breaker)


def found(reading: Reading, document: Document = DOCUMENT) -> dict[str, str]:
    """The words by label, of labels that are likelier than not."""
    texts: dict[str, str] = {}
    for printed, scores in zip(document.pages, reading.pages, strict=True):
        for word, row in zip(printed.words, scores.scores, strict=True):
            tag = TAGS[int(row.argmax())]
            if tag != "O":
                texts[tag[2:]] = f"{texts.get(tag[2:], '')} {word.text}".strip()
    return texts


GOOD = {
    "seller": "Akme Ltd.",
    "invoice_number": "4711",
    "currency": "€",
    "lines": [{"description": "Bolts", "quantity": "2", "unit_price": "30.00", "total": "60.00"}],
    "total": "1,190.00",
}
READ = {
    "SELLER": "Akme Ltd.",
    "INVOICE_NUMBER": "4711",
    "CURRENCY": "€",
    "LINE_DESCRIPTION": "Bolts",
    "LINE_QUANTITY": "2",
    "LINE_UNIT_PRICE": "30.00",
    "LINE_TOTAL": "60.00",
    "TOTAL": "1,190.00",
}


def test_values_are_found_again_among_the_words(serve: Serve) -> None:
    script, endpoint = serve(answers(completion(written(GOOD))))
    reader = reader_of(endpoint)
    (reading,) = reader.read([DOCUMENT])
    assert found(reading) == READ
    assert reading.revision == reader.revision
    assert reader.revision.startswith("acme/vl-2@")
    assert script.texts() == [
        "The words of the page, line by line:\n\nAkme Ltd. Invoice 4711\nBolts 2 30.00 60.00\nTotal € 1,190.00"
    ]
    assert script.asked[0]["response_format"]["json_schema"]["strict"] is True


def test_scores_come_from_the_probabilities_of_its_tokens(serve: Serve) -> None:
    _, endpoint = serve(answers(completion(written({"total": "1,190.00"}), probability=math.log(0.7))))
    (reading,) = reader_of(endpoint).read([DOCUMENT])
    assert reading.pages[0].scores.max(axis=0)[TAGS.index("B-TOTAL")] == pytest.approx(0.7, abs=1e-6)


def test_without_probabilities_all_values_are_equally_likely(serve: Serve) -> None:
    _, endpoint = serve(answers(completion(written(GOOD))))
    (reading,) = reader_of(endpoint).read([DOCUMENT])
    labelled = reading.pages[0].scores[:, 1:].max(axis=1)
    assert set(np.round(labelled[labelled > 0], 6)) == {np.float32(0.8)}


def test_pictures_are_sent_where_they_are_wanted(serve: Serve) -> None:
    script, endpoint = serve(answers(completion(written(TRIAL))), sends="both")
    model = chat_model(config_of(endpoint), lambda _: Fallback())
    assert model.needs_pictures
    kinds = [part["type"] for part in script.asked[0]["messages"][1]["content"]]
    assert kinds == ["text", "image_url"]
    with pytest.raises(ValueError, match="page 1 has no picture"):
        model.read([DOCUMENT])


def test_the_key_is_sent_and_the_prompt_is_a_file(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("secret\n")
    (tmp_path / "prompt").write_text("Copy.")
    script, endpoint = serve(answers(completion(written(TRIAL))), key_file=tmp_path / "key", prompt=tmp_path / "prompt")
    reader = reader_of(endpoint)
    reader.read([DOCUMENT])
    assert script.headers[0]["Authorization"] == "Bearer secret"
    assert script.asked[0]["messages"][0]["content"] == "Copy."
    assert reader.revision != reader_of(endpoint.model_copy(update={"prompt": None})).revision


def test_pages_of_all_documents_are_asked_about_at_the_same_time(serve: Serve) -> None:
    together = threading.Barrier(4, timeout=5)

    def behave(handler: BaseHTTPRequestHandler, number: int) -> None:
        together.wait()
        answers(completion(written(GOOD)))(handler, number)

    _, endpoint = serve(behave)
    two = Document((page(LINES), page(LINES, 2)))
    readings = reader_of(endpoint).read([two, two])
    assert [len(reading.pages) for reading in readings] == [2, 2]


WRONG: dict[str, Callable[[BaseHTTPRequestHandler, int], None]] = {
    "an error": answers(b"", 500),
    "an error page": answers(b"<html>Bad gateway</html>", 502),
    "a page instead of JSON": answers(b"<html>Welcome</html>"),
    "no choices": answers(b'{"choices": []}'),
    "a list": answers(b"[]"),
    "JSON of great depth": answers(b'{"choices":' + 100_000 * b"["),
    "no content": answers(completion(None)),
    "an empty answer": answers(completion("  ")),
    "content that is no text": answers(completion([{"type": "text", "text": "{}"}])),
    "prose": answers(completion("I am sorry, but I cannot read this invoice.")),
    "prose with a bracket": answers(completion("The total is {hidden}.")),
    "another form": answers(completion('{"answer": "1,190.00"}')),
    "a list of values": answers(completion('["4711", "1,190.00"]')),
    "lines that are no rows": answers(completion('{"total": "1,190.00", "lines": "Bolts"}')),
    "cut off": answers(completion(written(GOOD)[:60], reason="length")),
    "cut off without saying so": answers(completion(written(GOOD)[:60])),
    "too many requests": answers(b"{}", 429),
    "too many requests, for an hour": answers(b"{}", 429, Retry_After="3600"),
    "no such model": answers(b'{"error": "model not found"}', 404),
    "no right": answers(b"{}", 401),
    "a redirect": answers(b"", 307, Location="http://127.0.0.1:9/v1/chat/completions"),
    "no answer": stalls,
    "a byte now and then": drips,
    "a closed connection": hangs_up,
    "half an answer": breaks_off,
    "no end": floods,
}


@pytest.mark.parametrize("behave", WRONG.values(), ids=WRONG)
def test_whatever_goes_wrong_the_fallback_reads(serve: Serve, behave: Any, caplog: pytest.LogCaptureFixture) -> None:
    _, endpoint = serve(behave, seconds=0.5)
    (reading,) = reader_of(endpoint, Fallback()).read([DOCUMENT])
    assert (reading.revision, found(reading)) == ("bundled-1", {})
    assert "the fallback of a chat model reads a document" in caplog.text
    assert "1,190.00" not in caplog.text


@pytest.mark.parametrize("behave", WRONG.values(), ids=WRONG)
def test_without_a_fallback_it_is_an_error(serve: Serve, behave: Any) -> None:
    _, endpoint = serve(behave, seconds=0.5)
    with pytest.raises(ChatFailure):
        reader_of(endpoint).read([DOCUMENT])


ODD = {
    "values that nobody printed": {"total": "9,999.00", "invoice_number": "X-123", "seller": "Evil Corp."},
    "numbers": {"total": 1190.0, "invoice_number": 4711, "lines": [{"quantity": 2}]},
    "texts of a thousand letters": {"seller": "Akme Ltd." * 200},
    "nested values": {"total": {"value": "1,190.00"}, "seller": ["Akme Ltd."]},
    "control characters": {"seller": "\u0000\u202e", "total": "\n"},
}


@pytest.mark.parametrize("values", ODD.values(), ids=ODD)
def test_what_the_page_does_not_print_is_no_value(serve: Serve, values: dict[str, Any]) -> None:
    _, endpoint = serve(answers(completion(written(values))))
    (reading,) = reader_of(endpoint).read([DOCUMENT])
    reading.check_against(DOCUMENT)
    assert found(reading) == {}


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "Here it is:\n{}", "{}\nAnything else?"])
def test_an_answer_may_have_words_around_it(serve: Serve, fence: str) -> None:
    _, endpoint = serve(answers(completion(fence.replace("{}", written(GOOD)))))
    (reading,) = reader_of(endpoint).read([DOCUMENT])
    assert found(reading) == READ


@pytest.mark.parametrize(
    "logprobs", [{"content": [{"token": "x", "logprob": 0.0}]}, {"content": "x"}, [], {"content": [{"token": "x"}]}]
)
def test_probabilities_that_are_not_of_this_text_are_ignored(serve: Serve, logprobs: Any) -> None:
    import json

    body = json.loads(completion(written(GOOD)))
    body["choices"][0]["logprobs"] = logprobs
    _, endpoint = serve(answers(json.dumps(body).encode()))
    (reading,) = reader_of(endpoint).read([DOCUMENT])
    assert found(reading) == READ


def test_what_passes_is_asked_again_when_the_server_says(serve: Serve) -> None:
    script, endpoint = serve(
        in_turn(answers(b"", 503), answers(b"", 429, Retry_After="2"), answers(completion(written(GOOD))))
    )
    waited: list[float] = []
    (reading,) = reader_of(endpoint, sleep=waited.append).read([DOCUMENT])
    assert found(reading) == READ
    assert len(script.asked) == 3
    assert waited[1] == 2
    assert 0.25 <= waited[0] <= 0.5


def test_a_document_is_read_by_one_model(serve: Serve) -> None:
    def behave(handler: BaseHTTPRequestHandler, number: int) -> None:
        is_second = "second" in script.texts()[number]
        answers(b"", 404)(handler, number) if is_second else answers(completion(written(GOOD)))(handler, number)

    script, endpoint = serve(behave, parallel=1)
    mixed, good = Document((page(LINES), page(["second page"], 2))), DOCUMENT
    readings = reader_of(endpoint, Fallback()).read([mixed, good])
    assert [reading.revision for reading in readings] == ["bundled-1", reader_of(endpoint).revision]


def test_a_server_that_is_away_is_left_alone_for_a_while(serve: Serve) -> None:
    now = [0.0]
    script, endpoint = serve(in_turn(*(3 * [answers(b"", 500)]), answers(completion(written(GOOD)))), tries=1)
    reader = reader_of(endpoint, Fallback(), Breaker(lambda: now[0]))
    revisions = [reader.read([DOCUMENT])[0].revision for _ in range(5)]
    assert set(revisions) == {"bundled-1"}
    assert len(script.asked) == 3
    now[0] += 15
    assert reader.read([DOCUMENT])[0].revision == reader.revision


def test_an_empty_page_is_not_asked_about(serve: Serve) -> None:
    script, endpoint = serve(answers(completion(written(GOOD))))
    (reading,) = reader_of(endpoint).read([Document((page([]),))])
    assert reading.pages[0].scores.shape == (0, len(TAGS))
    assert script.asked == []


class TestStart:
    def test_a_model_that_cannot_read_six_lines_is_refused(self, serve: Serve) -> None:
        _, endpoint = serve(answers(completion(written({"total": "0.00"}))))
        with pytest.raises(ModelError, match="does not find 4711 as INVOICE_NUMBER"):
            chat_model(config_of(endpoint), lambda _: Fallback())

    def test_a_refusal_is_reported(self, serve: Serve) -> None:
        _, endpoint = serve(answers(b"{}", 401))
        fallback = ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint="extractor")
        with pytest.raises(ModelError, match="answered with status 401"):
            chat_model(config_of(endpoint, fallback=fallback), lambda _: Fallback())

    def test_a_server_that_is_not_up_yet_is_no_obstacle_with_a_fallback(self, serve: Serve) -> None:
        _, endpoint = serve(hangs_up, tries=1)
        fallback = ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint="extractor")
        model = chat_model(config_of(endpoint, fallback=fallback), lambda _: Fallback())
        assert model.read([DOCUMENT])[0].revision == "bundled-1"
        with pytest.raises(ModelError, match="cannot be reached"):
            chat_model(config_of(endpoint), lambda _: Fallback())


@pytest.mark.parametrize(
    ("endpoint", "message"),
    [
        ({"url": "https://api.example.com/v1"}, "would be sent to api.example.com; if that is meant, say so"),
        ({"url": "https://api.example.com/v1", "documents_go_to": "example.com"}, "say so: documents_go_to: api.ex"),
        ({"url": "ftp://127.0.0.1/v1"}, "url must look like http"),
        ({"url": "http://me:secret@127.0.0.1/v1"}, "the key belongs into a file"),
    ],
)
def test_documents_go_nowhere_by_accident(endpoint: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Endpoint.model_validate(endpoint)


def test_a_hosted_model_is_taken_where_the_operator_says_so() -> None:
    url = "https://api.example.com/v1"
    assert Endpoint(url=url, documents_go_to="api.example.com").url == url
    assert Endpoint(url="http://localhost:8001/v1").documents_go_to is None
