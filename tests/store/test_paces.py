"""What dispatchers tell each other about their speed."""

from dataclasses import replace
from datetime import timedelta

from serve_app.domain.load import PageKind
from serve_app.domain.pace import PACE_LIFE, Pace, Stage
from serve_app.store.base import Store
from tests.support import NOON

COSTS = {(Stage.READ, PageKind.SCAN): 2.5, (Stage.VERIFY, PageKind.TEXT): 0.125}
PACE = Pace("a", NOON, COSTS, 3.5)


async def test_the_latest_pace_of_each_dispatcher_is_kept(store: Store) -> None:
    later = NOON + timedelta(seconds=1)
    await store.paces.note(replace(PACE, costs={}, speed=None))
    await store.paces.note(replace(PACE, worker="b", at=later, speed=None))
    await store.paces.note(PACE)
    assert await store.paces.since(NOON) == [PACE, replace(PACE, worker="b", at=later, speed=None)]
    assert [pace.worker for pace in await store.paces.since(later)] == ["b"]


async def test_the_pace_of_one_that_is_gone_expires(store: Store) -> None:
    await store.paces.note(PACE)
    assert await store.upkeep.expire(NOON + PACE_LIFE - timedelta(seconds=1)) == 0
    assert await store.upkeep.expire(NOON + PACE_LIFE) == 1
    assert await store.paces.since(NOON) == []
