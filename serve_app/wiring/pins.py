"""Builds the service about accounts that stay on a pair of models."""

from collections.abc import Sequence

from serve_app.domain.clock import Clock, utc_now
from serve_app.services.models.pins import ModelPins
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Store


def build_pins(store: Store, further: Sequence[str], clock: Clock = utc_now) -> ModelPins:
    """Accounts that stay on a pair of models; `further` are the pairs that are served beside the first one."""
    return ModelPins(store.pins, AuditTrail(store.audit, clock), further, clock)
