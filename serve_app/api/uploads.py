"""From the body of a create call to a document. Bodies are read here, after authentication, not by the framework."""

import asyncio
import base64
import binascii
from typing import Annotated

from fastapi import Request
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError
from starlette.datastructures import UploadFile

from serve_app.domain import errors
from serve_app.domain.invoice import Source
from serve_app.services.submit import Upload

_MAX_FILES = 4
_MAX_FIELDS = 32


class Base64Upload(BaseModel):
    """A document inside a JSON body. `mime_type` is accepted and not believed: the bytes tell the type."""

    model_config = ConfigDict(extra="forbid", strict=True)

    file_base64: str
    file_name: Annotated[str, StringConstraints(min_length=1)]
    mime_type: str | None = None


async def read_upload(request: Request) -> Upload:
    """The document in the request's body. ServiceError 400 or 413 where there is none."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        return await _from_form(request)
    if kind == "application/json":
        # Parsing and decoding some 20 MB would hold up every other request.
        return await asyncio.to_thread(_from_json, await request.body())
    raise errors.invalid_body("Send multipart/form-data with `file`, or application/json with `file_base64`.")


async def _from_form(request: Request) -> Upload:
    """Large files are spooled to disk by the form parser, in threads."""
    async with request.form(max_files=_MAX_FILES, max_fields=_MAX_FIELDS) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise errors.missing_file("The form has no file named `file`.")
        return Upload(await file.read(), file.filename, Source.API)


def _from_json(body: bytes) -> Upload:
    try:
        wanted = Base64Upload.model_validate_json(body)
    except ValidationError as error:
        raise _complaint(error) from None
    return Upload(_decode(wanted.file_base64), wanted.file_name, Source.API)


def _complaint(error: ValidationError) -> errors.ServiceError:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["loc"] == ("file_base64",) and first["type"] == "missing":
        return errors.missing_file("The body has no `file_base64`.")
    name = ".".join(str(part) for part in first["loc"])
    return errors.invalid_body(f"{name}: {first['msg']}" if name else first["msg"])


def _decode(text: str) -> bytes:
    """Line breaks and spaces are allowed, anything else outside of the standard alphabet is not."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise errors.invalid_base64() from None
