"""A file comes whole and in time, or with a plain reason why not."""

import asyncio
import gzip
import ssl
from ipaddress import ip_network

import pytest
import trustme

from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.net.outcome import TooLarge, Unreachable
from tests.net.sites import Answer, endless, raw, redirect, reply, serving, silent_after

MAX_BYTES = 1000
PDF = b"%PDF-1.7\n"
OK = b"HTTP/1.1 200 OK\r\n"


async def test_a_file_comes_with_its_bytes_and_name(fetch: Fetcher, server_tls: ssl.SSLContext) -> None:
    answer = reply(
        PDF, Content_Type="application/pdf; x=y", Content_Disposition="attachment; filename*=UTF-8''%C3%A4.pdf"
    )
    async with serving(answer, tls=server_tls) as site:
        fetched = await fetch(site.url("/d%2Fe?sig=a%2Bb%3d#page=2"), MAX_BYTES)
    assert (fetched.data, fetched.name, fetched.content_type) == (PDF, "ä.pdf", "application/pdf")
    head = site.requests[0]
    assert head.startswith("GET /d%2Fe?sig=a%2Bb%3d HTTP/1.1\r\n")
    assert f"Host: files.example:{site.port}\r\n" in head
    assert "User-Agent: invoice-extraction-service\r\n" in head
    assert "Accept-Encoding: identity\r\n" in head


@pytest.mark.parametrize(
    ("answer", "data"),
    [
        (reply(b"x" * MAX_BYTES), b"x" * MAX_BYTES),
        (reply(), b""),
        (raw(OK + b"\r\n" + PDF), PDF),
        (raw(OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\n" + PDF + b"\r\n0\r\n\r\n"), PDF),
        (reply(PDF, Content_Encoding="aws-chunked"), PDF),
        (reply(gzip.compress(PDF), Content_Encoding="gzip"), PDF),
        (reply(gzip.compress(PDF) + gzip.compress(PDF), Content_Encoding="X-GZIP"), PDF + PDF),
        (reply(gzip.compress(b"x" * MAX_BYTES), Content_Encoding="gzip"), b"x" * MAX_BYTES),
    ],
    ids=[
        *("just as large as allowed", "empty", "no length", "chunked", "not compressed"),
        *("gzip", "gzip in parts", "gzip, just as large as allowed"),
    ],
)
async def test_bodies_are_read_as_http_says(
    fetch: Fetcher, server_tls: ssl.SSLContext, answer: Answer, data: bytes
) -> None:
    async with serving(answer, tls=server_tls) as site:
        assert (await fetch(site.url(), MAX_BYTES)).data == data


@pytest.mark.parametrize(
    "answer",
    [
        silent_after(OK + b"Content-Length: 1001\r\n\r\n"),
        raw(OK + b"\r\n" + b"x" * (MAX_BYTES + 1)),
        endless(OK + b"\r\n", b"x" * 100),
        endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"4\r\nfull\r\n"),
        endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        reply(gzip.compress(bytes(MAX_BYTES + 1)), Content_Encoding="gzip"),
        reply(gzip.compress(gzip.compress(bytes(10**8)))[: MAX_BYTES // 2], Content_Encoding="gzip"),
        reply(gzip.compress(b"x" * MAX_BYTES) + gzip.compress(b"x"), Content_Encoding="gzip"),
    ],
    ids=[
        *("announced", "one byte too long", "without a length", "in chunks", "in tiny chunks"),
        *("gzip, one byte too long", "a bomb", "a second part too much"),
    ],
)
async def test_files_over_the_limit_are_left(fetch: Fetcher, server_tls: ssl.SSLContext, answer: Answer) -> None:
    async with serving(answer, tls=server_tls) as site:
        with pytest.raises(TooLarge):
            await fetch(site.url(), MAX_BYTES)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (reply(PDF, Content_Length="500"), "is incomplete"),
        (reply(PDF, Content_Length="5"), "not valid HTTP"),
        (raw(OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\n%PDF"), "is incomplete"),
        (reply(PDF, Content_Encoding="gzip"), "not valid gzip"),
        (reply(gzip.compress(PDF)[:-4], Content_Encoding="gzip"), "is incomplete"),
        (reply(gzip.compress(b"") * 40 + gzip.compress(PDF) + b"rest", Content_Encoding="gzip"), "not valid gzip"),
        (reply(b"\xcb\xff", Content_Encoding="br"), "compressed"),
        (reply(status="404 Not Found"), "status 404"),
        (reply(status="500 Oops"), "status 500"),
        (reply(status="403 Forbidden"), "status 403"),
        (raw(b"HTTP/1.1 204 No Content\r\n\r\n"), "status 204"),
        (raw(b"HTTP/1.1 304 Not Modified\r\n\r\n"), "status 304"),
        (reply(PDF, status="206 Partial Content"), "status 206"),
        (reply(status="300 Multiple Choices", Location="/b"), "status 300"),
        (raw(OK + b"X: " + 100_000 * b"x" + b"\r\n\r\n"), "not valid HTTP"),
        (endless(OK, b"X: x\r\n"), "not valid HTTP"),
        (reply(PDF, Content_Length="-1"), "not valid HTTP"),
        (raw(OK + b"Content-Length: 1\r\nContent-Length: 9\r\n\r\n" + PDF), "not valid HTTP"),
        (raw(OK + b"Content-Length: " + b"0" * 5000 + b"17\r\n\r\n" + bytes(17)), "not valid HTTP"),
        (reply(PDF, Content_Type=f"text/html; a*{5000 * '9'}=x"), "not valid HTTP"),
        (raw(b"SSH-2.0-OpenSSH_9.6\r\n"), "not valid HTTP"),
        (raw(b""), "without a response"),
        (redirect(""), "more than 3 times"),
        (reply(status="302 Found"), "no target"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_what_is_no_file_has_a_reason(
    fetch: Fetcher, server_tls: ssl.SSLContext, answer: Answer, reason: str
) -> None:
    async with serving(answer, tls=server_tls) as site:
        with pytest.raises(Unreachable, match=reason) as caught:
            await fetch(site.url("/?sig=secret"), MAX_BYTES)
    assert not {"secret", "127.0.0.1", str(site.port)} & set(caught.value.reason.split())
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize("name", ["files.example", "other.example"])
async def test_a_certificate_must_be_trusted_and_name_the_host(
    fetch: Fetcher, authority: trustme.CA, name: str
) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issuer = trustme.CA() if name == "files.example" else authority
    issuer.issue_cert(name).configure_cert(tls)
    async with serving(reply(PDF), tls=tls) as site:
        with pytest.raises(Unreachable, match="certificate is not valid"):
            await fetch(site.url(), MAX_BYTES)
    assert site.requests == []


async def test_the_systems_certificates_are_the_trusted_ones(server_tls: ssl.SSLContext) -> None:
    guard = Guard([ip_network("127.0.0.1")], lookup=lambda name: ["127.0.0.1"])
    async with serving(reply(PDF), tls=server_tls) as site:
        with pytest.raises(Unreachable, match="certificate is not valid"):
            await Fetcher(guard)(site.url(), MAX_BYTES)
    assert site.requests == []


async def test_a_server_without_tls_is_refused(fetch: Fetcher) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ready\r\n")
        await reader.read(1)
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Unreachable, match="no secure connection"):
            await fetch(f"https://files.example:{port}/", MAX_BYTES)


async def test_a_port_where_nothing_listens_is_unreachable(fetch: Fetcher) -> None:
    async with serving(reply()) as site:
        url = site.url()
    with pytest.raises(Unreachable, match="no connection"):
        await fetch(url, MAX_BYTES)
