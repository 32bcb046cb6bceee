"""The API of operators: off by default, for their own keys only, and every change in the audit trails."""

import asyncio
import csv
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI
from openapi_spec_validator import validate

from serve_app.api.operator.routes import router
from serve_app.domain.account import Account, AccountLimits, Plan, Scope, sandbox_of
from serve_app.domain.audit import AuditEntry
from serve_app.domain.erased import Erased
from serve_app.domain.ids import new_id
from serve_app.domain.person import Person
from serve_app.domain.retention import Retention
from serve_app.services.accounts.operator_keys import OperatorKeyService
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.web.cookies import SESSION
from tests.api.checks import assert_error
from tests.support import NOON, PDF_BYTES, UNKNOWN_ID, Clock, claim_next
from tests.support.mails import READ
from tests.support.people import make_session

BASE = "/v1/operator"
ACCOUNTS = f"{BASE}/accounts"
EVERY = [(method, route.path) for route in router.routes for method in route.methods]  # type: ignore[attr-defined]
FORM = {"file": ("a.pdf", PDF_BYTES, "application/pdf")}

Trail = Callable[..., Awaitable[list[AuditEntry]]]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"operator_api": True})


@pytest.fixture
async def operator(app: FastAPI, store: Store, clock: Clock) -> AsyncIterator[httpx.AsyncClient]:
    _, raw = await OperatorKeyService(store.operator_keys, clock).create("billing")
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {raw}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://service", headers=headers) as client:
        yield client


@pytest.fixture
def trail(store: Store) -> Trail:
    async def entries(account: Account | None = None) -> list[AuditEntry]:
        return list((await store.audit.page(None if account is None else account.id, 100)).items)

    return entries


def filled(path: str) -> str:
    return path.replace("{id}", str(new_id())).replace("{key_id}", str(new_id())).replace("{name}", "trial")


class TestAccess:
    @pytest.mark.parametrize(("method", "path"), EVERY)
    async def test_it_is_not_there_unless_it_is_switched_on(
        self, app: FastAPI, operator: httpx.AsyncClient, method: str, path: str
    ) -> None:
        services = app.state.services
        off = services.settings.model_copy(update={"operator_api": False})
        app.state.services = replace(services, settings=off)
        for verb in (method, "TRACE"):
            assert_error(await operator.request(verb, filled(path)), 404, "not_found", "route_not_found")

    @pytest.mark.parametrize(("method", "path"), [each for each in EVERY if "openapi" not in each[1]])
    async def test_a_key_of_an_account_is_refused_before_anything_is_read(
        self, client: httpx.AsyncClient, method: str, path: str
    ) -> None:
        answer = await client.request(method, filled(path), content=b"{", params={"limit": "x"})
        assert_error(answer, 401, "authentication_error", "invalid_api_key")

    async def test_a_session_of_an_operator_is_no_key(
        self, anyone: httpx.AsyncClient, store: Store, account: Account
    ) -> None:
        person = Person(new_id(), "ann@example.com", "Ann", NOON, is_operator=True)
        await store.people.add(person)
        session, secret = make_session(person, account)
        await store.sessions.add(session)
        cookies = {"Cookie": f"{SESSION}={secret}", "Origin": "http://service"}
        for method in ("GET", "POST"):
            answer = await anyone.request(method, ACCOUNTS, headers=cookies, json={})
            assert_error(answer, 401, "authentication_error", "missing_api_key")

    async def test_a_revoked_key_is_refused(self, operator: httpx.AsyncClient, store: Store) -> None:
        (key,) = await store.operator_keys.list_all()
        await OperatorKeyService(store.operator_keys).revoke(key.id)
        assert_error(await operator.get(ACCOUNTS), 401, "authentication_error", "invalid_api_key")
        with pytest.raises(LookupError):
            await OperatorKeyService(store.operator_keys).revoke(key.id)

    async def test_it_is_no_key_of_an_account(self, operator: httpx.AsyncClient) -> None:
        for path in ("/v1/me", "/v1/invoices"):
            assert_error(await operator.get(path), 401, "authentication_error", "invalid_api_key")

    async def test_a_reading_key_changes_nothing(self, operator: httpx.AsyncClient, store: Store) -> None:
        _, raw = await OperatorKeyService(store.operator_keys).create("report", Scope.READ)
        operator.headers["Authorization"] = f"Bearer {raw}"
        assert (await operator.get(ACCOUNTS)).status_code == 200
        for method, path in EVERY:
            if method != "GET":
                answer = await operator.request(method, filled(path), json={})
                assert_error(answer, 403, "authentication_error", "insufficient_scope")

    async def test_other_methods_are_refused(self, operator: httpx.AsyncClient) -> None:
        answer = await operator.delete(ACCOUNTS)
        assert_error(answer, 405, "invalid_request_error", "method_not_allowed")
        assert answer.headers["Allow"] == "GET, HEAD, POST"

    async def test_its_requests_are_limited_and_counted(self, operator: httpx.AsyncClient, settings: Settings) -> None:
        answer = await operator.get(ACCOUNTS)
        assert answer.headers["X-RateLimit-Remaining"] == str(settings.rate_limit - 1)


