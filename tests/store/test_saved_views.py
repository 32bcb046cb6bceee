"""Saved views are a person's own, and go when the person leaves the account."""

from dataclasses import replace

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.person import Changed, Role
from serve_app.domain.saved_view import SavedView
from serve_app.store.base import Store
from tests.support.people import add_member


async def test_a_view_is_kept_replaced_and_removed_by_its_person_alone(store: Store, account: Account) -> None:
    ann = await add_member(store, account, "ann@example.com", Role.OWNER)
    bob = await add_member(store, account, "bob@example.com", Role.VIEWER)
    views = [SavedView(new_id(), account.id, ann.id, name, "paid=false") for name in ("One", "Two")]
    for view in views:
        await store.saved_views.put(view)
    assert await store.saved_views.of_person(account.id, ann.id) == views
    assert await store.saved_views.of_person(account.id, bob.id) == []
    assert await store.saved_views.of_person(new_id(), ann.id) == []
    await store.saved_views.put(replace(views[0], person_id=bob.id, name="Stolen"))
    renamed = replace(views[0], name="First", state="")
    await store.saved_views.put(renamed)
    assert await store.saved_views.of_person(account.id, ann.id) == [renamed, views[1]]
    assert await store.saved_views.of_person(account.id, bob.id) == []
    assert not await store.saved_views.remove(account.id, bob.id, renamed.id)
    assert await store.saved_views.remove(account.id, ann.id, renamed.id)
    assert not await store.saved_views.remove(account.id, ann.id, renamed.id)


async def test_they_go_with_the_membership(store: Store, account: Account) -> None:
    await add_member(store, account, "ann@example.com", Role.OWNER)
    bob = await add_member(store, account, "bob@example.com", Role.VIEWER)
    view = SavedView(new_id(), account.id, bob.id, "One", "paid=false")
    await store.saved_views.put(view)
    assert await store.memberships.remove(account.id, bob.id) is Changed.DONE
    assert await store.saved_views.of_person(account.id, bob.id) == []
    await store.saved_views.put(view)
    assert await store.saved_views.of_person(account.id, bob.id) == []
