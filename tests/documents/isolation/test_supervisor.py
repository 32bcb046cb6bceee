"""When the process that reads is replaced."""

from collections.abc import Callable
from typing import ClassVar

import pytest

from serve_app.documents.isolation import supervisor
from serve_app.documents.isolation.messages import MissingLayers
from serve_app.documents.isolation.supervisor import RENEW_AFTER, Supervisor
from serve_app.documents.limits import MIB, Limits
from serve_app.documents.options import ReadOptions


class FakeChild:
    """A process that only says how large it has become."""

    missing: ClassVar[MissingLayers] = {}
    is_alive = True

    def __init__(self, *_: object) -> None:
        self.answered = 0
        self.growth = 0
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Callable[[Supervisor], FakeChild]:
    """Has the supervisor start a process that is none."""
    started: list[FakeChild] = []

    def start(*_: object) -> FakeChild:
        started.append(FakeChild())
        return started[-1]

    def first(reader: Supervisor) -> FakeChild:
        reader.start()
        return started[0]

    monkeypatch.setattr(supervisor, "Child", start)
    return first


def supervisor_of(mib: int) -> Supervisor:
    return Supervisor(ReadOptions(Limits(max_memory_bytes=mib * MIB)))


class TestTidying:
    def test_a_process_that_has_met_pictures_of_all_sizes_stays(self, child: Callable[[Supervisor], FakeChild]) -> None:
        reader = supervisor_of(3072)
        first = child(reader)
        first.growth = 1500 * MIB
        reader.tidy()
        assert not first.is_closed

    def test_a_process_that_has_grown_further_is_replaced(self, child: Callable[[Supervisor], FakeChild]) -> None:
        reader = supervisor_of(3072)
        first = child(reader)
        first.growth = 1600 * MIB
        reader.tidy()
        assert first.is_closed

    def test_a_process_is_replaced_after_many_documents(self, child: Callable[[Supervisor], FakeChild]) -> None:
        reader = supervisor_of(3072)
        first = child(reader)
        first.answered = RENEW_AFTER
        reader.tidy()
        assert first.is_closed
