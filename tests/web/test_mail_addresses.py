"""The screens of private addresses."""

import re
from datetime import timedelta

import cv2
import numpy as np
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Envelope, Heading, MailState, Way
from serve_app.domain.mail_address import Answering, Bodies, MailAddress, SenderPolicy
from serve_app.domain.person import Role
from serve_app.services.bundle import Services
from serve_app.store.base import Store
from tests.support import NOON, UNKNOWN_ID, Clock
from tests.support.inbound import add_address, add_mail
from tests.support.mails import FakeMailer
from tests.web.conftest import Browse

FORM = {"policy": "anyone", "bodies": "alone", "answering": "failures"}


@pytest.fixture
async def address(store: Store, account: Account) -> MailAddress:
    return await add_address(store, account.id, label="Acme <b>")


async def present(store: Store, address: MailAddress) -> MailAddress:
    found = await store.mail_addresses.get(address.account_id, address.id)
    assert found is not None
    return found


async def test_an_address_is_made_and_shown_with_how_to_forward(browse: Browse, store: Store, account: Account) -> None:
    browser = browse()
    answer = await browser.post("/app/mail/addresses", data={"label": "Acme Invoices"})
    assert answer.status_code == 303
    (address,) = await store.mail_addresses.of_account(account.id)
    assert re.fullmatch(r"acme-invoices-[a-z2-7]{16}", address.local)
    page = (await browser.get(answer.headers["location"])).text
    assert f"{address.local}@localhost" in page
    for text in ("Gmail", "Microsoft 365", "Apple", f'data-copy="{address.local}@localhost"'):
        assert text in page
    assert address.local in (await browser.get("/app/mail/addresses")).text


async def test_a_phone_reads_the_address_from_the_page(browse: Browse, store: Store, address: MailAddress) -> None:
    page = (await browse().get(f"/app/mail/addresses/{address.id}")).text
    svg = page[page.index("<svg", page.index('class="qr"')) :].partition("</svg>")[0] + "</svg>"
    # Neither styles nor scripts, which the page would not be allowed.
    assert "style=" not in svg
    rows, side = _modules(svg), int(re.findall(r'viewBox="0 0 (\d+)', svg)[0])
    picture = np.full((side, side), 255, np.uint8)
    for x, y, length in rows:
        picture[y, x : x + length] = 0
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(
        cv2.resize(picture, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    )
    assert text == f"mailto:{address.local}@localhost"


def _modules(svg: str) -> list[tuple[int, int, int]]:
    """Column, row and length of each dark line of a code."""
    path = re.findall(r' d="([^"]+)"', svg)[-1]
    found, x, y = [], 0.0, 0.0
    for command, numbers in re.findall(r"([MmhH])([^MmhHzZ]*)", path):
        values = [float(each) for each in re.findall(r"-?\d*\.?\d+", numbers)]
        if command == "h":
            found.append((round(x), round(y - 0.5), round(values[0])))
            x += values[0]
        elif command == "m":
            x, y = x + values[0], y + values[1]
        else:
            x, y = values
    return found


async def test_a_name_that_is_too_long_is_refused(browse: Browse, store: Store, account: Account) -> None:
    answer = await browse().post("/app/mail/addresses", data={"label": "x" * 101})
    assert answer.status_code == 400
    assert "at most 100 characters" in answer.text
    assert await store.mail_addresses.of_account(account.id) == []


async def test_rules_are_changed_together(browse: Browse, store: Store, address: MailAddress) -> None:
    form = {
        "label": "Till",
        "entity_tag": "berlin",
        "policy": "listed",
        "allowed": "Anna@Shop.test\r\n *@else.test\r\nanna@shop.test",
        "denied": "spam.test",
        "bodies": "never",
        "answering": "always",
    }
    answer = await browse().post(f"/app/mail/addresses/{address.id}", data=form)
    assert answer.status_code == 303, answer.text
    changed = await present(store, address)
    assert (changed.label, changed.entity_tag, changed.policy) == ("Till", "berlin", SenderPolicy.LISTED)
    assert (changed.allowed, changed.denied) == (("anna@shop.test", "else.test"), ("spam.test",))
    assert (changed.bodies, changed.answering) == (Bodies.NEVER, Answering.ALWAYS)


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ({**FORM, "allowed": "shop.test\nnonsense"}, "neither an e-mail address nor a domain"),
        ({**FORM, "allowed": "shop.test\nco.uk"}, "is a public suffix"),
        ({**FORM, "denied": "a@b@c"}, "neither an e-mail address nor a domain"),
        ({**FORM, "policy": "nobody"}, "is not one of"),
        ({**FORM, "label": "x" * 101}, "at most 100"),
    ],
)
async def test_a_refusal_says_why_and_keeps_what_was_typed(
    browse: Browse, store: Store, address: MailAddress, form: dict[str, str], reason: str
) -> None:
    answer = await browse().post(f"/app/mail/addresses/{address.id}", data={"entity_tag": "kept", **form})
    assert answer.status_code == 400
    assert reason in answer.text
    assert 'value="kept"' in answer.text
    assert await present(store, address) == address


async def test_replacing_asks_first_and_keeps_the_old_one_for_a_month(
    browse: Browse, store: Store, clock: Clock, account: Account, address: MailAddress
) -> None:
    browser, path = browse(), f"/app/mail/addresses/{address.id}"
    assert "accepts e-mails for another 30 days" in (await browser.get(f"{path}/renew")).text
    assert len(await store.mail_addresses.of_account(account.id)) == 1
    answer = await browser.post(f"{path}/renew")
    old = await present(store, address)
    assert old.ends_at == clock.now + timedelta(days=30)
    new = (await store.mail_addresses.of_account(account.id))[0]
    assert answer.headers["location"] == f"/app/mail/addresses/{new.id}"
    assert new.label == old.label


