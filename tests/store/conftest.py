"""What a test of this folder promises holds for every kind of store."""

import pytest

from tests.support.databases import KINDS


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)
