"""What a test of this folder promises holds for every kind of store."""

import pytest

from serve_app.settings import Settings
from serve_app.store.base.books import Books
from serve_app.store.factory import open_books
from tests.support.databases import KINDS, Database


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def books(settings: Settings, database: Database) -> Books:
    if database.client is None:
        return open_books(settings)
    from serve_app.store.mongo.store import open_mongo_books

    return open_mongo_books(database.url, database.client)
