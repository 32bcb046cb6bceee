"""Sends spans by OpenTelemetry's protocol to a collector."""

from datetime import datetime

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from serve_app.telemetry.tracer import Attribute

_HEADER = "traceparent"
_SECONDS = 3.0
"""How long sending may take: a process that ends waits for it, even if the collector is gone."""
_PROPAGATOR = TraceContextTextMapPropagator()


class OtlpSpan:
    """A span that the collector gets once it has ended."""

    def __init__(self, span: Span) -> None:
        self._span = span
        carrier: dict[str, str] = {}
        _PROPAGATOR.inject(carrier, trace.set_span_in_context(span))
        self._traceparent = carrier[_HEADER]

    @property
    def traceparent(self) -> str:
        return self._traceparent

    def end(self, error: BaseException | None = None, at: datetime | None = None) -> None:
        if error is not None:
            # Only the kind: the text may repeat what a document says.
            self._span.set_status(StatusCode.ERROR, type(error).__name__)
        self._span.end(_nanoseconds(at))


class OtlpTracer:
    """Collects spans and sends them every few seconds, from a thread of its own: what a process has not sent when it is
    killed is lost, and work never waits for the collector. `endpoint` is its base URL (port 4318); the SDK's own
    variables (`OTEL_...`) count as well. `deployment` is who sends."""

    def __init__(self, endpoint: str, deployment: str) -> None:
        resource = Resource.create({"service.name": "invoices", "invoices.deployment": deployment})
        self._provider = TracerProvider(resource=resource)
        exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces", timeout=_SECONDS)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("serve_app")

    def begin(
        self, name: str, parent: str | None, attributes: dict[str, Attribute], at: datetime | None = None
    ) -> OtlpSpan:
        context = _PROPAGATOR.extract({_HEADER: parent}) if parent else trace.set_span_in_context(trace.INVALID_SPAN)
        span = self._tracer.start_span(name, context=context, attributes=attributes, start_time=_nanoseconds(at))
        return OtlpSpan(span)

    def flush(self) -> None:
        """Send what has ended."""
        self._provider.force_flush()


def _nanoseconds(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp() * 1e9)