async def test_retiring_asks_first(browse: Browse, store: Store, clock: Clock, address: MailAddress) -> None:
    browser, path = browse(), f"/app/mail/addresses/{address.id}"
    assert "stops accepting e-mails" in (await browser.get(f"{path}/retire")).text
    assert (await present(store, address)).ends_at is None
    await browser.post(f"{path}/retire")
    assert (await present(store, address)).ends_at == clock.now
    assert (await browser.get(f"{path}/nonsense")).status_code == 404


async def test_reviewers_see_addresses_and_owners_change_them(
    browse: Browse, store: Store, address: MailAddress
) -> None:
    path = f"/app/mail/addresses/{address.id}"
    assert address.local in (await browse(Role.REVIEWER).get(path)).text
    for act in ("", "/renew", "/retire"):
        assert (await browse(Role.REVIEWER).post(f"{path}{act}", data=FORM)).status_code == 403
    assert (await browse(Role.REVIEWER).post("/app/mail/addresses")).status_code == 403
    for place in (path, "/app/mail/addresses"):
        assert (await browse(Role.VIEWER).get(place)).status_code == 403
    assert await present(store, address) == address


async def test_another_accounts_address_is_not_there(browse: Browse, store: Store) -> None:
    outsider = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(outsider)
    theirs = await add_address(store, outsider.id)
    browser = browse()
    for id in (theirs.id, UNKNOWN_ID, "nonsense"):
        for path in ("", "/renew", "/retire", "/test/abc"):
            assert (await browser.get(f"/app/mail/addresses/{id}{path}")).status_code == 404, path
        for path in ("", "/renew", "/retire", "/test"):
            answer = await browser.post(f"/app/mail/addresses/{id}{path}", data=FORM)
            assert answer.status_code == 404, path
    assert await present(store, theirs) == theirs


class TestTrial:
    """A test mail is sent, and followed."""

    @pytest.fixture
    def mailer(self, app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> FakeMailer:
        services: Services = app.state.services
        mailer = FakeMailer()
        monkeypatch.setattr(services.mailroom.trials, "_mailer", mailer)
        return mailer

    async def test_without_a_mail_server_it_says_so(self, browse: Browse, address: MailAddress) -> None:
        browser, path = browse(), f"/app/mail/addresses/{address.id}"
        assert "SMTP_URL" in (await browser.get(path)).text
        answer = await browser.post(f"{path}/test")
        assert "no mail server" in (await browser.get(answer.headers["location"])).text

    async def test_it_is_followed_to_its_arrival(
        self, browse: Browse, store: Store, address: MailAddress, mailer: FakeMailer
    ) -> None:
        browser = browse(Role.REVIEWER)
        answer = await browser.post(f"/app/mail/addresses/{address.id}/test")
        path = answer.headers["location"]
        (message,) = mailer.messages
        recipient = message["To"].addresses[0].addr_spec
        assert recipient.startswith(f"{address.local}+test-")
        waiting = (await browser.get(path)).text
        assert "On its way" in waiting
        assert "data-poll=" in waiting
        mail = await add_mail(store, address, "1", envelope=Envelope(recipient, Way.SMTP))
        browser.headers["HX-Request"] = "true"
        arrived = (await browser.get(path)).text
        assert "Arrived" in arrived
        assert "Being unpacked" in arrived
        assert "<html" not in arrived
        assert f"/app/mail/{mail.id}" in arrived

    async def test_the_end_is_reported(
        self, browse: Browse, store: Store, address: MailAddress, mailer: FakeMailer
    ) -> None:
        browser = browse()
        answer = await browser.post(f"/app/mail/addresses/{address.id}/test")
        heading = Heading("invoices@localhost", message_id=str(mailer.messages[0]["Message-ID"]))
        await add_mail(store, address, "1", state=MailState.DONE, due_at=None, heading=heading)
        page = (await browser.get(answer.headers["location"])).text
        assert "E-mails reach this address" in page
        assert "data-poll" not in page

    @pytest.mark.parametrize(("minutes", "words"), [(3, "Possible causes"), (61, "Has not arrived")])
    async def test_a_mail_that_does_not_come_says_where_it_may_be(
        self, browse: Browse, address: MailAddress, mailer: FakeMailer, minutes: int, words: str
    ) -> None:
        browser = browse()
        path = (await browser.post(f"/app/mail/addresses/{address.id}/test")).headers["location"]
        before, _, sent = path.partition("?sent=")
        assert words in (await browser.get(f"{before}?sent={int(sent) - minutes * 60}")).text

    async def test_a_refusal_of_the_mail_server_is_reported(
        self, browse: Browse, address: MailAddress, mailer: FakeMailer
    ) -> None:
        mailer.refuses = True
        browser = browse()
        answer = await browser.post(f"/app/mail/addresses/{address.id}/test")
        page = (await browser.get(answer.headers["location"])).text
        assert "the mail server refused the recipient (550)" in page

    async def test_nobody_sends_many(self, browse: Browse, address: MailAddress, mailer: FakeMailer) -> None:
        browser = browse()
        for _ in range(11):
            await browser.post(f"/app/mail/addresses/{address.id}/test")
        assert len(mailer.messages) == 10
