"""A loop that finds nothing looks less often, and as often as before once it finds something."""

from serve_app.services.tasks.polling import PollingLoop

QUICK = 0.001


async def pauses(found: list[bool], idle_seconds: float | None) -> list[float]:
    """The pause before each turn but the first, as these turns find something or not."""
    seen: list[float] = []

    async def turn() -> bool:
        seen.append(loop.pause_seconds)
        if len(seen) > len(found):
            loop.stop()
            return False
        return found[len(seen) - 1]

    loop = PollingLoop(turn, QUICK, "looking", idle_seconds)
    await loop.run()
    return seen[1:]


async def test_the_pause_doubles_up_to_its_limit_while_nothing_is_found() -> None:
    found = [False, False, False, True, False]
    assert await pauses(found, 3 * QUICK) == [2 * QUICK, 3 * QUICK, 3 * QUICK, QUICK, 2 * QUICK]


async def test_the_pause_stays_without_a_limit() -> None:
    assert await pauses([False, False, True], None) == [QUICK] * 3
