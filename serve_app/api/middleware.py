"""Middleware for every response, as plain ASGI, so that no body is buffered."""

import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serve_app.api.error_handlers import answer_of
from serve_app.domain.errors import ServiceError
from serve_app.http.dependencies import bearer_key
from serve_app.http.errors import InternalError
from serve_app.http.request_ids import request_id_of
from serve_app.http.request_state import ERROR_CODE, KNOWN_CALLER, NO_ENDPOINT, RATE_STATUS
from serve_app.services.accounts.rate_limit import RateStatus
from serve_app.services.bundle import Services
from serve_app.services.calls.service import Answered
from serve_app.telemetry import tracer
from serve_app.telemetry.logs import request_id
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import ACCOUNT_REFUSED

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_REFUSED_BY_LIMITS = frozenset({"rate_limited", "monthly_quota_reached", "monthly_budget_reached", "queue_too_long"})
_SECRET_PATH = re.compile(r"^(/approvals/|/v1/files/).+")

log = logging.getLogger(__name__)


class RequestId:
    """Gives every request an id (the caller's own if it is safe), and every response the header with the id. Notes the
    requests of known callers in the log of calls."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        chosen = request_id_of(scope["headers"])
        began = time.perf_counter()
        scope.setdefault("state", {})

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Request-Id"] = chosen
                log.info("answered", extra=_summary(scope, message))
                _note_call(scope, message, chosen, time.perf_counter() - began)
            await send(message)

        token = request_id.set(chosen)
        try:
            with _traced(scope):
                await self._app(scope, receive, send_with_id)
        finally:
            request_id.reset(token)


class RateHeaders:
    """Adds the caller's rate limit status, as it is then, to every response, whatever its outcome, if the caller's key
    is valid."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_rate(message: Message) -> None:
            status = await _status_now(scope) if message["type"] == "http.response.start" else None
            if status is not None:
                headers = MutableHeaders(scope=message)
                headers["X-RateLimit-Limit"] = str(status.limit)
                headers["X-RateLimit-Remaining"] = str(status.remaining)
                headers["X-RateLimit-Reset"] = str(status.reset)
            await send(message)

        await self._app(scope, receive, send_with_rate)


async def _status_now(scope: Scope) -> RateStatus | None:
    """The caller's status; None without a valid key."""
    services: Services | None = getattr(scope["app"].state, "services", None)
    if services is None:
        return None
    status: RateStatus | None = scope["state"].get(RATE_STATUS)
    if status is not None:
        return await services.rate_limit.latest(status)
    if not scope["state"].get(NO_ENDPOINT):
        return None
    try:
        caller = await services.callers.authenticate(bearer_key(Headers(scope=scope).get("authorization")))
    except ServiceError:
        # The answer does not depend on the key: without one it is the same.
        return None
    scope["state"][KNOWN_CALLER] = caller
    return await services.rate_limit.count(caller)


class AnswerFaults:
    """Responds to uncaught errors with the 500 envelope. It runs inside the others, so that its responses get their
    headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def noting_send(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, noting_send)
        except ClientDisconnect:
            log.info("caller hung up", extra={"path": _shown(scope["path"])})
        except Exception:
            log.exception("request failed", extra={"path": _shown(scope["path"])})
            if started:
                raise
            await answer_of(InternalError())(scope, receive, send)


@contextmanager
def _traced(scope: Scope) -> Iterator[None]:
    """The request is a span if it changes something, or if its caller traces it."""
    place = tracer.valid(Headers(scope=scope).get("traceparent"))
    if place is None and scope["method"] in _READING:
        yield
        return
    with tracer.continued(place), tracer.span("request", method=scope["method"], path=_shown(scope["path"])):
        yield


def _note_call(scope: Scope, message: Message, id: str, seconds: float) -> None:
    state = scope["state"]
    if (caller := state.get(KNOWN_CALLER)) is None:
        return
    services: Services = scope["app"].state.services
    path, code = _shown(scope["path"]), state.get(ERROR_CODE)
    if code in _REFUSED_BY_LIMITS and caller.account.id in services.settings.measured_accounts:
        count(ACCOUNT_REFUSED, account=str(caller.account.id), code=code)
    services.calls.note(caller, Answered(id, scope["method"], path, message["status"], code, seconds))


def _summary(scope: Scope, message: Message) -> dict[str, object]:
    summary = {"method": scope["method"], "path": _shown(scope["path"]), "status": message["status"]}
    # Without an error, the formatter leaves it out.
    return {**summary, "code": scope["state"].get(ERROR_CODE)}


def _shown(path: str) -> str:
    """The path in a form that may be logged: anyone who has one of these links needs no key."""
    return _SECRET_PATH.sub(r"\1...", path)
