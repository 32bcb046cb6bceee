"""What is deprecated says so, and until when it works."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI

from serve_app.api import deprecation
from serve_app.api.app import create_api
from serve_app.api.deprecation import NOTICE, Deprecation, DeprecationHeaders, mark_deprecated

SINCE = datetime(2026, 3, 1, tzinfo=UTC)
ROUTE = Deprecation("GET /things/{id}", SINCE, SINCE + timedelta(days=730))
PARAMETER = Deprecation("GET /things", SINCE, SINCE + timedelta(days=400), parameter="old")


def stand_in() -> FastAPI:
    app = FastAPI()

    @app.get("/things/{id}")
    async def thing(id: int) -> int:
        return id

    @app.get("/things")
    async def things(old: int = 0, new: int = 0) -> int:
        return old + new

    return app


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = DeprecationHeaders(stand_in(), (ROUTE, PARAMETER))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://service") as client:
        yield client


class TestHeaders:
    async def test_a_deprecated_route_has_both_dates(self, client: httpx.AsyncClient) -> None:
        answer = await client.get("/things/7")
        assert answer.json() == 7
        assert answer.headers["Deprecation"] == "@1772323200"
        assert answer.headers["Sunset"] == "Tue, 29 Feb 2028 00:00:00 GMT"
        assert answer.headers["Link"] == '</docs>; rel="deprecation"; type="text/html"'

    async def test_its_errors_have_them_too(self, client: httpx.AsyncClient) -> None:
        answer = await client.get("/things/x")
        assert answer.status_code == 422
        assert "Deprecation" in answer.headers

    @pytest.mark.parametrize(("query", "is_deprecated"), [("?old=1", True), ("?new=1", False), ("", False)])
    async def test_a_deprecated_parameter_counts_only_where_it_is_sent(
        self, client: httpx.AsyncClient, query: str, is_deprecated: bool
    ) -> None:
        answer = await client.get(f"/things{query}")
        assert ("Sunset" in answer.headers, "Deprecation" in answer.headers) == (is_deprecated, is_deprecated)

    async def test_other_routes_have_none(self, client: httpx.AsyncClient) -> None:
        assert "Deprecation" not in (await client.get("/nothing")).headers


def test_what_is_deprecated_works_for_a_year_at_least() -> None:
    with pytest.raises(ValueError, match="365 days"):
        Deprecation("GET /things", SINCE, SINCE + NOTICE - timedelta(days=1))


def test_the_description_marks_it() -> None:
    document = stand_in().openapi()
    mark_deprecated(document, (ROUTE, PARAMETER))
    assert document["paths"]["/things/{id}"]["get"]["deprecated"] is True
    parameters = {each["name"]: each for each in document["paths"]["/things"]["get"]["parameters"]}
    assert [name for name, each in parameters.items() if each.get("deprecated")] == ["old"]
    with pytest.raises(KeyError):
        mark_deprecated(document, (Deprecation("GET /nothing", SINCE, SINCE + NOTICE),))


def test_the_api_marks_and_announces_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deprecation, "DEPRECATIONS", (Deprecation("GET /v1/vendors", SINCE, SINCE + NOTICE),))
    document = create_api().openapi()
    marked = [path for path, verbs in document["paths"].items() if verbs.get("get", {}).get("deprecated")]
    assert marked == ["/v1/vendors"]
