"""What a test of this folder promises holds for every kind of store."""

import pytest

from serve_app.settings import Settings
from serve_app.store.base.store_check import StoreCheck
from serve_app.store.factory import open_store_check
from tests.support.databases import KINDS, Database


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def check(settings: Settings, database: Database) -> StoreCheck:
    if database.client is None:
        return open_store_check(settings)
    from serve_app.store.mongo.store import open_mongo_check

    return open_mongo_check(database.url, database.client)
