"""Logs are JSON, one object a line, and say which request and invoice they are about."""

import json
import logging

import pytest
from pydantic import ValidationError

from serve_app.settings.edge import EdgeSettings
from serve_app.telemetry.logs import JsonFormatter, invoice_id, parse_levels, request_id


def test_a_line_has_the_ids_and_the_extra_fields() -> None:
    tokens = request_id.set("r-1"), invoice_id.set("i-1")
    record = logging.makeLogRecord({"name": "serve_app.x", "levelname": "INFO", "msg": "took %s", "args": (7,), "n": 1})
    line = json.loads(JsonFormatter().format(record))
    request_id.reset(tokens[0])
    invoice_id.reset(tokens[1])
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "INFO",
        "logger": "serve_app.x",
        "message": "took 7",
        "request_id": "r-1",
        "invoice_id": "i-1",
        "n": 1,
    }


def test_an_exception_stays_on_its_line() -> None:
    try:
        raise ValueError("bad")
    except ValueError as error:
        record = logging.makeLogRecord({"exc_info": (type(error), error, error.__traceback__)})
    text = JsonFormatter().format(record)
    assert "\n" not in text
    assert "ValueError: bad" in json.loads(text)["exception"]


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("", {"serve_app": logging.INFO, "ray.serve": logging.INFO}),
        ("WARNING", {"serve_app": logging.WARNING, "ray.serve": logging.WARNING}),
        (
            "info, ray.serve=error, serve_app.store=debug",
            {"serve_app": logging.INFO, "ray.serve": logging.ERROR, "serve_app.store": logging.DEBUG},
        ),
    ],
)
def test_levels_are_general_or_of_one_logger(text: str, levels: dict[str, int]) -> None:
    assert parse_levels(text) == levels


@pytest.mark.parametrize("text", ["loud", "info,serve_app=", "serve_app.store:debug", "notset"])
def test_what_is_no_level_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="write one of debug, info, warning, error"):
        EdgeSettings(log_level=text)
