"""The quick start, plan and use, and the operators' screens."""

import io
import json
import re
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal
from html import unescape
from urllib.parse import quote
from uuid import UUID

import httpx
import pytest
from pydantic import SecretStr

from serve_app.domain.account import Account, AccountLimits, Plan, Scope, hash_key
from serve_app.domain.invoice import Failure, FailureCode
from serve_app.domain.person import Role
from serve_app.domain.retention import Retention
from serve_app.domain.target_precision import TargetPrecision
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support import (
    MONTH,
    NOON,
    UNKNOWN_ID,
    Clock,
    claim_next,
    make_record,
    newest_events,
    queue_invoice,
    queue_new,
)
from tests.support.mails import READ, complete_invoice
from tests.support.webhooks import URL, manage_endpoints
from tests.web.conftest import Browse


class TestTargetPrecision:
    async def test_an_owner_chooses_one(
        self, browse: Browse, services: Services, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(services.targets, "_fitted", lambda: TargetPrecision)
        browser = browse()
        page = (await browser.get("/app/account")).text
        assert '<option value="default" selected>Default (99 %)</option>' in page
        answer = await browser.post("/app/account/target-precision", data={"target": "0.995"})
        assert answer.status_code == 303
        page = (await browser.get("/app/account")).text
        assert '<option value="0.995" selected>99.5 %</option>' in page
        assert "The target is that 99.5 % of" in page
        assert [entry.action for entry in (await store.audit.page(account.id, 10)).items] == [
            "account.target_precision_changed"
        ]

    async def test_one_that_is_not_offered_is_refused_with_the_list(
        self, browse: Browse, services: Services, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(services.targets, "_fitted", lambda: [TargetPrecision.STANDARD])
        answer = await browse().post("/app/account/target-precision", data={"target": "0.995"})
        assert answer.status_code == 400
        assert "Choose a target precision: 0.99, default." in answer.text

    @pytest.mark.parametrize("role", [Role.REVIEWER, Role.VIEWER])
    async def test_others_only_see_it(self, browse: Browse, role: Role) -> None:
        browser = browse(role)
        page = (await browser.get("/app/account")).text
        assert "The target is that 99 % of" in page
        assert 'name="target"' not in page
        assert (await browser.post("/app/account/target-precision", data={"target": "0.99"})).status_code == 403


class TestQuickStart:
    async def test_the_key_just_made_is_in_the_example_and_works(
        self, browse: Browse, store: Store, account: Account
    ) -> None:
        browser = browse()
        assert "inv_live_" not in (await browser.get("/app/quick-start")).text
        page = unescape((await browser.post("/app/quick-start")).text)
        raw = re.findall(r'class="secret">([^<]+)<', page)[0]
        assert f"export INVOICES_KEY='{raw}'" in page
        caller = await store.keys.find_caller(hash_key(raw), NOON)
        assert caller is not None
        assert (caller.account, caller.key.scope) == (account, Scope.FULL)
        assert [entry.action for entry in (await store.audit.page(account.id, 10)).items] == ["key.created"]

    async def test_the_answer_appears_once_the_document_was_read(
        self, browse: Browse, store: Store, account: Account
    ) -> None:
        browser, since = browse(), quote("2026-05-17T12:00:00+00:00")
        waiting = (await browser.get(f"/app/quick-start/answer?since={since}")).text
        assert "Waiting for the first document" in waiting
        assert "hx-get" in waiting
        await queue_new(store, account.id)
        assert "Being read" in (await browser.get(f"/app/quick-start/answer?since={since}")).text
        evil = READ.model_copy(update={"vendor_name": "<script>x"})
        await store.queue.save_result(await claim_next(store), evil, NOON)
        answer = (await browser.get(f"/app/quick-start/answer?since={since}")).text
        assert "hx-get" not in answer
        assert "<script>x" not in answer
        assert '"vendor_name": "&lt;script&gt;x' in answer.replace("&#34;", '"')
        assert (await browser.get("/app/quick-start/answer?since=now")).status_code == 400

    async def test_programs_get_the_sample_without_a_session(self, browse: Browse) -> None:
        sample = await browse(None).get("/app/quick-start/sample.pdf")
        assert sample.content.startswith(b"%PDF")

    @pytest.mark.parametrize("role", [Role.REVIEWER, Role.VIEWER])
    async def test_only_owners_start(self, browse: Browse, store: Store, account: Account, role: Role) -> None:
        browser = browse(role)
        assert (await browser.get("/app/quick-start")).status_code == 403
        assert (await browser.post("/app/quick-start")).status_code == 403
        assert (await browser.get("/app/quick-start/answer?since=x")).status_code == 403
        assert await store.keys.of_account(account.id) == []


class TestAccount:
    async def test_plan_and_use_are_shown_to_every_role(self, browse: Browse, store: Store, account: Account) -> None:
        for month, number in ((MONTH, 3), (datetime(2026, 3, 1, tzinfo=UTC), 2)):
            for _ in range(number):
                await queue_invoice(store, make_record(account.id), month=month)
        page = (await browse(Role.VIEWER).get("/app/account")).text
        assert page.count("<rect") == 12
        assert re.search(r"Mar 26</td><td class=\"number\">2<", page)
        assert "7 left" in page
        assert 'action="/app/account/email"' not in page

    async def test_everybody_sees_what_is_used_of_the_budget(
        self, browse: Browse, services: Services, store: Store, account: Account
    ) -> None:
        assert "Budget" not in (await browse(Role.VIEWER).get("/app/account")).text
        await store.accounts.set_limits(account.id, AccountLimits(budget_per_month=Decimal(40)))
        page = (await browse(Role.VIEWER).get("/app/account")).text
        assert "Budget of this month" in page
        assert "of 40.00 EUR" in page

    async def test_owners_set_the_address_for_notices(self, browse: Browse, store: Store, account: Account) -> None:
        browser = browse()
        assert (await browser.post("/app/account/email", data={"email": "a@example.com"})).status_code == 303
        changed = await store.accounts.get(account.id)
        assert changed is not None
        assert changed.email == "a@example.com"
        wrong = await browser.post("/app/account/email", data={"email": "<b>"})
        assert wrong.status_code == 400
        assert 'value="&lt;b&gt;"' in wrong.text
        assert (await browse(Role.REVIEWER).post("/app/account/email", data={})).status_code == 403

    async def test_owners_stay_on_a_pair_of_models_that_is_served(
        self, browse: Browse, services: Services, account: Account, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        browser, path = browse(), "/app/account/models"
        assert path not in (await browser.get("/app/account")).text
        monkeypatch.setattr(services.pins, "served", ("first", "older"))
        assert path in (await browser.get("/app/account")).text
        for wrong in ({"pair": "newer", "last_day": "2026-06-01"}, {"pair": "older", "last_day": "soon"}):
            refused = await browser.post(path, data=wrong)
            assert (refused.status_code, 'class="problem"' in refused.text) == (400, True)
        assert (await browser.post(path, data={"pair": "older", "last_day": "2026-06-01"})).status_code == 303
        pin = await services.pins.present(account.id)
        assert pin is not None
        assert (pin.pair, pin.last_day) == ("older", date(2026, 6, 1))
        assert (await browse(Role.REVIEWER).post(f"{path}/end")).status_code == 403
        assert "<code>older</code>" in (await browse(Role.VIEWER).get("/app/account")).text
        assert (await browse().post(f"{path}/end")).status_code == 303
        assert await services.pins.present(account.id) is None


class TestOperator:
    @pytest.fixture
    def operator(self, browse: Browse) -> httpx.AsyncClient:
        return browse(Role.VIEWER, is_operator=True)

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(
            update={
                "public_url": "https://invoices.example.com",
                "mail_from": "Secretary <someone@example.com>",
                "smtp_url": SecretStr("smtp://user:hidden-1@mail.example.com:587"),
                "oidc_issuer": "https://user:hidden-2@login.example.com/?token=hidden-3",
            }
        )

    @pytest.fixture
    async def busy(self, store: Store, clock: Clock, account: Account) -> None:
        """Something waits, something failed, an endpoint is paused, and everything has a telling name."""
        endpoints = manage_endpoints(store, clock)
        endpoint, _ = await endpoints.register(account.id, URL, description="Private endpoint")
        await endpoints.pause(account.id, endpoint.id)
        await store.accounts.set_email(account.id, "owner@private.example")
        await complete_invoice(store, account.id, READ.model_copy(update={"vendor_name": "Private vendor"}))
        await queue_new(store, account.id)
        failure = Failure(code=FailureCode.NO_TEXT_FOUND, message="Private words")
        await store.queue.fail(await claim_next(store), failure, NOON)
        await newest_events(store, account.id)
        await queue_new(store, account.id)

    async def test_the_deployment_at_a_glance(self, busy: None, operator: httpx.AsyncClient) -> None:
        page = (await operator.get("/app/operator")).text
        for text in ("no text found", "Somebody paused it", "Ready", "DATABASE_URL", "set, not shown"):
            assert text in page
        for secret in ("hidden-", "someone@example.com", "Private"):
            assert secret not in page

    async def test_the_support_bundle_has_nothing_of_people_and_documents(
        self, busy: None, operator: httpx.AsyncClient, account: Account, settings: Settings
    ) -> None:
        answer = await operator.get("/app/operator/support-bundle")
        with zipfile.ZipFile(io.BytesIO(answer.content)) as bundle:
            texts = {name: bundle.read(name).decode() for name in bundle.namelist()}
        assert json.loads(texts["failures.json"])["by_code"] == {"no_text_found": 1}
        assert json.loads(texts["state.json"])["queue"]["waiting"] == 1
        assert json.loads(texts["settings.json"])["SMTP_URL"] == "set, not shown"
        assert "python" in json.loads(texts["versions.json"])
        joined = "".join(texts.values())
        for secret in ("hidden-", "@", "Private", str(account.id), URL, "Secretary"):
            assert secret not in joined, secret
        for key in (settings.signing_key, settings.encryption_key):
            assert key is not None
            assert key.get_secret_value() not in joined

    async def test_accounts_are_created_and_get_plans(
        self, operator: httpx.AsyncClient, store: Store, account: Account
    ) -> None:
        assert "<option>pro</option>" in (await operator.get("/app/operator/accounts")).text
        made = await operator.post("/app/operator/accounts", data={"plan": "pro", "email": "new@example.com"})
        path = made.headers["location"]
        assert "new@example.com" in (await operator.get("/app/operator/accounts")).text
        await operator.post(f"{path}/plan", data={"plan": "business"})
        changed = await store.accounts.get(next(each.id for each in (await store.accounts.page(1)).items))
        assert changed is not None
        assert (changed.plan, changed.email) == (Plan.BUSINESS, "new@example.com")
        trail = [entry.action for entry in (await store.audit.page(None, 10)).items]
        assert trail == ["plan.changed", "account.created"]
        assert [entry.action for entry in (await store.audit.page(changed.id, 10)).items] == ["plan.changed"]

    async def test_limits_are_shown_and_set_as_the_person_writes_numbers(
        self, operator: httpx.AsyncClient, store: Store, account: Account
    ) -> None:
        path, german = f"/app/operator/accounts/{account.id}", {"Accept-Language": "de"}
        answer = await operator.post(
            f"{path}/limits", data={"documents_per_month": "5.000", "budget_per_month": "40,50"}, headers=german
        )
        assert answer.status_code == 303
        changed = await store.accounts.get(account.id)
        assert changed is not None
        assert changed.limits == AccountLimits(documents_per_month=5000, budget_per_month=Decimal("40.5"))
        page = (await operator.get(path, headers=german)).text
        assert 'value="5.000"' in page
        assert 'value="40,5"' in page
        assert "0,00 EUR of 40,50 EUR" in page
        assert "No price is set" in page
        assert "of 40.50 EUR" in (await operator.get("/app/operator/accounts")).text
        await operator.post(f"{path}/limits", data={"documents_per_month": "5000"})
        changed = await store.accounts.get(account.id)
        assert changed is not None
        assert changed.limits == AccountLimits(documents_per_month=5000)
        for trail in (None, account.id):
            entries = (await store.audit.page(trail, 10)).items
            assert [entry.action for entry in entries] == ["limits.changed", "limits.changed"]

    @pytest.mark.parametrize(
        "typed",
        [
            {"running": "2.5"},
            {"running": "0"},
            {"documents_per_month": "1e9"},
            {"documents_per_month": "9" * 30},
            {"budget_per_month": "40.505"},
            {"budget_per_month": "much"},
            {"file_mb": "100"},
        ],
    )
    async def test_limits_that_nothing_can_keep_are_shown_again_with_the_problem(
        self, operator: httpx.AsyncClient, store: Store, account: Account, typed: dict[str, str]
    ) -> None:
        answer = await operator.post(f"/app/operator/accounts/{account.id}/limits", data=typed)
        assert answer.status_code == 400
        assert 'class="problem"' in answer.text
        assert f'value="{next(iter(typed.values()))}"' in answer.text
        assert await store.accounts.get(account.id) == account

    async def test_an_account_is_deleted_if_its_id_is_entered_again(
        self, operator: httpx.AsyncClient, store: Store, account: Account
    ) -> None:
        other = Account(UUID(UNKNOWN_ID), account.plan, account.created_at)
        await store.accounts.add(other)
        path = f"/app/operator/accounts/{other.id}/delete"
        assert str(other.id) in (await operator.get(path)).text
        for wrong in ("", str(account.id)):
            answer = await operator.post(path, data={"confirm": wrong})
            assert (answer.status_code, 'class="problem"' in answer.text) == (400, True)
        assert await store.accounts.get(other.id) == other
        answer = await operator.post(path, data={"confirm": f" {other.id} "})
        assert (answer.status_code, answer.headers["location"]) == (303, "/app/operator/accounts")
        assert await store.accounts.get(other.id) is None
        assert (await operator.get(path)).status_code == 404
        (entry,) = (await store.audit.page(None, 10)).items
        assert (entry.action, entry.target, entry.actor.name) == ("account.deleted", str(other.id), "ada@example.com")

    async def test_an_account_whose_country_keeps_invoices_is_not_deleted(
        self, operator: httpx.AsyncClient, store: Store, account: Account
    ) -> None:
        await store.retention.set_rule(account.id, Retention(country="DE"))
        answer = await operator.post(f"/app/operator/accounts/{account.id}/delete", data={"confirm": str(account.id)})
        assert answer.status_code == 409
        assert "DE" in answer.text
        assert await store.accounts.get(account.id) is not None

    async def test_what_makes_no_sense_is_reported(self, operator: httpx.AsyncClient, account: Account) -> None:
        for form in ({"plan": "gold"}, {"plan": "pro", "email": "nobody"}):
            assert (await operator.post("/app/operator/accounts", data=form)).status_code == 400
        for plan in ("", "gold"):
            answer = await operator.post(f"/app/operator/accounts/{account.id}/plan", data={"plan": plan})
            assert answer.status_code == 400
        for id in (UNKNOWN_ID, "x"):
            assert (await operator.get(f"/app/operator/accounts/{id}")).status_code == 404

    async def test_whether_mail_arrives(self, operator: httpx.AsyncClient) -> None:
        page = (await operator.get("/app/operator/mail")).text
        assert "only programs on this machine can send mail here" in page
        assert "Problem" in page

    async def test_only_operators_see_any_of_it(self, browse: Browse, store: Store, account: Account) -> None:
        browser = browse(Role.OWNER)
        own = f"/accounts/{account.id}"
        for path in ("", "/support-bundle", "/accounts", own, f"{own}/delete", "/mail"):
            assert (await browser.get(f"/app/operator{path}")).status_code == 403
        for path in ("/accounts", f"{own}/plan", f"{own}/limits", f"{own}/delete"):
            form = {"plan": "pro", "confirm": str(account.id)}
            assert (await browser.post(f"/app/operator{path}", data=form)).status_code == 403
        assert await store.accounts.get(account.id) == account
