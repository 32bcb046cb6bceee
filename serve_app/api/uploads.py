"""Turns the body of a create call into a document. Bodies are read here, after authentication, not by the framework."""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

from fastapi import Request
from pydantic import BaseModel, Field, StringConstraints, TypeAdapter, ValidationError
from starlette.datastructures import FormData, UploadFile

from serve_app.api import examples
from serve_app.domain.errors import MissingFile
from serve_app.domain.invoice import Source
from serve_app.domain.metadata import Metadata
from serve_app.domain.plain_text import one_line, shortened
from serve_app.http.bodies import Body, complaint
from serve_app.http.complaints import complaint_of
from serve_app.http.errors import InvalidBase64, InvalidBody
from serve_app.http.forms import read_form
from serve_app.http.json_bounds import check_values
from serve_app.services.bundle import Services
from serve_app.services.intake.submit import Upload
from serve_app.system.pieces import pieces_of
from serve_app.system.thread_pools import decoding_pool


class Base64Upload(Body):
    """A document inside a JSON body. `mime_type` is accepted but ignored: the type is detected from the bytes."""

    file_base64: Annotated[str, Field(json_schema_extra={"contentEncoding": "base64"})]
    file_name: Annotated[str, StringConstraints(min_length=1)]
    mime_type: str | None = None
    metadata: Metadata | None = None


class UrlUpload(Body):
    """A document that the service fetches from a public https address, within $fetch_seconds s, up to $max_file."""

    file_url: Annotated[str, Field(json_schema_extra={"format": "uri"})]
    file_name: str | None = None
    mime_type: str | None = None
    metadata: Metadata | None = None


class _Names(BaseModel):
    """Which of the two uploads a body contains, even if its value is null."""

    file_url: object = None
    file_base64: object = None


_PARTS = frozenset({"file", "metadata"})
_NAME_LENGTH = 60
_METADATA: TypeAdapter[dict[str, str]] = TypeAdapter(Metadata)
_LONGEST_METADATA = 256 * 1024
"""Bytes: more than all that it may hold, were every character escaped."""
_WHITE_SPACE = b" \t\n\r\f\v"

# The framework does not read the body, so it cannot describe it either.
CREATE_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "metadata": _METADATA.json_schema(),
                    },
                },
                "encoding": {"metadata": {"contentType": "application/json"}},
                "example": examples.FORM,
            },
            "application/json": {
                "schema": {"oneOf": [UrlUpload.model_json_schema(), Base64Upload.model_json_schema()]},
                "examples": {
                    "file_url": {"summary": "A document to fetch", "value": examples.BY_URL},
                    "file_base64": {"summary": "A document as base64", "value": examples.AS_BASE64},
                },
            },
        },
    }
}


async def document_of(request: Request, services: Services) -> Upload:
    """The document in the request's body, or fetched from the URL there. Raises InvalidRequest for a bad body, or if
    the document cannot be fetched."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        return await _from_form(request)
    if kind == "application/json":
        # Parsing and decoding about 20 MB on the event loop would delay every other request.
        body = await request.body()
        sent = await decoding_pool(len(body)).run(parse_upload, body)
        if isinstance(sent, UrlUpload):
            fetched = await services.file_urls.fetch(sent.file_url, sent.file_name)
            return replace(fetched, metadata=sent.metadata or {})
        return sent
    raise InvalidBody("Send multipart/form-data with `file`, or application/json with `file_url` or `file_base64`.")


async def _from_form(request: Request) -> Upload:
    form = await read_form(request)
    try:
        file = _only_file(form)
        _check_parts(form)
        return Upload(await file.read(), file.filename, Source.API, await _metadata_in(form))
    finally:
        await form.close()


def _check_parts(form: FormData) -> None:
    unknown = next((name for name in form if name not in _PARTS), None)
    if unknown is not None:
        name = shortened(one_line(unknown), _NAME_LENGTH)
        raise InvalidBody(f"The form has a part named `{name}`; send only `file` and `metadata`.", name)


def _only_file(form: FormData) -> UploadFile:
    found = form.getlist("file")
    if len(found) > 1:
        raise InvalidBody(
            "The form has more than one part named `file`; send each document in a separate call.", "file"
        )
    if not found or not isinstance(found[0], UploadFile):
        raise MissingFile("The form has no file named `file`.", "file")
    return found[0]


async def _metadata_in(form: FormData) -> dict[str, str]:
    """The JSON object in the part `metadata`, which some clients send as a file."""
    found = form.getlist("metadata")
    if not found:
        return {}
    if len(found) > 1:
        raise InvalidBody("The form has more than one part named `metadata`; send one JSON object.", "metadata")
    text = await found[0].read() if isinstance(found[0], UploadFile) else found[0].encode("utf-8", "surrogatepass")
    if len(text) > _LONGEST_METADATA:
        raise InvalidBody(f"metadata: is longer than {_LONGEST_METADATA} bytes.", "metadata")
    check_values(text)
    try:
        return _METADATA.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        said = complaint_of([{**first, "loc": ("metadata", *first["loc"])}])
        raise InvalidBody(said.message, said.param) from None


def parse_upload(body: bytes) -> "Upload | UrlUpload":
    """The document in a JSON body, or where to fetch it. Raises InvalidRequest."""
    check_values(body)
    try:
        given = _Names.model_validate_json(body).model_fields_set
        if "file_url" in given:
            return UrlUpload.model_validate_json(body)
        if "file_base64" not in given:
            raise MissingFile("The body has neither `file_url` nor `file_base64`.")
        sent = Base64Upload.model_validate_json(body)
    except ValidationError as error:
        raise complaint(error) from None
    return Upload(decode_base64(sent.file_base64), sent.file_name, Source.API, sent.metadata or {})


def decode_base64(text: str) -> bytes:
    """Decode base64. Line breaks and spaces are allowed; other characters outside the standard alphabet are not."""
    try:
        # Not by `split`, which makes an object of each piece.
        letters = b"".join(piece.translate(None, _WHITE_SPACE) for piece in pieces_of(text.encode("ascii")))
        return b"".join(_decoded_pieces(letters))
    except (binascii.Error, ValueError):
        raise InvalidBase64 from None


def _decoded_pieces(letters: bytes) -> Iterator[bytes]:
    """A piece is a multiple of four letters, which are three bytes. Only the last one may be padded."""
    left = len(letters)
    for piece in pieces_of(letters):
        left -= len(piece)
        decoded = base64.b64decode(piece, validate=True)
        if left and len(decoded) * 4 != len(piece) * 3:
            raise InvalidBase64
        yield decoded
