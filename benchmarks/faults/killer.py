"""Kills what the service is made of, at random moments while documents are in work."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

from benchmarks.faults.ledger import Ledger
from benchmarks.faults.processes import kill
from benchmarks.faults.service import Service
from benchmarks.faults.settled import open_work

REPLICAS = ("Ingress", "Dispatcher", "Delivery", "Reader", "Extractor", "Verifier")
NODE = "whole node"
_GAP_S = (4.0, 10.0)
# The node dies when this share of the documents was accepted.
_NODE_AT = 0.75
_REPLICA_WITHIN_S = 60.0
_WORK_WITHIN_S = 10.0


class Killer:
    """SIGKILL by process id: every replica in turn, in random order, and late in the run everything at once."""

    def __init__(self, service: Service, ledger: Ledger, seed: int, accepted_share: Callable[[], float]) -> None:
        self._service = service
        self._ledger = ledger
        self._rng = Random(seed)  # noqa: S311 - variety, not secrecy
        self._accepted_share = accepted_share
        self._deck: list[str] = []
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """No kill begins after this; what was begun is ended by `run`."""
        self._stopping.set()

    async def run(self) -> None:
        """Kills until it is told to stop; the whole node once, and starts it again on the same data."""
        while self._accepted_share() < _NODE_AT:
            await self._kill_a_replica()
        await asyncio.to_thread(self._kill_node)
        await asyncio.to_thread(self._service.start)
        while not self._stopping.is_set():
            await self._kill_a_replica()

    async def _kill_a_replica(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), self._rng.uniform(*_GAP_S))
            return
        self._deck = self._deck or self._rng.sample(REPLICAS, len(REPLICAS))
        name = self._deck.pop()
        await asyncio.to_thread(self._strike, name)

    def _strike(self, name: str) -> None:
        end = time.monotonic() + _REPLICA_WITHIN_S
        while (process := self._service.replica(name)) is None and time.monotonic() < end:
            self._service.check_alive()
            time.sleep(0.5)
        if process is not None:
            self._note(name)
            kill([process])

    def _kill_node(self) -> None:
        self._note(NODE)
        self._service.kill_node()

    def _note(self, name: str) -> None:
        """Wait a while for a moment at which the kill does harm, and note it."""
        end = time.monotonic() + _WORK_WITHIN_S
        while (unfinished := open_work(self._service)["unfinished"]) == 0 and time.monotonic() < end:
            time.sleep(0.02)
        self._ledger.kills[name] += 1
        self._ledger.hit[name] += unfinished
