"""One process can run several deployments."""

import pickle
from typing import Any, cast

import pytest

from actors.worker import HostedHandle, LocalHandle, Worker


class Actor:
    """A deployment that notes what it is asked for."""

    def __init__(self, name: str, order: list[str]) -> None:
        self._name = name
        self._order = order
        # Of this object, not of its class: Python itself would call that one, too.
        vars(self)["__del__"] = self.stop

    async def wake(self) -> None:
        self._order.append(f"wake {self._name}")

    def status(self, *, trace: str | None = None) -> tuple[str, str | None]:
        return self._name, trace

    async def check_health(self) -> None:
        if self._name == "broken":
            raise RuntimeError("the loop ended")

    async def stop(self) -> None:
        self._order.append(f"stop {self._name}")


class Serve:
    """What calls over a handle of Serve do."""

    def __init__(self, worker: Any) -> None:
        self.run = self
        self._worker = worker

    async def remote(self, *arguments: object, **options: object) -> Any:
        return await self._worker.run(*arguments, **options)


def worker_of(*names: str) -> tuple[Any, list[str]]:
    """A worker without its own set-up, and the order of calls."""
    order: list[str] = []
    kind = cast(Any, Worker).func_or_class
    members = {name: getattr(kind, name) for name in ("run", "check_health")} | {"stopped": kind.__del__}
    worker: Any = object.__new__(type("Replica", (), members))
    worker._actors = {name: Actor(name, order) for name in names}
    return worker, order


async def test_calls_from_outside_reach_the_deployment_that_they_name() -> None:
    worker, order = worker_of("Dispatcher", "Extractor")
    await HostedHandle(Serve(worker), "Dispatcher").wake.remote()
    extractor = HostedHandle(Serve(worker), "Extractor")
    assert order == ["wake Dispatcher"]
    assert await extractor.status.remote(trace="00-1") == ("Extractor", "00-1")
    assert extractor.deployment_name == "Extractor"


async def test_calls_within_the_process_need_no_serve() -> None:
    order: list[str] = []
    handle = LocalHandle(Actor("Delivery", order))
    await handle.wake.remote()
    assert order == ["wake Delivery"]
    assert await handle.status.remote() == ("Delivery", None)


def test_a_handle_can_be_sent_to_another_process() -> None:
    handle = pickle.loads(pickle.dumps(HostedHandle(None, "Mailroom")))  # noqa: S301 - our own
    assert handle.deployment_name == "Mailroom"


async def test_it_is_as_healthy_as_its_parts() -> None:
    worker, _ = worker_of("Reader", "Dispatcher")
    await worker.check_health()
    worker, _ = worker_of("Reader", "broken")
    with pytest.raises(RuntimeError, match="the loop ended"):
        await worker.check_health()


async def test_callers_stop_before_those_that_they_call() -> None:
    worker, order = worker_of("Reader", "Delivery", "Dispatcher")
    await worker.stopped()
    assert order == ["stop Dispatcher", "stop Delivery", "stop Reader"]
