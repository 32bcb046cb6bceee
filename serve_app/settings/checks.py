"""Settings that are valid each, but not together or not with the graph's configuration."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from serve_app.settings.fields import SettingsFields
from serve_app.settings.graph import GraphNumbers

# A lease must outlast a heartbeat that comes late or fails once.
_HEARTBEATS_IN_A_LEASE = 2
# What a replica still has to do once its work has stopped: release what is unfinished, close its stores.
_CLOSING_SECONDS = 5
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def contradictions(settings: SettingsFields) -> list[str]:
    """A sentence for each contradiction, naming both sides with their values."""
    found = [*_among(settings)]
    return found if settings.graph is None else [*found, *_with(settings.graph, settings)]


def _among(settings: SettingsFields) -> Iterator[str]:
    if settings.heartbeat_seconds * _HEARTBEATS_IN_A_LEASE > settings.lease_seconds:
        yield (
            f"HEARTBEAT_SECONDS ({settings.heartbeat_seconds:g}) must be at most half of LEASE_SECONDS "
            f"({settings.lease_seconds:g}), or documents lose their lease during processing"
        )
    if settings.reader_page_seconds > settings.reader_seconds:
        yield (
            f"READER_PAGE_SECONDS ({settings.reader_page_seconds:g}) must be at most READER_SECONDS "
            f"({settings.reader_seconds:g}), the limit for the whole document"
        )
    if settings.fetch_seconds >= settings.reservation_seconds:
        yield (
            f"FETCH_SECONDS ({settings.fetch_seconds:g}) must be less than RESERVATION_SECONDS "
            f"({settings.reservation_seconds:g}), or uploads are removed before they have arrived"
        )

    yield from _about_provider(settings)


def _about_provider(settings: SettingsFields) -> Iterator[str]:
    given = settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret
    if any(given) and not all(given):
        yield "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together"
    if settings.oidc_issuer and not is_secure_issuer(settings.oidc_issuer):
        yield "OIDC_ISSUER must begin with https:// or be an address of this machine"


def is_secure_issuer(url: str) -> bool:
    """Whether nobody on the way can read or change what an identity provider at this address says."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)


def _with(graph: GraphNumbers, settings: SettingsFields) -> Iterator[str]:
    longest = settings.fetch_seconds + settings.wait_seconds
    if longest >= graph.request_timeout_s:
        yield (
            f"FETCH_SECONDS and WAIT_SECONDS (together {longest:g}) must be less than request_timeout_s "
            f"({graph.request_timeout_s:g}), when Serve ends a call"
        )
    if settings.wait_seconds >= graph.ingress_stop_s:
        yield (
            f"WAIT_SECONDS ({settings.wait_seconds:g}) must be less than the Ingress's graceful_shutdown_timeout_s "
            f"({graph.ingress_stop_s:g}), or an update ends held calls"
        )
    if settings.max_held_calls >= graph.ingress_ongoing_requests:
        yield (
            f"MAX_HELD_CALLS ({settings.max_held_calls}) must be less than the Ingress's max_ongoing_requests "
            f"({graph.ingress_ongoing_requests}), or held calls block all others"
        )
    if settings.stop_seconds + _CLOSING_SECONDS > graph.dispatcher_stop_s:
        yield (
            f"STOP_SECONDS ({settings.stop_seconds:g}) must be at least {_CLOSING_SECONDS} s less than the "
            f"Dispatcher's graceful_shutdown_timeout_s ({graph.dispatcher_stop_s:g}), or a planned stop "
            "counts as a lost worker"
        )
    if settings.webhook_seconds + _CLOSING_SECONDS > graph.delivery_stop_s:
        yield (
            f"WEBHOOK_SECONDS ({settings.webhook_seconds:g}) must be at least {_CLOSING_SECONDS} s less than the "
            f"Delivery's graceful_shutdown_timeout_s ({graph.delivery_stop_s:g}), or a planned stop interrupts "
            "deliveries"
        )
