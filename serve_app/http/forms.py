"""Form parsing that tolerates what clients actually send."""

import re
from contextlib import aclosing
from urllib.parse import unquote

from fastapi import Request
from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData
from starlette.formparsers import MultiPartException, MultiPartParser

from serve_app.http.errors import InvalidBody

_MAX_FILES = 4
_MAX_FIELDS = 32
# RFC 5987: a charset, a language, and the percent-encoded name.
_EXTENDED_NAME = re.compile(
    r";\s*filename\*\s*=\s*(utf-8|iso-8859-1)'[^']*'([!#$%&+\-.^_`|~\w]+)", re.ASCII | re.IGNORECASE
)


async def read_form(request: Request, max_files: int = _MAX_FILES) -> FormData:
    """The request's `multipart/form-data`; the caller must close it. Large files are spooled to disk, in threads.
    Raises InvalidBody if the body is not a form."""
    try:
        async with aclosing(request.stream()) as stream:
            return await _Parser(request.headers, stream, max_files=max_files, max_fields=_MAX_FIELDS).parse()
    except MultiPartException as error:
        raise InvalidBody(error.message) from None
    except UnicodeError:
        raise InvalidBody("The form cannot be read in the charset that its Content-Type names.") from None


class _Parser(MultiPartParser):
    """Also treats a part as a file if it has only `filename*`, because some clients send it that way, and undoes the
    escapes of names that browsers and most libraries make."""

    def on_headers_finished(self) -> None:
        part = self._current_part
        name = _extended_name(part.content_disposition or b"")
        if name is not None:
            part.content_disposition = (part.content_disposition or b"") + b'; filename=""'
        super().on_headers_finished()
        if part.file is not None:
            part.file.filename = _unescaped(part.file.filename or "") if name is None else name


def _unescaped(name: str) -> str:
    """HTML, "multipart form data": in a name exactly these three characters are escaped."""
    return name.replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")


def _extended_name(disposition: bytes) -> str | None:
    """The name in `filename*` if there is no plain `filename`; else None."""
    found = _EXTENDED_NAME.search(disposition.decode("latin-1"))
    if found is None or b"filename" in parse_options_header(disposition)[1]:
        return None
    return unquote(found[2], found[1], "replace")
