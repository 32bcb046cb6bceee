"""Keys of operators are known until they are revoked."""

from serve_app.domain.account import Scope
from serve_app.domain.ids import new_id
from serve_app.domain.operator_key import mint_operator_key
from serve_app.store.base import Store
from tests.support import NOON


async def test_a_key_is_known_until_it_is_revoked(store: Store) -> None:
    (early, _), (late, _) = (mint_operator_key(name, Scope.READ, NOON) for name in ("report", "billing"))
    for key in (early, late):
        await store.operator_keys.add(key)
    assert await store.operator_keys.list_all() == [late, early]
    assert await store.operator_keys.find(early.hash) == early
    assert await store.operator_keys.revoke(early.id, NOON)
    assert not await store.operator_keys.revoke(early.id, NOON)
    assert not await store.operator_keys.revoke(new_id(), NOON)
    assert await store.operator_keys.find(early.hash) is None
    assert await store.operator_keys.find("unknown") is None
    assert [key.revoked_at for key in await store.operator_keys.list_all()] == [None, NOON]
