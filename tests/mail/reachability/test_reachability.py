"""Whether mails from outside arrive."""

import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import trustme
from aiosmtpd.controller import Controller

from serve_app.domain.mail_reachability import Finding
from serve_app.mail.reachability.check import ReachabilityCheck
from serve_app.mail.reachability.greeting import Greeting, NoAnswer, greet
from tests.mail.trust.names import FakeDns
from tests.support import NOON, Clock

GOOD = {
    ("in.test", "MX"): ["mx.in.test."],
    ("mx.in.test", "A"): ["93.184.216.34"],
    ("34.216.184.93.in-addr.arpa", "PTR"): ["mx.in.test."],
}


async def look(
    records: dict[tuple[str, str], list[str]], greeting: Greeting | None = None, domain: str = "in.test"
) -> list[Finding]:
    async def greeted(host: str) -> Greeting:
        if greeting is None:
            raise NoAnswer("it does not answer in time")
        return greeting

    return await ReachabilityCheck(domain, lambda: FakeDns(records), greeted, Clock())()


async def test_all_is_well() -> None:
    found = await look(GOOD, Greeting(True, valid_until=NOON + timedelta(days=60)))
    assert [each.is_good for each in found] == [True] * 5
    assert found[0].words == "Mail for in.test goes to mx.in.test."
    assert "2026-07-16" in found[-1].words


@pytest.mark.parametrize(
    ("changes", "greeting", "is_good", "words"),
    [
        ({("in.test", "MX"): []}, None, False, "neither an MX record"),
        ({("mx.in.test", "A"): []}, None, False, "It has no address"),
        ({}, None, False, "Port 25 does not answer from this machine (it does not answer in time)"),
        ({}, Greeting(False), False, "does not offer encryption"),
        ({}, Greeting(True, "self-signed certificate"), False, "not valid: self-signed certificate"),
        ({}, Greeting(True, valid_until=NOON + timedelta(days=13)), False, "valid until 2026-05-30"),
        ({("34.216.184.93.in-addr.arpa", "PTR"): []}, Greeting(True), None, "is missing; this matters only"),
        ({("34.216.184.93.in-addr.arpa", "PTR"): ["x.test."]}, Greeting(True), None, "is x.test; this matters only"),
    ],
)
async def test_each_problem_is_named(
    changes: dict[tuple[str, str], list[str]], greeting: Greeting | None, is_good: bool | None, words: str
) -> None:
    found = await look(GOOD | changes, greeting)
    (finding,) = [each for each in found if words in each.words]
    assert finding.is_good is is_good


async def test_without_an_mx_record_the_domain_itself_is_used() -> None:
    found = await look({("in.test", "AAAA"): ["2606:2800:220:1::1"]}, Greeting(True))
    assert found[0] == Finding("MX", True, "Mail for in.test goes to in.test.")


async def test_a_domain_that_is_not_set_is_reported() -> None:
    (found,) = await look({}, domain="localhost")
    assert (found.what, found.is_good) == ("MAIL_DOMAIN", False)


async def test_a_name_server_that_is_away_is_reported() -> None:
    server = FakeDns()
    server.is_away = True
    assert await ReachabilityCheck("in.test", lambda: server)() == [
        Finding("Name server", False, "The name server does not answer.")
    ]


class TestGreeting:
    """With a mail server of this machine."""

    @pytest.fixture
    def serve(self) -> Iterator[Callable[[ssl.SSLContext | None], int]]:
        """Starts a mail server in a thread; returns its port."""
        started: list[Controller] = []

        def start(context: ssl.SSLContext | None) -> int:
            with socket.create_server(("127.0.0.1", 0)) as free:
                port: int = free.getsockname()[1]
            started.append(Controller(object(), "127.0.0.1", port, tls_context=context))
            started[-1].start()
            return port

        yield start
        for each in started:
            each.stop()

    async def test_a_server_without_encryption(self, serve: Callable[[ssl.SSLContext | None], int]) -> None:
        assert await greet("127.0.0.1", serve(None)) == Greeting(has_starttls=False)

    async def test_a_certificate_of_nobody(self, serve: Callable[[ssl.SSLContext | None], int]) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
        greeting = await greet("127.0.0.1", serve(context))
        assert greeting.has_starttls
        assert "certificate" in greeting.problem

    async def test_a_port_at_which_nobody_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with pytest.raises(NoAnswer):
            await greet("127.0.0.1", port)
