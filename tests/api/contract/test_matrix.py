"""Every endpoint with every trouble that can befall it: status, code and headers of the answer."""

from dataclasses import replace

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account
from serve_app.store.base import Files, Store
from tests.api.conftest import MakeKey
from tests.api.contract import additions
from tests.api.contract.endpoints import Endpoint
from tests.api.contract.errors import ERRORS
from tests.api.contract.mistakes import BAD_CURSORS, BAD_VALUES, MISTAKES, WITH_KEY, Mistake
from tests.api.contract.world import World, build_world, wrong_verbs
from tests.support import Clock

RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
GOOD = Mistake("none", 200, "")
TYPES = {row.code: row.type for row in (*ERRORS, *additions.ERRORS)}


@pytest.fixture
async def world(
    anyone: httpx.AsyncClient, app: FastAPI, make_key: MakeKey, store: Store, files: Files, account: Account
) -> World:
    return await build_world(anyone, app, make_key, store, files, account)


def complaints(answer: httpx.Response, mistake: Mistake) -> list[str]:
    """What is wrong with the answer; nothing where it is as owed."""
    said = answer.json()["error"]
    error = {"type": TYPES[mistake.code], "code": mistake.code, "message": said["message"]}
    error |= {"param": said["param"], "doc_url": f"/docs/errors#{mistake.code}"}
    owed = {
        "status": answer.status_code == mistake.status,
        "envelope": answer.json() == {"error": error} and error["message"] and "secret" not in error["message"],
        "request id": bool(answer.headers.get("X-Request-Id")),
        "rate limit": all((name in answer.headers) is _is_counted(mistake) for name in RATE),
        "retry": (int(answer.headers.get("Retry-After", 0)) > 0) is (mistake.status in (409, 429, 503)),
    }
    return [f"{name}: {answer.status_code} {answer.text} {answer.headers}" for name, is_so in owed.items() if not is_so]


def _is_counted(mistake: Mistake) -> bool:
    """Whether the request had a valid key."""
    return mistake.status != 401 and mistake.key != "none"


async def prepare(world: World, mistake: Mistake) -> None:
    if mistake.services != "sound":
        world.break_services(mistake.services)
    if mistake.key == "spent":
        for _ in range(60):
            await world.client.get("/v1/me", headers=world.keys["spent"])


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name.replace(" ", "-"))
async def test_every_endpoint_answers_each_error_as_owed(world: World, mistake: Mistake) -> None:
    await prepare(world, mistake)
    found: dict[str, list[str]] = {}
    for endpoint in mistake.endpoints:
        verbs = wrong_verbs(endpoint, WITH_KEY)[0] if mistake.wrong_verb else [endpoint.method]
        for verb in verbs:
            answer = await world.send(endpoint, mistake, verb)
            found[f"{verb} {endpoint.path}"] = complaints(answer, mistake)
    assert found
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


async def test_a_wrong_verb_gets_the_right_ones(world: World) -> None:
    for endpoint in WITH_KEY:
        wrong, right = wrong_verbs(endpoint, WITH_KEY)
        answer = await world.send(endpoint, GOOD, wrong[0])
        assert set(answer.headers["Allow"].split(", ")) == right, endpoint.name


async def test_a_bad_value_of_any_parameter_is_reported_by_the_parameters_name(world: World, clock: Clock) -> None:
    wrong = {}
    for endpoint in WITH_KEY:
        for name, kind in (endpoint.query | additions.QUERY.get(endpoint.name, {})).items():
            clock.advance(60)
            cursors = BAD_CURSORS[kind] if name == "starting_after" else ()
            for value in (*BAD_VALUES[kind], *cursors):
                mistake = Mistake(name, 400, "invalid_parameter", params={name: value})
                answer = await world.send(endpoint, mistake)
                error = answer.json()["error"]
                if complaints(answer, mistake) or not error["message"].startswith(name) or error["param"] != name:
                    wrong[f"{endpoint.name} {name}={value}"] = answer.text
    assert wrong == {}


async def test_a_right_request_succeeds_whatever_unknown_parameter_it_has(world: World) -> None:
    for endpoint in WITH_KEY:
        answer = await world.send(endpoint, replace(GOOD, params={"colour": "red"}))
        assert answer.status_code in endpoint.answers, (endpoint.name, answer.text)
        assert all(name in answer.headers for name in (*RATE, "X-Request-Id"))


async def test_an_unknown_property_of_any_json_body_is_refused(world: World) -> None:
    mistake = Mistake("unknown property", 400, "invalid_body", content=b'{"file_url": "https://a.example", "x": 1}')
    for endpoint in WITH_KEY:
        if "application/json" in endpoint.bodies:
            assert complaints(await world.send(endpoint, mistake), mistake) == [], endpoint.name


async def test_a_key_that_may_only_read_may_read_everything(world: World) -> None:
    for endpoint in WITH_KEY:
        if not endpoint.writes:
            answer = await world.send(endpoint, replace(GOOD, key="read"))
            assert answer.status_code == 200, endpoint.name


async def test_what_was_refused_changed_nothing(world: World, store: Store, account: Account) -> None:
    before = await world.send(_get_invoice(), GOOD)
    listed = await world.client.get("/v1/invoices", headers=world.keys["full"])
    for mistake in MISTAKES[:13]:
        for endpoint in mistake.endpoints:
            if endpoint.writes and not mistake.wrong_verb:
                await world.send(endpoint, mistake)
    assert (await world.send(_get_invoice(), GOOD)).json() == before.json()
    assert (await world.client.get("/v1/invoices", headers=world.keys["full"])).json() == listed.json()


def _get_invoice() -> Endpoint:
    return next(endpoint for endpoint in WITH_KEY if endpoint.name == "GET /v1/invoices/{id}")
