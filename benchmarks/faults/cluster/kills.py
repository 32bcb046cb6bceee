"""Kills machines, proxies and the control store in turn, and notes who felt it."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.faults.cluster.machine import Machine
from benchmarks.faults.cluster.service import ClusterService
from benchmarks.faults.cluster.watch import Look, Watch
from benchmarks.faults.ledger import Ledger
from benchmarks.faults.processes import kill as kill_processes
from benchmarks.faults.settled import open_work

MACHINE, PROXY, GCS = "machine", "proxy", "GCS"
_JUST_S = 5.0
_CALM_S = 8.0
_CALM_WITHIN_S = 240.0
_WORK_WITHIN_S = 20.0
_PROXIES = ("ProxyActor", "haproxy -f")


@dataclass(frozen=True, slots=True)
class Kill:
    """What was killed, where and when (time.monotonic()), and what came of it until `until`. `others` are the other
    machines that answered just before; `back_s` is how long it took until the machine that was hit answered HTTP again,
    `others_back_s` the same of the others; `lost` are the unanswered looks by machine."""

    what: str
    machine: str
    at: float
    until: float
    others: frozenset[str]
    back_s: float
    others_back_s: float
    looks: int
    lost: Counter[str]
    is_calm: bool

    @property
    def name(self) -> str:
        return _name(self.what, self.machine)

    @property
    def lost_elsewhere(self) -> int:
        return sum(self.lost[machine] for machine in self.others)


class Kills:
    """One after the other, in random order, or `only` those that are named; the next one falls when all machines answer
    again."""

    def __init__(
        self, service: ClusterService, watch: Watch, ledger: Ledger, seed: int, only: Sequence[str] = ()
    ) -> None:
        self._service = service
        self._watch = watch
        self._ledger = ledger
        every = [(MACHINE, machine) for machine in service.machines]
        every += [(PROXY, machine) for machine in service.machines]
        every += [(GCS, service.head)]
        named = {_name(what, machine.name): (what, machine) for what, machine in every}
        # The last one falls first.
        chosen = [named[name] for name in reversed(only)]
        self._left = chosen or Random(seed).sample(every, len(every))  # noqa: S311 - variety, not secrecy
        self.done: list[Kill] = []

    def fall(self, is_over: Callable[[], bool]) -> None:
        """Returns when all have fallen, or nothing is sent any more."""
        while self._left and not is_over():
            self._strike(*self._left.pop())

    def _strike(self, what: str, machine: Machine) -> None:
        end = time.monotonic() + _WORK_WITHIN_S
        while (unfinished := open_work(self._service)["unfinished"]) == 0 and time.monotonic() < end:
            time.sleep(0.05)
        at = time.monotonic()
        others = self._watch.well_since(at - _JUST_S) - {machine.name}
        if what == MACHINE:
            machine.kill()
        else:
            process = machine.process("gcs_server") if what == GCS else machine.process(*_PROXIES)
            if process is None:
                return
            kill_processes([process])
        until = self._calm(at)
        looks = [look for look in self._watch.since(at) if look.began < until]
        unanswered = [look for look in looks if not look.is_answered]
        kill = Kill(
            what=what,
            machine=machine.name,
            at=at,
            until=until,
            others=others,
            back_s=_until([look for look in unanswered if look.machine == machine.name], at),
            others_back_s=_until([look for look in unanswered if look.machine in others], at),
            looks=len(looks),
            lost=Counter(look.machine for look in unanswered),
            is_calm=until - at < _CALM_WITHIN_S,
        )
        self.done.append(kill)
        self._ledger.kills[kill.name] += 1
        self._ledger.hit[kill.name] += unfinished
        print(f"{kill.name}: back after {kill.back_s:.1f} s, unanswered {dict(kill.lost)} of {kill.looks}", flush=True)
        for look in (look for look in unanswered if look.machine in others):
            print(
                f"  {look.machine}: {look.answer} {look.ended - at:.1f} s later, asked {look.began - at:.1f} s later",
                flush=True,
            )

    def _calm(self, at: float) -> float:
        """The moment from which all machines have answered for a while."""
        time.sleep(_CALM_S)
        while time.monotonic() - at < _CALM_WITHIN_S and not self._watch.all_answered(time.monotonic() - _CALM_S):
            time.sleep(0.5)
        return time.monotonic()


def _name(what: str, machine: str) -> str:
    return machine if what == MACHINE else f"{what} of {machine}"


def _until(unanswered: list[Look], at: float) -> float:
    return max((look.ended - at for look in unanswered), default=0.0)
