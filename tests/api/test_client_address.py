"""Where a request comes from: nobody but a trusted proxy can say that it comes from elsewhere."""

import pytest

from serve_app.http.client_address import client_of, forwarded_for
from serve_app.settings.edge import EdgeSettings

TRUSTED = EdgeSettings(trusted_proxies="10.0.0.0/24,fd00::7/128").proxies
PROXY, CLIENT = "10.0.0.1", "198.51.100.9"


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        (CLIENT, ["192.0.2.1"], CLIENT),
        ("127.0.0.1", ["192.0.2.1"], "127.0.0.1"),
        (PROXY, [], PROXY),
        (PROXY, [CLIENT], CLIENT),
        (PROXY, ["192.0.2.1", CLIENT], CLIENT),
        (PROXY, ["192.0.2.1", CLIENT, "10.0.0.2"], CLIENT),
        (PROXY, ["10.0.0.3", "10.0.0.2"], "10.0.0.3"),
        (PROXY, ["192.0.2.1", "unknown"], PROXY),
        (PROXY, ["192.0.2.1", "unknown", "10.0.0.2"], "10.0.0.2"),
        (PROXY, [f"{CLIENT}:4711"], CLIENT),
        ("fd00::7", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("fd00::7", ["2001:DB8:0::1"], "2001:db8::1"),
        ("::ffff:10.0.0.1", [CLIENT], CLIENT),
        ("unknown", [CLIENT], "unknown"),
    ],
)
def test_the_client_is_the_nearest_that_no_trusted_proxy_is(peer: str, forwarded: list[str], client: str) -> None:
    assert client_of(peer, forwarded, TRUSTED) == client


def test_headers_in_several_lines_are_one_list() -> None:
    headers = [(b"x-forwarded-for", b"192.0.2.1 ,192.0.2.2"), (b"host", b"x"), (b"X-Forwarded-For", b"192.0.2.3, ")]
    assert forwarded_for(headers) == ["192.0.2.1", "192.0.2.2", "192.0.2.3"]


def test_without_the_setting_nobody_is_trusted() -> None:
    assert not EdgeSettings().proxies.allows("127.0.0.1")
    with pytest.raises(ValueError, match="trusted_proxies"):
        EdgeSettings(trusted_proxies="everybody")
