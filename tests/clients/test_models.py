"""Answers of the service as models."""

import random
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

import pytest

from invoices_client import calls, models
from invoices_client.calls import parse
from invoices_client.models import Invoice, Model, Status
from serve_app.api.app import create_api

ROOTS = sorted(
    {
        call.answer.__name__
        for call in vars(calls).values()
        if isinstance(call, calls.Call) and hasattr(call.answer, "model_fields")
    }
)


@cache
def schemas() -> dict[str, Any]:
    return dict(create_api().openapi()["components"]["schemas"])


def drawn(schema: dict[str, Any], rng: random.Random) -> Any:  # noqa: C901
    """A value that the schema allows."""
    if "$ref" in schema:
        return drawn(schemas()[schema["$ref"].rpartition("/")[2]], rng)
    if "anyOf" in schema:
        return drawn(rng.choice(schema["anyOf"]), rng)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else rng.choice(schema["enum"])
    match schema["type"]:
        case "null":
            return None
        case "boolean":
            return rng.random() < 0.5
        case "integer":
            return rng.randrange(10**6)
        case "number":
            return Decimal(rng.randrange(10**15)) / 4 if "maximum" not in schema else Decimal("0.25")
        case "array":
            items = schema.get("prefixItems") or [schema["items"]] * rng.randrange(3)
            return [drawn(each, rng) for each in items]
        case "object" if "properties" in schema:
            return {name: drawn(each, rng) for name, each in schema["properties"].items()}
        case "object":
            values = schema["additionalProperties"]
            # What may be anything is a text here.
            values = {"type": "string"} if values is True else values
            return {f"key{n}": drawn(values, rng) for n in range(rng.randrange(3))}
    formats = {
        "date": "2026-05-02",
        "date-time": "2026-05-17T12:00:07.123456Z",
        "uuid": "019e2f3a-5b1c-7d4e-8f60-718293a4b5c6",
    }
    return formats.get(schema.get("format", ""), "text")


def plain(value: Any) -> Any:
    """A model's values as an answer has them."""
    if isinstance(value, Model):
        return {name: plain(getattr(value, name)) for name in value.model_fields_set}
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value


@pytest.mark.parametrize("seed", range(500))
def test_every_answer_of_the_document_is_read_without_loss(seed: int) -> None:
    name, rng = ROOTS[seed % len(ROOTS)], random.Random(seed)  # noqa: S311
    answer = drawn(schemas()[name], rng)
    assert plain(getattr(models, name).model_validate(answer)) == answer


def invoice(**changes: object) -> dict[str, Any]:
    return {**drawn(schemas()["Invoice"], random.Random(1)), **changes}  # noqa: S311


def test_sums_keep_every_digit() -> None:
    text = Invoice.model_validate(invoice(amount=0, quality_score=0.5, details=None)).model_dump_json()
    read = parse(Invoice, text.replace('"amount":"0"', '"amount":1234567890123456.10'))
    assert (str(read.amount), type(read.quality_score)) == ("1234567890123456.10", float)


def test_what_is_new_is_kept() -> None:
    read = Invoice.model_validate(invoice(status="archived", cost_centre={"id": 7}))
    assert (read.status, str(read.status), isinstance(read.status, Status)) == ("archived", "archived", True)
    assert read.model_extra == {"cost_centre": {"id": 7}}
    assert '"cost_centre":{"id":7}' in read.model_dump_json()


def test_an_older_service_may_lack_what_came_later() -> None:
    old = invoice()
    for name in ("codes", "checks", "target_precision"):
        del old[name]
    read = Invoice.model_validate(old)
    assert (read.codes, read.checks, read.target_precision) == ([], [], None)
