"""A collector of traces that tests look into."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Sink:
    """Takes spans by HTTP at `url`."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                request = ExportTraceServiceRequest.FromString(body)
                for resource in request.resource_spans:
                    for scope in resource.scope_spans:
                        sink.spans += scope.spans
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def names(self, trace_id: str) -> set[str]:
        """The spans of one trace."""
        return {span.name for span in self.spans if span.trace_id.hex() == trace_id}


@contextmanager
def collecting() -> Iterator[Sink]:
    """A sink that takes spans in the block."""
    sink = Sink()
    thread = threading.Thread(target=sink.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield sink
    finally:
        sink.server.shutdown()
        sink.server.server_close()
        thread.join()