class TestAccounts:
    async def test_an_account_is_created_changed_and_recorded(
        self, operator: httpx.AsyncClient, store: Store, trail: Trail
    ) -> None:
        body = {"plan": "pro", "email": "ann@example.com", "limits": {"running": 3, "budget_per_month": 40.5}}
        created = await operator.post(ACCOUNTS, json=body)
        assert created.status_code == 201
        path = created.headers["Location"]
        account = created.json()
        none = {"documents_per_month": None, "requests_per_minute": None, "running": None, "file_mb": None}
        none |= {"budget_per_month": None}
        assert account["limits"] == none | {"running": 3, "budget_per_month": 40.5}
        assert account["limits_in_force"] == none | {"documents_per_month": 200, "running": 3, "budget_per_month": 40.5}
        assert (await operator.get(path)).json() == account
        no_limits = {"running": None, "budget_per_month": None}
        change = {"plan": "business", "email": "bob@example.com", "limits": no_limits, "suspended": True}
        changed = (await operator.patch(path, json=change)).json()
        assert changed == account | {
            **{"plan": "business", "email": "bob@example.com", "limits": none},
            "limits_in_force": none | {"documents_per_month": 1000},
            "suspended_at": changed["suspended_at"],
        }
        assert changed["suspended_at"] is not None
        assert (await operator.patch(path, json=change)).json() == changed
        assert (await operator.patch(path, json={"suspended": False})).json()["suspended_at"] is None
        entries = await trail()
        actions = ["account.created", "plan.changed", "limits.changed", "account.suspended", "account.resumed"]
        assert [entry.action for entry in entries] == actions[::-1]
        assert {entry.actor.name for entry in entries} == {"operator key billing"}
        assert {entry.target for entry in entries} == {account["id"]}
        (stored,) = (await store.accounts.page(10)).items
        assert [entry.action for entry in await trail(stored)] == [
            *("account.resumed", "account.suspended", "limits.changed", "account.address_changed", "plan.changed")
        ]

    @pytest.mark.parametrize(
        "change",
        [
            {"plan": "gold"},
            {"email": "nobody"},
            {"limits": {"running": 0}},
            {"limits": {"file_mb": 16}},
            {"limits": {"budget_per_month": 0}},
            {"limits": {"budget_per_month": "40"}},
            {"suspended": "yes"},
            {"owner": "x"},
            {},
        ],
    )
    async def test_a_refused_change_changes_nothing(
        self, operator: httpx.AsyncClient, store: Store, account: Account, trail: Trail, change: dict[str, object]
    ) -> None:
        body = change and {"plan": "pro", "limits": {"running": 2}} | change
        answer = await operator.patch(f"{ACCOUNTS}/{account.id}", json=body)
        assert answer.status_code == 400
        assert await store.accounts.get(account.id) == account
        assert await trail() == []

    async def test_accounts_are_listed_in_pages_without_those_of_test_mode(
        self, operator: httpx.AsyncClient, store: Store
    ) -> None:
        accounts = [Account(new_id(), Plan.FREE, NOON) for _ in range(3)]
        for account in accounts:
            await store.accounts.add(account)
        sandbox = sandbox_of(accounts[0], NOON)
        await store.accounts.add(sandbox)
        first = (await operator.get(ACCOUNTS, params={"limit": 2})).json()
        rest = (await operator.get(ACCOUNTS, params={"limit": 2, "starting_after": first["data"][1]["id"]})).json()
        assert [each["id"] for page in (first, rest) for each in page["data"]] == [str(a.id) for a in accounts[::-1]]
        assert (first["has_more"], rest["has_more"]) == (True, False)
        for id in (sandbox.id, new_id(), "x"):
            assert_error(await operator.get(f"{ACCOUNTS}/{id}"), 404, "not_found", "account_not_found")
        answer = await operator.get(ACCOUNTS, params={"starting_after": str(new_id())})
        assert_error(answer, 400, "invalid_request_error", "invalid_parameter")

    async def test_a_repeated_creation_is_answered_again(self, operator: httpx.AsyncClient, store: Store) -> None:
        key = {"Idempotency-Key": "k"}
        first, again = [await operator.post(ACCOUNTS, json={"plan": "pro"}, headers=key) for _ in range(2)]
        assert (again.status_code, again.json()) == (201, first.json())
        assert again.headers["Idempotency-Replayed"] == "true"
        assert "Idempotency-Replayed" not in first.headers
        assert len((await store.accounts.page(10)).items) == 1
        answer = await operator.post(ACCOUNTS, json={"plan": "free"}, headers=key)
        assert_error(answer, 422, "invalid_request_error", "idempotency_key_reused")
        assert (await operator.post(ACCOUNTS, json={"plan": "x"}, headers={"Idempotency-Key": "l"})).status_code == 400
        other = await operator.post(ACCOUNTS, json={"plan": "pro"}, headers={"Idempotency-Key": "l"})
        assert other.status_code == 201


