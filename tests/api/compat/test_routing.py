"""Adapters are off by default, and are no part of the OpenAPI document."""

import httpx
import pytest
from fastapi import FastAPI

from serve_app.settings import Settings
from tests.api.checks import assert_error

PATHS = ["/compat/mindee/v2/jobs/1", "/compat/aws", "/compat/azure/formrecognizer/info"]


class TestOff:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"compat": ""})

    @pytest.mark.parametrize("path", PATHS)
    async def test_their_paths_do_not_exist(self, client: httpx.AsyncClient, path: str) -> None:
        assert_error(await client.get(path), 404, "not_found", "route_not_found")


class TestOn:
    def test_the_openapi_document_leaves_them_out(self, app: FastAPI) -> None:
        assert not [path for path in app.openapi()["paths"] if path.startswith("/compat")]
