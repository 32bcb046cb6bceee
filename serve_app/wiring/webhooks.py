"""Builds the services about webhooks, and what delivers them."""

from serve_app.domain.clock import Clock, utc_now
from serve_app.mail.factory import open_mailer, sender_of
from serve_app.mail.paused_endpoint import ComposePaused
from serve_app.net.post import HttpPoster
from serve_app.services.delivery.attempt import Attempts
from serve_app.services.delivery.deliverer import Deliverer
from serve_app.services.delivery.lane import ServedLane
from serve_app.services.webhooks.bundle import Webhooks
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.log import DeliveryLog
from serve_app.services.webhooks.owner_notices import OwnerNotices
from serve_app.services.webhooks.sample_events import SampleEvents
from serve_app.services.webhooks.secrets import EndpointSecrets
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.wiring.exports import build_export_rounds
from serve_app.wiring.keys import build_sealer
from serve_app.wiring.network import build_guard


def build_webhooks(store: Store, settings: Settings, clock: Clock = utc_now) -> Webhooks:
    """Webhook endpoints and their deliveries, for an operator or the web application. Raises ValueError if the settings
    have no encryption key."""
    guard = build_guard(settings, settings.webhook_networks)
    secrets = EndpointSecrets(build_sealer(settings))
    return Webhooks(
        endpoints=EndpointService(store.accounts, store.endpoints, secrets, guard, clock),
        deliveries=DeliveryLog(store.endpoints, store.deliveries, secrets, clock),
        sample_events=SampleEvents(store.endpoints, store.deliveries, clock),
    )


def build_deliverer(store: Store, settings: Settings, clock: Clock = utc_now) -> Deliverer:
    """A deliverer, ready to `run`; build it on the event loop that will run it. Raises ValueError if the settings have
    no encryption key, or an unusable mail server or sender."""
    guard = build_guard(settings, settings.webhook_networks)
    http_poster = HttpPoster(guard, settings.webhook_seconds)
    attempts = Attempts(store, build_sealer(settings), clock)
    return Deliverer(
        store,
        lambda lane: ServedLane(store, http_poster, attempts, lane),
        build_owner_notices(store, settings, clock).send,
        clock,
        poll_seconds=settings.poll_seconds,
        maintenance_seconds=settings.housekeeping_seconds,
        export_round=build_export_rounds(store, settings, clock).run_round,
    )


def build_owner_notices(store: Store, settings: Settings, clock: Clock = utc_now) -> OwnerNotices:
    """Mail to owners about paused endpoints. Raises ValueError if the mail server or sender cannot be used."""
    compose = ComposePaused(sender_of(settings))
    return OwnerNotices(store.accounts, store.endpoints, store.deliveries, open_mailer(settings), compose, clock)
