"""Answers that schemathesis makes from the OpenAPI document, read by the Python client: `python -m
scripts.clients.answers COUNT FILE`. The file has them for other clients, one in each line."""

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies

from invoices_client import models
from invoices_client.calls import parse
from scripts.clients.models import Schema, answer_names
from serve_app.api.app import create_api
from tests.clients.test_models import plain

_TIMES = strategies.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2100, 1, 1))  # noqa: DTZ001


def main(count: int, path: Path) -> None:
    """Raises ValueError if the client loses a part of an answer."""
    schemathesis.openapi.format("date-time", _TIMES.map(_written))
    made = list(answers(count))
    for name, text in made:
        read = plain(parse(getattr(models, name), text))
        if not _is_same(read, json.loads(text, parse_float=Decimal)):
            raise ValueError(f"the Python client reads {name} as {read}, not {text}")
    path.write_text("".join(json.dumps({"type": name, "text": text}) + "\n" for name, text in made))
    print(f"the Python client reads {len(made)} answers without loss")


def _is_same(read: Any, written: Any) -> bool:
    """Whether nothing was lost but digits that a measure does not have."""
    if isinstance(read, dict):
        return read.keys() == written.keys() and all(_is_same(value, written[name]) for name, value in read.items())
    if isinstance(read, list):
        return len(read) == len(written) and all(map(_is_same, read, written))
    return bool(read == (float(written) if isinstance(read, float) else written))


def _written(time: datetime) -> str:
    """As the service writes it: in UTC, with microseconds unless there are none."""
    return time.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")


def answers(count: int) -> Iterator[tuple[str, str]]:
    """The component of each answer, and its JSON. Each run makes the same ones."""
    document = create_api().openapi()
    names = answer_names(document)
    api = schemathesis.openapi.from_dict(_as_bodies(document, names))
    for number, name in enumerate(names):
        share = count // len(names) + (number < count % len(names))
        for body in _drawn(api[f"/{name}"]["POST"].as_strategy(), share):
            yield name, json.dumps(body)


def _as_bodies(document: Schema, names: list[str]) -> dict[str, Any]:
    """A document in which each answer is the body of a call, since schemathesis draws those."""
    paths = {
        f"/{name}": {
            "post": {
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
                },
                "responses": {"200": {"description": "drawn"}},
            }
        }
        for name in names
    }
    # What an answer has beside the document is tested apart: no type knows it.
    schemas = {
        name: {**schema, "additionalProperties": False} if "properties" in schema else schema
        for name, schema in document["components"]["schemas"].items()
    }
    return {**document, "paths": paths, "webhooks": {}, "components": {"schemas": schemas}}


def _drawn(strategy: Any, count: int) -> list[object]:
    bodies: list[object] = []

    @settings(
        max_examples=count * 2,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(case: Any) -> None:
        bodies.append(case.body)

    draw()
    return bodies[:count]


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
