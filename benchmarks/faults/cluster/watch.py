"""Watches HTTP on each machine, several times a second."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.faults.cluster.machine import Machine
from benchmarks.faults.cluster.service import answer

_PAUSE_S = 0.25


@dataclass(frozen=True, slots=True)
class Look:
    """One call of `/livez`; `began` and `ended` are of time.monotonic(), `answer` is a status or what came instead."""

    machine: str
    began: float
    ended: float
    answer: str

    @property
    def is_answered(self) -> bool:
        return self.answer == "200"


class Watch:
    """Looks from its start to its stop, at each machine in a thread of its own."""

    def __init__(self, machines: Sequence[Machine]) -> None:
        self.looks: list[Look] = []
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._watch, args=(machine,), daemon=True) for machine in machines]
        self._machines = {machine.name for machine in machines}

    def start(self) -> None:
        """Begin to look."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Returns when no look is made any more."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def all_answered(self, since: float) -> bool:
        """Whether each machine has been asked since then, and has answered whenever it was."""
        return self.well_since(since) == self._machines

    def well_since(self, moment: float) -> frozenset[str]:
        """The machines that have been asked since then, and have answered whenever they were."""
        looks = self.since(moment)
        return frozenset(look.machine for look in looks) - {look.machine for look in looks if not look.is_answered}

    def since(self, moment: float) -> list[Look]:
        """The looks that began at this moment or later."""
        return [look for look in list(self.looks) if look.began >= moment]

    def _watch(self, machine: Machine) -> None:
        while not self._over.wait(_PAUSE_S):
            began = time.monotonic()
            got = answer(machine, "/livez")
            self.looks.append(Look(machine.name, began, time.monotonic(), got))
