"""The `Idempotency-Key` header."""

from typing import Annotated

from fastapi import Depends, Header
from starlette.responses import Response

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.idempotency import StoredAnswer
from serve_app.domain.invoice import Invoice
from serve_app.http.answers import json_answer
from serve_app.http.dependencies import AnyCaller
from serve_app.services.bundle import Services
from serve_app.services.invoices.repeatable import ChangeRequest, MakeChange, ToAnswer

_LONGEST = 255


KeyHeader = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        json_schema_extra={"minLength": 1, "maxLength": 255},
        description="A call repeated with the same key within 24 h gets the first response again.",
    ),
]


async def get_key(_caller: AnyCaller, idempotency_key: KeyHeader = None) -> str | None:
    """The key, checked after the API key. Raises InvalidParameter if it is empty or too long."""
    return checked_key(idempotency_key)


def checked_key(idempotency_key: str | None) -> str | None:
    """The key of the header. Raises InvalidParameter if it is empty or too long."""
    if idempotency_key is None:
        return None
    key = _decoded(idempotency_key)
    if not 1 <= len(key) <= _LONGEST:
        raise InvalidParameter(f"Idempotency-Key: must have 1 to {_LONGEST} characters.", "Idempotency-Key")
    return key


def _decoded(header: str) -> str:
    """The framework decodes headers as Latin-1, but most clients send UTF-8, with several bytes for some characters."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeDecodeError:
        return header


IdempotencyKey = Annotated[str | None, Depends(get_key)]
REPLAYED = {"Idempotency-Replayed": "true"}


def as_invoice(invoice: Invoice) -> StoredAnswer:
    """The usual answer to a change: the changed invoice."""
    return StoredAnswer(200, invoice.model_dump_json())


async def change_once(
    services: Services, asked: ChangeRequest, change: MakeChange, answer: ToAnswer = as_invoice
) -> Response:
    """The response to a change of an invoice, which is made at most once per key."""
    given, is_replay = await services.repeatable.make(asked, change, answer)
    headers = dict(REPLAYED) if is_replay else {}
    if given.status == 202:
        headers["Location"] = f"/v1/invoices/{asked.invoice_id}"
    return json_answer(given.body, given.status, headers)
