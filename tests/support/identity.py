"""An identity provider that runs while a test does: see `oidc_provider`."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

from tests.support.ports import free_port

_START_SECONDS = 60


@dataclass(frozen=True)
class Provider:
    """The running provider."""

    issuer: str

    def register(self, redirect_uri: str) -> dict[str, str]:
        """A client that leads back there: its `client_id` and `client_secret`."""
        answer = httpx.post(f"{self.issuer}/oauth2/clients", json={"redirect_uris": [redirect_uri]})
        client: dict[str, str] = answer.raise_for_status().json()
        return client

    def says(self, subject: str, **claims: object) -> None:
        """What it knows about a person."""
        httpx.put(f"{self.issuer}/users/{subject}", json=claims).raise_for_status()

    def asks(self, address: str, subject: str) -> str:
        """The person signs in there; returns where it sends the browser then."""
        assert "Authorize" in httpx.get(address).text
        answer = httpx.post(address, data={"sub": subject})
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Runs until the block is left."""
    port = free_port()
    provider = Provider(f"http://127.0.0.1:{port}")
    command = [sys.executable, "-W", "ignore", "-m", "tests.support.oidc_provider", str(port)]
    process = subprocess.Popen(command, env=os.environ | {"AUTHLIB_INSECURE_TRANSPORT": "1"})
    try:
        _wait_for(provider, process)
        yield provider
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(provider: Provider, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None
        try:
            httpx.get(f"{provider.issuer}/.well-known/openid-configuration").raise_for_status()
        except httpx.TransportError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError("the provider does not answer")
