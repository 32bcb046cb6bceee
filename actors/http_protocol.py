"""HTTP as Serve's proxy parses it, so that requests which the parser refuses get the API's errors, too."""

import re
import sys
from uuid import uuid4

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from actors.serve_answers import answer_of
from serve_app.api.errors import InvalidBody

# The parser knows a fixed list of methods. This one stands for all others: no path has it either.
_STAND_IN = b"TRACE"
_METHOD = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}(?= \S+ HTTP/1\.[01]\r\n)")


class AnyVerbProtocol(HttpToolsProtocol):
    """Lets the application answer requests with an unknown method, and puts the answer to anything else that is not
    HTTP into the error envelope."""

    def data_received(self, data: bytes) -> None:
        self._data = data
        super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """Called by the library while it handles the parser's error."""
        found = _METHOD.match(self._data)
        is_method = isinstance(sys.exception(), httptools.HttpParserInvalidMethodError)
        if is_method and found is not None and found[0] != _STAND_IN:
            self.parser = httptools.HttpRequestParser(self)
            self.data_received(_STAND_IN + self._data[found.end() :])
            return
        start, body = answer_of(InvalidBody("This is not a valid HTTP request."), uuid4().hex.encode(), closes=True)
        lines = [b"HTTP/1.1 400 Bad Request", *(name + b": " + value for name, value in start["headers"])]
        self.transport.write(b"\r\n".join([*lines, b"", body["body"]]))
        self.transport.close()
