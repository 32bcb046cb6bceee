"""A network that leads nowhere but to servers of the tests, and records every attempt to connect."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

import pytest
import trustme

from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard


@pytest.fixture(autouse=True)
async def connects(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were connected to; only 127.0.0.1 answers."""
    seen: list[str] = []
    loop = type(asyncio.get_running_loop())
    connect = loop.sock_connect

    async def record(self: Any, sock: socket.socket, address: tuple[Any, ...]) -> None:
        seen.append(address[0])
        if address[0] != "127.0.0.1":
            raise ConnectionRefusedError
        await connect(self, sock, address)

    monkeypatch.setattr(loop, "sock_connect", record)
    return seen


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="session")
def server_tls(authority: trustme.CA) -> ssl.SSLContext:
    """For servers called files.example."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("files.example").configure_cert(context)
    return context


@pytest.fixture
def closed() -> Guard:
    """A guard as it is without settings, with names that lead to 127.0.0.1."""
    return Guard(lookup=lambda name: ["127.0.0.1"])


@pytest.fixture(scope="session")
def client_tls(authority: trustme.CA) -> ssl.SSLContext:
    """Trusts the tests' authority only."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority.configure_trust(context)
    return context


@pytest.fixture
def opened(client_tls: ssl.SSLContext) -> Guard:
    """A guard that lets through to 127.0.0.1, where it finds all names."""
    return Guard([ip_network("127.0.0.1")], tls=client_tls, lookup=lambda name: ["127.0.0.1"])


@pytest.fixture
def fetch(opened: Guard) -> Fetcher:
    return Fetcher(opened)


@pytest.fixture
def lookups() -> Callable[..., Callable[[str], list[str]]]:
    """Makes a resolver that gives each answer in turn, and fails when it is asked once more."""

    def make(*answers: list[str]) -> Callable[[str], list[str]]:
        left = iter(answers)
        return lambda name: next(left)

    return make
