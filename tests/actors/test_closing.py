"""A replica that stops closes what it has opened."""

import asyncio
from typing import Any, cast

import pytest

from actors.delivery import Delivery
from actors.dispatcher import Dispatcher
from actors.ingress import Ingress
from actors.reader import Lane, Reader


class Opened:
    """Anything that is open until it is closed, and the loop of a replica that is broken."""

    def __init__(self) -> None:
        self.is_closed = False

    async def close(self) -> None:
        self.is_closed = True

    def close_in_thread(self) -> None:
        self.is_closed = True

    def stop(self) -> None: ...

    def cancel(self) -> None: ...


def replica_of(deployment: Any, **parts: Any) -> Any:
    """A replica without its own set-up, which opens real stores."""
    kind = cast(Any, deployment).func_or_class
    replica: Any = object.__new__(type("Replica", (), {"stopped": kind.__del__}))
    for name, part in parts.items():
        setattr(replica, name, part)
    return replica


class Store:
    def __init__(self) -> None:
        self.connection = Opened()


async def broken() -> None:
    raise RuntimeError("the loop broke")


async def test_the_ingress_closes_its_cutter_and_both_stores() -> None:
    opened = [Opened(), Opened(), Opened()]
    replica = replica_of(Ingress, _opened=[part.close for part in opened])
    await replica.stopped()
    assert all(part.is_closed for part in opened)


async def test_an_ingress_that_never_served_has_nothing_to_close() -> None:
    await replica_of(Ingress, _opened=[]).stopped()


async def test_the_reader_closes_its_processes_and_its_files() -> None:
    files, processes = Opened(), [Opened(), Opened(), Opened()]
    for process in processes:
        process.close = process.close_in_thread  # type: ignore[method-assign,assignment]
    new, later = (Lane(cast(Any, process)) for process in processes[:2])
    await replica_of(Reader, _files=files, _new=new, _later=later, _validator=processes[2]).stopped()
    assert files.is_closed
    assert all(process.is_closed for process in processes)


async def test_a_delivery_whose_loop_broke_closes_its_stores() -> None:
    store, files = Store(), Opened()
    loop = asyncio.ensure_future(broken())
    replica = replica_of(Delivery, _store=store, _files=files, _loop=loop, _deliverer=Opened(), _publishing=Opened())
    with pytest.raises(RuntimeError, match="broke"):
        await replica.stopped()
    assert store.connection.is_closed
    assert files.is_closed


async def test_a_dispatcher_whose_loop_broke_closes_its_stores() -> None:
    class Stoppable:
        async def stop(self) -> None: ...

    store, files = Store(), Opened()
    loop = asyncio.ensure_future(broken())
    parts = {"_store": store, "_files": files, "_loop": loop, "_publishing": Opened()}
    beside = dict.fromkeys(("_caring", "_checking_pins"), Opened())
    replica = replica_of(Dispatcher, **parts, **beside, _dispatcher=Stoppable())
    with pytest.raises(RuntimeError, match="broke"):
        await replica.stopped()
    assert store.connection.is_closed
    assert files.is_closed
