"""What a call has confirmed stays, although a failover takes back a write that no majority confirmed: whichever write
it is, and although the caller repeated the call when it got a 503."""

import inspect
from contextlib import suppress

import pytest

from tests.store import mongo_hook_verbs, mongo_mail_verbs, mongo_verbs
from tests.store.mongo_faults import Fault, Kind, background_done
from tests.store.mongo_scene import NotConfirmed, Scene, Verb

VERBS: dict[str, Verb] = {
    name: verb
    for module in (mongo_verbs, mongo_hook_verbs, mongo_mail_verbs)
    for name, verb in inspect.getmembers(module, inspect.iscoroutinefunction)
    if verb.__module__ == module.__name__ and not name.startswith("_")
}


async def played(verb: Verb, fault: Fault) -> None:
    """The call with the fault; fails if what it confirmed is not kept."""
    scene = Scene(fault)
    await scene.sound.accounts.add(scene.account)
    await scene.store.accounts.get(scene.account.id)
    await background_done()
    with suppress(NotConfirmed):
        is_kept = await verb(scene)
        await fault.fail_over()
        assert await is_kept()


@pytest.mark.parametrize("verb", VERBS)
async def test_what_a_call_confirmed_stays(verb: str) -> None:
    quiet = Fault(Kind.ROLLED_BACK)
    await played(VERBS[verb], quiet)
    assert quiet.strikes
    for at in quiet.strikes:
        for length in (1, 2):
            try:
                await played(VERBS[verb], Fault(Kind.ROLLED_BACK, at, length))
            except Exception as error:
                raise AssertionError(f"{length} writes from operation {at} on were taken back") from error
