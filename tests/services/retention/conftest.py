"""Retention on both stores, and the auditor of what it leaves."""

import pytest

from serve_app.services.upkeep.verification import Verification
from serve_app.store.base import Files
from serve_app.store.base.store_check import StoreCheck
from tests.support.databases import KINDS


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def verification(check: StoreCheck, files: Files) -> Verification:
    return Verification(check, files, pause_seconds=0)
