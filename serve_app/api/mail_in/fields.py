"""The fields of a form, byte for byte: a mail has no character set."""

from binascii import a2b_qp
from contextlib import aclosing

from fastapi import Request
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from serve_app.http.errors import InvalidBody
from serve_app.system.thread_pools import decoding_pool

_MOST_FIELDS = 100
# Each byte is one character of it, and the other way round.
_ANY_BYTE = "latin-1"


async def read_fields(request: Request, most_bytes: int) -> dict[str, bytes]:
    """The fields and files of a form by name, in either of the two notations of forms; of several with one name, the
    last. Raises InvalidBody."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        body = await request.body()
        return await decoding_pool(len(body)).run(parse_urlencoded, body)
    if kind != "multipart/form-data":
        raise InvalidBody("The body must be a form.")
    return await _multipart(request, most_bytes)


def parse_urlencoded(body: bytes) -> dict[str, bytes]:
    """The fields of a form, of several with one name the last. Raises InvalidBody for too many."""
    if body.count(b"&") >= _MOST_FIELDS:
        raise InvalidBody("The form has too many fields.")
    pairs = (pair.partition(b"=") for pair in body.split(b"&") if pair)
    return {_unescaped(name).decode(_ANY_BYTE): _unescaped(value) for name, _, value in pairs}


def _unescaped(text: bytes) -> bytes:
    """Percent-decoded. The standard library makes an object of each escape, which takes seconds and gigabytes for a
    large mail. Quoted-printable is the same but for its sign, and its decoder is written in C."""
    return a2b_qp(text.replace(b"+", b" ").replace(b"=", b"=3D").replace(b"%", b"="))


async def _multipart(request: Request, most_bytes: int) -> dict[str, bytes]:
    kind = request.headers["content-type"]
    headers = Headers({"content-type": f"{kind}; charset={_ANY_BYTE}"})
    try:
        async with aclosing(request.stream()) as stream:
            form = await MultiPartParser(
                headers, stream, max_files=_MOST_FIELDS, max_fields=_MOST_FIELDS, max_part_size=most_bytes
            ).parse()
    except MultiPartException as error:
        raise InvalidBody(error.message) from None
    try:
        return {name: await _bytes_of(value) for name, value in form.multi_items()}
    finally:
        await form.close()


async def _bytes_of(value: str | UploadFile) -> bytes:
    return await value.read() if isinstance(value, UploadFile) else value.encode(_ANY_BYTE)
