"""One attempt to deliver, and what follows from it."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import timedelta

from serve_app.domain.clock import Clock
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, PauseReason, WebhookEndpoint
from serve_app.net.post import Answer, Line
from serve_app.services.delivery.endpoint_health import EndpointHealth
