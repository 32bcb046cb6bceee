"""The name server, asked over UDP."""

import socket
import threading
import time
from collections.abc import Iterator

import dns.message
import dns.resolver
import pytest

from serve_app.mail.trust import dns as module
from serve_app.mail.trust.dns import DnsUnavailable, SystemDns

ZONE = {
    ("a.test.", "TXT"): ['"v=spf1 " "-all"', '"other"'],
    ("a.test.", "MX"): ["20 second.test.", "10 first.test."],
    ("a.test.", "A"): ["192.0.2.1"],
    ("1.2.0.192.in-addr.arpa.", "PTR"): ["a.test."],
}


class Answering:
    """A name server of this machine; it does not answer about names that begin with `slow`."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.asked: list[str] = []
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                data, peer = self.socket.recvfrom(4096)
            except OSError:
                return
            query = dns.message.from_wire(data)
            (question,) = query.question
            self.asked.append(str(question.name))
            if not str(question.name).startswith("slow"):
                self.socket.sendto(self._answer(query, question).to_wire(), peer)

    def _answer(self, query: dns.message.Message, question: dns.rrset.RRset) -> dns.message.Message:
        answer = dns.message.make_response(query)
        kind = dns.rdatatype.to_text(question.rdtype)
        found = ZONE.get((str(question.name), kind))
        if found:
            answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *found))
        elif not any(name == str(question.name) for name, _ in ZONE):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Answering]:
    server = Answering()
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], server.socket.getsockname()[1]
    monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
    yield server
    server.socket.close()


def test_records_are_read(server: Answering) -> None:
    names = SystemDns(5)
    assert sorted(names.txt("A.test.")) == [b"other", b"v=spf1 -all"]
    assert sorted(names.mx("a.test")) == [(10, "first.test."), (20, "second.test.")]
    assert names.hosts("a.test", "A") == ["192.0.2.1"]
    assert names.hosts("1.2.0.192.in-addr.arpa", "PTR") == ["a.test"]


def test_a_name_without_records_has_none(server: Answering) -> None:
    assert SystemDns(5).txt("b.test") == []
    assert SystemDns(5).hosts("a.test", "AAAA") == []


def test_each_name_is_asked_for_once(server: Answering) -> None:
    names = SystemDns(5)
    for name in ("a.test", "A.TEST."):
        names.txt(name)
    assert server.asked == ["a.test."]


def test_a_server_that_does_not_answer_is_not_asked_again(server: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_QUESTION_SECONDS", 0.3)
    names, started = SystemDns(5), time.monotonic()
    for name in ("slow.test", "slow2.test", "a.test"):
        with pytest.raises(DnsUnavailable):
            names.txt(name)
    assert time.monotonic() - started < 1.5
    assert set(server.asked) == {"slow.test."}


def test_time_for_all_questions_is_limited(server: Answering) -> None:
    with pytest.raises(DnsUnavailable):
        SystemDns(0).txt("a.test")
    assert server.asked == []


@pytest.mark.parametrize(
    "name", ["", "..", "a..b.test", "x" * 64 + ".test", ".".join(["x" * 60] * 6), "\udcff.test", "a b\x00"]
)
def test_what_is_no_name_has_no_records(server: Answering, name: str) -> None:
    assert SystemDns(5).txt(name) == []


class TestAway:
    def test_a_silent_domain_is_not_taken_for_a_name_server_that_is_away(self, server: Answering) -> None:
        names = SystemDns(0.5)
        with pytest.raises(DnsUnavailable):
            names.txt("slow.test")
        assert not names.is_away()

    def test_a_name_server_that_answers_nothing_is_away(self, server: Answering) -> None:
        server.socket.close()
        names = SystemDns(0.5)
        with pytest.raises(DnsUnavailable):
            names.txt("slow.test")
        assert names.is_away()
