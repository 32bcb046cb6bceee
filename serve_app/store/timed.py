"""A store that notes how long its calls take."""

import dataclasses
import functools
import time
from collections.abc import Awaitable, Callable
from typing import Any

from serve_app.domain.errors import Unavailable
from serve_app.store.base import Store
from serve_app.telemetry.meter import count, observe
from serve_app.telemetry.roles import OTHER, SAVING
from serve_app.telemetry.series import STORE_ERRORS, STORE_SECONDS

# All other calls are `other`.
_OPERATIONS = {
    ("queue", "claim_due_invoice"): "claim",
    ("queue", "claim_due_invoices"): "claim",
    ("lanes", "claim"): "claim",
    ("deliveries", "claim_due"): "claim",
    ("mails", "claim_due"): "claim",
    ("queue", "renew_lease"): "renew",
    ("queue", "save_result"): SAVING,
    ("queue", "fail"): SAVING,
    ("deliveries", "all_delivered"): SAVING,
    ("deliveries", "retry"): SAVING,
    ("mails", "save"): SAVING,
    ("intake", "reserve"): "accept",
    ("intake", "add"): "accept",
    ("invoices", "get"): "look",
    ("keys", "find_caller"): "look",
    ("invoices", "page"): "list",
    ("events", "page"): "list",
    ("vendors", "page"): "list",
}


def timed_store(store: Store, operations: frozenset[str]) -> Store:
    """The same store. `operations` are those that this process tells apart."""
    parts = {
        field.name: _Timed(getattr(store, field.name), field.name, operations)
        for field in dataclasses.fields(store)
        # Opened, closed and asked whether it answers; not a call of the work.
        if field.name != "connection"
    }
    return dataclasses.replace(store, **parts)


class _Timed:
    """A part of a store, each of whose methods is awaited."""

    def __init__(self, part: Any, name: str, operations: frozenset[str]) -> None:
        self._part = part
        self._name = name
        self._operations = operations

    def __getattr__(self, method: str) -> Any:
        operation = _OPERATIONS.get((self._name, method), OTHER)
        call = _timed(getattr(self._part, method), operation if operation in self._operations else OTHER)
        # Found without this function from now on.
        setattr(self, method, call)
        return call


def _timed(call: Callable[..., Awaitable[Any]], operation: str) -> Callable[..., Awaitable[Any]]:
    @functools.wraps(call)
    async def timed(*arguments: Any, **options: Any) -> Any:
        began = time.perf_counter()
        try:
            return await call(*arguments, **options)
        except Unavailable:
            count(STORE_ERRORS)
            raise
        finally:
            observe(STORE_SECONDS, time.perf_counter() - began, operation=operation)

    return timed
