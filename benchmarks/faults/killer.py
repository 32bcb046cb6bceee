"""Kills and freezes what the service is made of, at random moments while documents are in work."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

import psutil

from benchmarks.faults.ledger import Ledger
from benchmarks.faults.mail_listener import MailListener
from benchmarks.faults.processes import freeze, kill
from benchmarks.faults.service import Service
from benchmarks.faults.settled import open_work

REPLICAS = ("Ingress", "Coordinator", "Reader", "Extractor", "Verifier")
PROXY, CONTROLLER = "proxy", "controller"
LISTENER = "mail listener"
NODE = "whole node"
# Those that hold leases; what they believe when they go on may be out of date.
FROZEN = ("Coordinator", "Ingress")
_FROZEN = " frozen"
TARGETS = (*REPLICAS, PROXY, CONTROLLER, *(name + _FROZEN for name in FROZEN))
# From shorter than a heartbeat to longer than a lease.
_FROZEN_S = (4.0, 40.0)
_GAP_S = (4.0, 10.0)
# The node dies when this share of the documents was accepted.
_NODE_AT = 0.75
_REPLICA_WITHIN_S = 60.0
_WORK_WITHIN_S = 10.0


class Killer:
    """Signals by process id: SIGKILL to every replica, Serve's proxy and its controller in turn, SIGSTOP for a while to
    the holders of leases, in random order; and late in the run SIGKILL to everything at once."""

    def __init__(
        self,
        service: Service,
        ledger: Ledger,
        seed: int,
        accepted_share: Callable[[], float],
        listener: MailListener | None = None,
    ) -> None:
        self._listener = listener
        self._service = service
        self._ledger = ledger
        self._rng = Random(seed)  # noqa: S311 - variety, not secrecy
        self._accepted_share = accepted_share
        self._deck: list[str] = []
        self._freezing: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """No kill begins after this; what was begun is ended by `run`."""
        self._stopping.set()

    async def run(self) -> None:
        """Kills until it is told to stop; the whole node once, and starts it again on the same data."""
        while self._accepted_share() < _NODE_AT:
            await self._strike_one()
        await self._thaw()
        await asyncio.to_thread(self._kill_node)
        await asyncio.to_thread(self._service.start)
        while not self._stopping.is_set():
            await self._strike_one()
        await self._thaw()

    async def _strike_one(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), self._rng.uniform(*_GAP_S))
            return
        self._deck = self._deck or self._rng.sample(self._targets, len(self._targets))
        target = self._deck.pop()
        process = await asyncio.to_thread(self._find, target.removesuffix(_FROZEN))
        if process is None:
            return
        await asyncio.to_thread(self._note, target)
        if target.endswith(_FROZEN):
            await self._thaw()
            seconds = self._rng.uniform(*_FROZEN_S)
            self._freezing = asyncio.create_task(asyncio.to_thread(freeze, process, seconds))
        else:
            await asyncio.to_thread(kill, [process])

    @property
    def _targets(self) -> tuple[str, ...]:
        return TARGETS if self._listener is None else (*TARGETS, LISTENER)

    async def _thaw(self) -> None:
        """Wait until what is frozen goes on; one process at a time, so that there is always one that works."""
        if self._freezing is not None:
            await self._freezing
            self._freezing = None

    def _find(self, name: str) -> psutil.Process | None:
        """The process, when there is one within a while: what was killed before has to come back first."""
        find = {PROXY: self._service.proxy, CONTROLLER: self._service.controller}.get(name)
        if name == LISTENER and self._listener is not None:
            find = self._listener.process
        end = time.monotonic() + _REPLICA_WITHIN_S
        while (process := find() if find else self._service.replica(name)) is None and time.monotonic() < end:
            self._service.check_alive()
            time.sleep(0.5)
        return process

    def _kill_node(self) -> None:
        self._note(NODE)
        self._service.kill_node()
        if self._listener is not None:
            self._listener.stop()

    def _note(self, name: str) -> None:
        """Wait a while for a moment at which the kill does harm, and note it."""
        end = time.monotonic() + _WORK_WITHIN_S
        while (unfinished := open_work(self._service)["unfinished"]) == 0 and time.monotonic() < end:
            time.sleep(0.02)
        self._ledger.kills[name] += 1
        self._ledger.hit[name] += unfinished
