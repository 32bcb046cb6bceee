"""A URL that is let through is the one that was given, in plain notation."""

import pytest
from yarl import URL

from serve_app.net.outcome import BadUrl, Unreachable
from serve_app.net.urls import follow, parse

BASE = URL("https://a.example/docs/1?x=1")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("https://a.example", "https://a.example/"),
        ("HTTPS://A.Example./b", "https://a.example/b"),
        ("https://a.example:/b", "https://a.example/b"),
        ("https://a.example:8443/b#page=2", "https://a.example:8443/b"),
        ("https://my_files.example/b", "https://my_files.example/b"),
        ("https://bücher.example/ä?ö", "https://xn--bcher-kva.example/%C3%A4?%C3%B6"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("https://８.8。8.8/", "https://8.8.8.8/"),
        ("https://[2001:4860:4860:0::8888]:44/", "https://[2001:4860:4860::8888]:44/"),
        # Signatures in links cover the escapes as they are.
        ("https://a.example/x%2Fy%7E?sig=a%2Bb%3d+c%3D&d=@:/?", "https://a.example/x%2Fy%7E?sig=a%2Bb%3d+c%3D&d=@:/?"),
    ],
)
def test_good_urls_keep_their_meaning(text: str, plain: str) -> None:
    assert str(parse(text)) == plain


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("2", "https://a.example/docs/2"),
        ("/other?y", "https://a.example/other?y"),
        ("//b.example/c", "https://b.example/c"),
        ("https://b.example/c", "https://b.example/c"),
    ],
)
def test_redirects_may_be_relative(location: str, target: str) -> None:
    assert str(follow(BASE, location)) == target


@pytest.mark.parametrize("location", ["http:c", "https://[::1", "https://b.example\\@c", "/a\r\nb", "/\udcff"])
def test_malformed_redirects_are_refused(location: str) -> None:
    with pytest.raises(BadUrl):
        follow(BASE, location)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ftp://a.example/", "begin with https"),
        ("a.example/b", "begin with https"),
        ("", "begin with https"),
        ("https://user:secret@a.example/", "credentials"),
        ("https://@a.example/", "credentials"),
        ("https://a.example/ b", "spaces"),
        ("https://a.example/" + 8000 * "a", "8000 characters"),
        ("https://a.example:0/", "port"),
        ("https://a.example:65536/", "port"),
        ("https:///a", "malformed host"),
    ],
)
def test_the_reason_says_what_to_change(text: str, reason: str) -> None:
    with pytest.raises(BadUrl) as caught:
        parse(text)
    assert reason in caught.value.reason
    assert "secret" not in caught.value.reason


@pytest.mark.parametrize("host", ["8", "8.8", "8.8.8", "0x8.8.8.8", "8.8.8.0x8", "010.8.8.8", "8.8.8.8.8", "134744072"])
def test_odd_notations_are_refused_even_of_public_addresses(host: str) -> None:
    with pytest.raises(Unreachable):
        parse(f"https://{host}/")
