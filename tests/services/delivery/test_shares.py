"""How many endpoints are served at a time."""

from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.ids import new_id
from serve_app.domain.webhook import LaneRoom
from serve_app.services.delivery.shares import Share, Shares


@dataclass
class Serving:
    account_id: UUID
    is_slow: bool


def many(count: int, is_slow: bool) -> list[Serving]:
    """Each of another account."""
    return [Serving(new_id(), is_slow) for _ in range(count)]


def test_slow_endpoints_have_a_share_of_their_own_and_accounts_have_their_limits() -> None:
    shares = Shares(prompt=Share(4, 2), slow=Share(2, 1), most=Share(8, 4))
    one, two = new_id(), new_id()
    assert shares.room([], slow=False) == LaneRoom(4, 2)
    prompt = [Serving(one, False), Serving(one, False), Serving(two, False)]
    assert shares.room(prompt, slow=False) == LaneRoom(1, 2, {one: 0, two: 1})
    assert shares.room(prompt, slow=True) == LaneRoom(1, 1, {one: 1, two: 1})
    full = [*prompt, Serving(two, False)]
    assert shares.room(full, slow=False).in_all == 0
    # One of them turns slow while it is served: another may take its place.
    full[0].is_slow = True
    assert shares.room(full, slow=False) == LaneRoom(1, 2, {one: 1, two: 0})
    assert shares.room(full[:2], slow=True) == LaneRoom(1, 1, {one: 0})


def test_no_more_than_the_most_are_served() -> None:
    shares = Shares(prompt=Share(4, 2), slow=Share(2, 1), most=Share(8, 4))
    assert shares.room(many(8, is_slow=True), slow=False).in_all == 0
    assert shares.room(many(7, is_slow=True), slow=False).in_all > 0


def test_those_that_are_known_to_be_slow_leave_room_for_all_prompt_ones() -> None:
    shares = Shares(prompt=Share(4, 2), slow=Share(6, 1), most=Share(8, 4))
    assert shares.room(many(3, is_slow=True), slow=True).in_all > 0
    taken = many(4, is_slow=True)
    assert shares.room(taken, slow=True).in_all == 0
    for _ in range(4):
        assert shares.room(taken, slow=False).in_all > 0
        taken += many(1, is_slow=False)


def test_one_account_leaves_room_for_others_however_many_of_its_endpoints_turn_slow() -> None:
    shares, one = Shares(prompt=Share(4, 2), slow=Share(2, 1), most=Share(8, 4)), new_id()
    hanging = [Serving(one, True) for _ in range(4)]
    assert shares.room(hanging, slow=False).full_accounts == [one]