class TestDeletion:
    async def test_an_account_is_deleted_with_all_it_has(
        self, operator: httpx.AsyncClient, client: httpx.AsyncClient, store: Store, files: Files, trail: Trail
    ) -> None:
        made = await operator.post(ACCOUNTS, json={"plan": "pro"}, headers={"Idempotency-Key": "k"})
        path, id = made.headers["Location"], made.json()["id"]
        raw = (await operator.post(f"{path}/keys", json={"name": "ERP"})).json()["key"]
        tenant = {"Authorization": f"Bearer {raw}"}
        for _ in range(2):
            assert (await operator.post("/v1/invoices", files=FORM, headers=tenant)).status_code == 202
        claim = await claim_next(store)
        answer = await operator.delete(path, params={"confirm": id})
        assert (answer.status_code, answer.content) == (204, b"")
        # Whoever was reading a document finds that its invoice is gone.
        assert await store.queue.save_result(claim, READ, NOON) is None
        assert_error(await operator.get("/v1/me", headers=tenant), 401, "authentication_error", "invalid_api_key")
        assert [file async for file in files.list_all() if id in file.key] == []
        assert_error(await operator.delete(path, params={"confirm": id}), 404, "not_found", "account_not_found")
        assert [(entry.action, entry.target) for entry in await trail()][:1] == [("account.deleted", id)]
        assert (await client.get("/v1/me")).status_code == 200
        again = await operator.post(ACCOUNTS, json={"plan": "pro"}, headers={"Idempotency-Key": "k"})
        assert again.json()["id"] != id

    @pytest.mark.parametrize("confirm", [None, "x", UNKNOWN_ID])
    async def test_it_must_be_confirmed(
        self, operator: httpx.AsyncClient, store: Store, account: Account, confirm: str | None
    ) -> None:
        params = {} if confirm is None else {"confirm": confirm}
        answer = await operator.delete(f"{ACCOUNTS}/{account.id}", params=params)
        assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
        assert answer.json()["error"]["param"] == "confirm"
        assert await store.accounts.get(account.id) == account

    async def test_an_account_whose_invoices_the_law_keeps_stays(
        self, operator: httpx.AsyncClient, store: Store, account: Account, trail: Trail
    ) -> None:
        await store.retention.set_rule(account.id, Retention(country="DE"))
        answer = await operator.delete(f"{ACCOUNTS}/{account.id}", params={"confirm": str(account.id)})
        assert_error(answer, 409, "invalid_request_error", "account_kept")
        assert await store.accounts.get(account.id) == account
        assert await trail() == []

    async def test_a_long_deletion_goes_on_after_the_answer(
        self, operator: httpx.AsyncClient, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("serve_app.api.operator.routes.DELETION_SECONDS", 0.01)
        may_end, erase = asyncio.Event(), store.erasure.account

        async def slow(account_id: UUID) -> Erased:
            await may_end.wait()
            return await erase(account_id)

        monkeypatch.setattr(store.erasure, "account", slow)
        path, params = f"{ACCOUNTS}/{account.id}", {"confirm": str(account.id)}
        for _ in range(2):
            answer = await operator.delete(path, params=params)
            assert (answer.status_code, answer.headers["Retry-After"]) == (202, "5")
        may_end.set()
        monkeypatch.setattr("serve_app.api.operator.routes.DELETION_SECONDS", 20)
        # 404 if it has ended before the call.
        assert (await operator.delete(path, params=params)).status_code in {204, 404}
        assert await store.accounts.get(account.id) is None


class TestKeys:
    async def test_a_key_is_created_works_and_is_revoked(
        self, operator: httpx.AsyncClient, store: Store, account: Account, trail: Trail
    ) -> None:
        path = f"{ACCOUNTS}/{account.id}/keys"
        created = await operator.post(path, json={"name": "ERP", "scope": "read"})
        assert created.status_code == 201
        assert created.headers["Cache-Control"] == "no-store"
        key = created.json()
        tenant = {"Authorization": f"Bearer {key.pop('key')}"}
        assert (await operator.get("/v1/me", headers=tenant)).json()["key"]["scope"] == "read"
        assert (await operator.get(path)).json()["data"] == [key]
        for _ in range(2):
            assert (await operator.delete(f"{path}/{key['id']}")).status_code == 204
        assert_error(await operator.get("/v1/me", headers=tenant), 401, "authentication_error", "invalid_api_key")
        assert [entry.action for entry in await trail(account)] == ["key.revoked", "key.created"]
        for id in (new_id(), "x"):
            assert_error(await operator.delete(f"{path}/{id}"), 404, "not_found", "api_key_not_found")

    async def test_a_key_of_another_account_is_unknown(
        self, operator: httpx.AsyncClient, client: httpx.AsyncClient, store: Store, account: Account
    ) -> None:
        other = Account(new_id(), Plan.FREE, NOON)
        await store.accounts.add(other)
        (key,) = await store.keys.of_account(account.id)
        answer = await operator.delete(f"{ACCOUNTS}/{other.id}/keys/{key.id}")
        assert_error(answer, 404, "not_found", "api_key_not_found")
        assert (await client.get("/v1/me")).status_code == 200


class TestUsage:
    async def test_usage_is_answered_as_json_and_csv(
        self, operator: httpx.AsyncClient, client: httpx.AsyncClient, account: Account, store: Store
    ) -> None:
        await client.post("/v1/invoices", files=FORM)
        await store.accounts.add(Account(new_id(), Plan.FREE, NOON))
        listed = (await operator.get(f"{BASE}/usage", params={"months": 2})).json()["data"]
        assert [each["documents"] for each in listed if each["account"] == str(account.id)] == [0, 1]
        of_one = (await operator.get(f"{BASE}/usage", params={"months": 2, "account": str(account.id)})).json()
        assert of_one["data"] == [each for each in listed if each["account"] == str(account.id)]
        answer = await operator.get(f"{BASE}/usage.csv", params={"months": 2})
        assert answer.headers["Content-Type"].startswith("text/csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert [(row["account"], row["month"], int(row["documents"])) for row in rows] == [
            (each["account"], each["month"], each["documents"]) for each in listed
        ]
        answer = await operator.get(f"{BASE}/usage", params={"account": str(new_id())})
        assert_error(answer, 404, "not_found", "account_not_found")
        assert (await operator.get(f"{BASE}/usage", params={"months": 0})).status_code == 400


class TestPlans:
    async def test_a_plan_is_added_applies_and_is_removed(
        self, operator: httpx.AsyncClient, client: httpx.AsyncClient, account: Account, trail: Trail
    ) -> None:
        path = f"{BASE}/plans/trial"
        plan = (await operator.put(path, json={"documents_per_month": 3, "requests_per_minute": 9})).json()
        assert (await operator.get(f"{BASE}/plans")).json()["data"][-1] == plan
        assert (await operator.patch(f"{ACCOUNTS}/{account.id}", json={"plan": "trial"})).status_code == 200
        me = await client.get("/v1/me")
        assert (me.json()["quota"]["limit"], me.headers["X-RateLimit-Limit"]) == (3, "9")
        assert_error(await operator.delete(path), 400, "invalid_request_error", "invalid_parameter")
        await operator.patch(f"{ACCOUNTS}/{account.id}", json={"plan": "free"})
        assert (await operator.delete(path)).status_code == 204
        assert [entry.action for entry in await trail()] == [
            *("plan.removed", "plan.changed", "plan.changed", "plan.defined")
        ]

    @pytest.mark.parametrize("name", ["free", "Gold", "a b"])
    async def test_other_names_are_refused(self, operator: httpx.AsyncClient, name: str) -> None:
        answer = await operator.put(f"{BASE}/plans/{name}", json={"running": 1})
        assert_error(answer, 400, "invalid_request_error", "invalid_parameter")


class TestDocument:
    async def test_its_document_is_apart(self, operator: httpx.AsyncClient) -> None:
        own = (await operator.get(f"{BASE}/openapi.json")).json()
        assert {path for path in own["paths"]} == {path for _, path in EVERY if "openapi" not in path}
        assert not any("operator" in path for path in (await operator.get("/v1/openapi.json")).json()["paths"])
        assert not any("account_suspended" in str(each) for each in own["paths"].values())

    async def test_it_is_valid_openapi_3_1(self, operator: httpx.AsyncClient) -> None:
        own = (await operator.get(f"{BASE}/openapi.json")).json()
        assert own["openapi"].startswith("3.1")
        validate(own)

    async def test_limits_are_those_of_the_domain(self) -> None:
        from serve_app.api.operator.resources import LimitsBody, OperatorLimits

        names = set(AccountLimits.__dataclass_fields__)
        assert set(LimitsBody.model_fields) == set(OperatorLimits.model_fields) == names
