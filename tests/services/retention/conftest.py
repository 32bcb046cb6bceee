"""Retention on both stores, and the auditor of what it leaves."""

import pytest

from serve_app.services.upkeep.verification import Verification
from serve_app.settings import Settings
from serve_app.store.base import Files
from serve_app.store.factory import open_store_check
from serve_app.store.mongo.store import open_mongo_check
from tests.support.databases import KINDS, Database


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def verification(settings: Settings, database: Database, files: Files) -> Verification:
    is_mongodb = database.client is not None
    check = open_mongo_check(database.url, database.client) if is_mongodb else open_store_check(settings)
    return Verification(check, files, pause_seconds=0)
