"""What strangers send is decoded in time proportional to its size, whatever it contains.

Each decoder gets its worst inputs that are known, twice: the second is twice as long and may take three times the CPU.
Decoders of documents run in child processes that are killed; here are those that work in the service's own processes,
and those of mails. `tests/net/test_inflate.py` has gzip.
"""

import asyncio
import base64
import io
import random
import zipfile
from collections.abc import Callable, Coroutine
from email.message import EmailMessage
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from serve_app.api.mail_in.fields import parse_urlencoded
from serve_app.api.mail_in.payloads import mailgun_fields, postmark_payload, sendgrid_payload, ses_payload
from serve_app.api.uploads import parse_upload
from serve_app.documents.load import expected_load
from serve_app.documents.mail.open import open_mail
from serve_app.documents.mail.opened import OpenRules
from serve_app.documents.sniff import PDF, sniff
from serve_app.domain.evidence import Evidence, PageWords, pack, unpack
from serve_app.http.bodies import AmendBody, read_body
from serve_app.http.forms import read_form
from serve_app.http.json_bounds import members_of
from serve_app.mail.listener.content import read_content
from serve_app.mail.trust.headers import address_in, values_of
from serve_app.services.intake.submit import clean_name
from serve_app.services.mailroom.opening import opening_of
from tests.support.growth import assert_linear

pytestmark = [
    pytest.mark.slow,
    # Forms that break off leave temporary files to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

MIB = 2**20
Make = Callable[[int], bytes]
JSON = "application/json"
BOUNDARY = b"XbX"
FORM = f"multipart/form-data; boundary={BOUNDARY.decode()}"


def repeat(piece: bytes, start: bytes = b"", end: bytes = b"") -> Make:
    """As many pieces as fit, between start and end."""
    return lambda size: start + piece * (size // len(piece)) + end


def numbered(piece: str, start: bytes = b"", end: bytes = b"") -> Make:
    """Pieces that differ in the number that they contain."""
    return lambda size: start + ",".join(piece % at for at in range(size // (len(piece) + 4))).encode() + end


def of_request(read: Callable[[Request], Coroutine[Any, Any, object]], kind: str) -> Callable[[bytes], object]:
    """The reader of a body, called with one that comes in pieces as from a network."""

    def work(body: bytes) -> object:
        pieces = [body[at : at + 65_536] for at in range(0, len(body), 65_536)]

        async def receive() -> Message:
            piece = pieces.pop(0) if pieces else b""
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

        scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"content-type", kind.encode())]}
        return asyncio.run(read(Request(scope, receive)))

    return work


async def smtp_content(data: bytes) -> bytes | None:
    """What follows DATA, read as it comes in."""
    reader = asyncio.StreamReader(limit=2**16)

    async def send() -> None:
        for at in range(0, len(data), 65_536):
            reader.feed_data(data[at : at + 65_536])
            await asyncio.sleep(0)
        reader.feed_data(b"\r\n.\r\n")
        reader.feed_eof()

    async def nothing() -> None:
        return

    sending = asyncio.ensure_future(send())
    content = await read_content(reader, 64 * MIB, nothing)
    await sending
    return content


JSON_START, JSON_END = b'{"file_base64":"QUJD","file_name":"a.pdf","z":[', b"0]}"
BASE64_START = b'{"file_name":"a.pdf","file_base64":"'
JSON_BODIES: dict[str, Make] = {
    "lists": repeat(b"[],", JSON_START, JSON_END),
    "objects": repeat(b"{},", JSON_START, JSON_END),
    "numbers": repeat(b"0,", JSON_START, JSON_END),
    "names": numbered('"%d":0', b"{", b"}"),
    "metadata": numbered('"%d":"a"', b'{"file_base64":"QUJD","file_name":"a.pdf","metadata":{', b"}}"),
    "nested": repeat(b"[", JSON_START),
    "digits": repeat(b"9", JSON_START),
    "white space": repeat(b" ", b"{", b"}"),
    "base64": repeat(b"QUJD", BASE64_START, b'"}'),
    "base64 with spaces": repeat(b"QU ", BASE64_START, b'"}'),
    "base64 in escapes": repeat(b"\\u0041", BASE64_START, b'"}'),
    "a long name": repeat(b"a/", b'{"file_base64":"QUJD","file_name":"', b'"}'),
    "a long URL": repeat(b"a", b'{"file_url":"https://', b'"}'),
}


@pytest.mark.parametrize("make", JSON_BODIES.values(), ids=JSON_BODIES)
def test_json_with_a_document(make: Make) -> None:
    assert_linear(parse_upload, make, 2 * MIB)


@pytest.mark.parametrize("make", JSON_BODIES.values(), ids=JSON_BODIES)
def test_other_json_bodies(make: Make) -> None:
    assert_linear(of_request(lambda request: read_body(request, AmendBody), JSON), make, 256 * 1024)


PROVIDERS = {
    "postmark": of_request(postmark_payload, JSON),
    "sns": lambda body: members_of(body, "Message", "Type"),
    "ses": lambda body: asyncio.run(ses_payload({"Message": body.decode()})),
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("make", JSON_BODIES.values(), ids=JSON_BODIES)
def test_json_of_providers(provider: str, make: Make) -> None:
    def described(size: int) -> bytes:
        name = {"postmark": b"RawEmail", "ses": b"content", "sns": b"Message"}[provider]
        return make(size).replace(b"file_base64", name)

    assert_linear(PROVIDERS[provider], described, MIB)


FORM_START = b"--" + BOUNDARY + b'\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n'
FORMS: dict[str, Make] = {
    "line breaks": repeat(b"\r\n", FORM_START + b"\r\n"),
    "returns": repeat(b"\r", FORM_START + b"\r\n"),
    "nearly boundaries": repeat(b"\r\n--" + BOUNDARY[:-1], FORM_START + b"\r\n"),
    "nearly boundaries, and more": repeat(b"\r\n--XbY", FORM_START + b"\r\n"),
    "boundaries": repeat(b"\r\n--" + BOUNDARY + b"\r\n\r\n", b""),
    "line breaks before": repeat(b"\r\n"),
    "dashes after": repeat(b"-", FORM_START + b"\r\n\r\n--" + BOUNDARY + b"--"),
    "many headers": repeat(b"a: b\r\n", FORM_START),
    "a long header": repeat(b"a", FORM_START + b"X: "),
    "a long name": repeat(b"a", FORM_START[:-5]),
    "escapes in a name": repeat(b"%22", FORM_START[:-5]),
    "an extended name": repeat(b"%C3", FORM_START + b"Content-Disposition: form-data; filename*=UTF-8''"),
    "parameters": repeat(b"; a=b", FORM_START[:-2]),
    "quotes": repeat(b'\\"', FORM_START[:-5]),
    "zeros": repeat(b"\0", FORM_START + b"\r\n"),
}


@pytest.mark.parametrize("make", FORMS.values(), ids=FORMS)
def test_forms_with_a_document(make: Make) -> None:
    assert_linear(of_request(read_form, FORM), make, 256 * 1024)


@pytest.mark.parametrize("make", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("read", [mailgun_fields, sendgrid_payload])
def test_forms_of_providers(read: Callable[[Request], Coroutine[Any, Any, object]], make: Make) -> None:
    assert_linear(of_request(read, FORM), make, 256 * 1024)


@pytest.mark.parametrize("piece", [b"%41", b"%", b"%zz", b"+", b"a=b&", b"&", b"=", b"%3D%0A", b"a"])
def test_forms_in_the_shorter_notation(piece: bytes) -> None:
    assert_linear(parse_urlencoded, repeat(piece, b"body-mime="), 2 * MIB)


@pytest.mark.parametrize(
    "piece",
    [b"from:\n", b"from:a\n b\n", b"received:\n", b"x-loop: a\n", b"\r", b"\r\n\r", b"a", b"\n\n", b"date: ", b" \n"],
)
def test_what_is_known_of_a_mail_before_it_is_accepted(piece: bytes) -> None:
    assert_linear(opening_of, repeat(piece), 2 * MIB)
    assert_linear(lambda raw: [address_in(found) for found in values_of(raw, "From")], repeat(piece), 2 * MIB)


@pytest.mark.parametrize("piece", [b"\r\n.", b"\r\n..", b".\r\n", b"\r", b"\n", b"a", b"\r\n.\r", b"\r\n. \r\n"])
def test_a_mail_by_smtp(piece: bytes) -> None:
    assert_linear(lambda data: asyncio.run(smtp_content(data)), repeat(piece, b"Subject: a\r\n"), 2 * MIB)


@pytest.mark.parametrize(
    "piece",
    [
        *(b"/Type/Page ", b"/Type/Pages", b"/Type         /", b"/Type", b"/Width 9999 ", b"/Width 9999/Image"),
        *(b"/Width         ", b"/Width", b"/", b"obj", b"%PDF-", b"\0"),
    ],
)
def test_the_guess_of_what_a_pdf_costs(piece: bytes) -> None:
    assert_linear(lambda data: expected_load(data, PDF), repeat(piece, b"%PDF-1.7\n"), MIB)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            b"<!--",
            b"<!-- -->",
            b"<![if",
            b"<?xml ",
            b"<!doctype ",
            b"<a>",
            b"<a ",
            b"</td",
            b" ",
            b"\xff\xfe<",
            b"<\0",
        ),
        *(b"ftyp", b"%PDF", b"\0"),
    ],
)
def test_the_type_of_a_document(piece: bytes) -> None:
    assert_linear(sniff, repeat(piece), 32 * 1024)
    assert_linear(sniff, repeat(piece, b" " * 100), MIB)


@pytest.mark.parametrize("piece", [b"a", b"a/", b"\\", b"\1", b".", b" ", b"a."])
def test_names_of_files(piece: bytes) -> None:
    assert_linear(lambda data: clean_name(data.decode()), repeat(piece), MIB)


def test_evidence_that_is_unpacked() -> None:
    def packed(size: int) -> bytes:
        words = size // 20
        page = PageWords(1, 100.0, 100.0, " ".join(["word"] * words), tuple(range(4)) * words)
        return pack(Evidence((page,)))

    assert_linear(unpack, packed, MIB)


def part(head: str, piece: bytes) -> Make:
    """A mail of one part with this header."""
    return repeat(piece, f"From: a@b.test\nMIME-Version: 1.0\n{head}\n\n".encode())


def mixed(piece: bytes) -> Make:
    return repeat(piece, b'From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="XbX"\n\n')


def random_bytes(size: int) -> bytes:
    return random.Random(1).randbytes(size)  # noqa: S311 - noise, no secret


def attached(content: Callable[[int], bytes], name: str) -> Make:
    def make(size: int) -> bytes:
        mail = EmailMessage()
        mail["From"], mail["Subject"] = "a@b.test", "Invoice"
        mail.set_content("See attached.")
        mail.add_attachment(content(size), maintype="application", subtype="octet-stream", filename=name)
        return mail.as_bytes()

    return make


def zipped(size: int) -> bytes:
    """Small files, as many as an archive may have and more."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(size // 200):
            archive.writestr(f"{number:050}.txt", b"")
    return out.getvalue()


def bomb(size: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.pdf", bytes(size * 20))
    return out.getvalue()


def tnef(size: int) -> bytes:
    """winmail.dat of many small attributes."""
    attribute = b"\2\x02\x90\x06\0\0\0\0\0\0\0"
    return b"\x78\x9f\x3e\x22\1\0" + attribute * (size // len(attribute))


PLAIN, HTML_TEXT = "Content-Type: text/plain", "Content-Type: text/html"
MAILS: dict[str, Make] = {
    "line breaks": part(PLAIN, b"\n"),
    "returns": repeat(b"\r"),
    "headers": repeat(b"X: a\n"),
    "long headers": repeat(b" a\n", b"Subject: a\n"),
    "encoded words": repeat(b"=?utf-8?q?a?= ", b"Subject: "),
    "half encoded words": repeat(b"=?utf-8?q?", b"Subject: "),
    "addresses": repeat(b"a@b.test, ", b"From: "),
    "a name in many pieces": repeat(b' name*1="a";', b"Content-Type: text/plain;"),
    "parts": mixed(b"--XbX\n\na\n"),
    "parts of parts": mixed(b'--XbX\nContent-Type: multipart/mixed; boundary="XbX"\n\n'),
    "boundaries that are none": mixed(b"--XbY\n"),
    "many boundaries": repeat(b"Content-Type: multipart/mixed; boundary=a\n\n--a\n"),
    "mails in mails": repeat(b"Content-Type: message/rfc822\n\n"),
    "dashes": mixed(b"-"),
    "base64": part("Content-Transfer-Encoding: base64", b"QUJD"),
    "base64 in pieces": part("Content-Transfer-Encoding: base64", b"QQ=="),
    "equals signs": part("Content-Transfer-Encoding: base64", b"= "),
    "quoted-printable": part("Content-Transfer-Encoding: quoted-printable", b"=41"),
    "soft breaks": part("Content-Transfer-Encoding: quoted-printable", b"=\n"),
    "perhaps base64": part("Content-Type: application/octet-stream", b"QUJD\n"),
    "uuencoded": part(PLAIN, b"begin 644 a\n#0V%T\n\nend\n"),
    "uuencoded without an end": part(PLAIN, b"begin 644 a\n"),
    "amounts": part(PLAIN, b"1 234 "),
    "nearly amounts": part(PLAIN, b"111 "),
    "digits": part(PLAIN, b"1"),
    "amounts with dots": part(PLAIN, b"1.234"),
    "links": part(PLAIN, b"https://a.test/ "),
    "a long link": part(PLAIN, b"https://"),
    "words of captions": part(PLAIN, b"invoice number "),
    "tags": part(HTML_TEXT, b"<a>"),
    "open tags": part(HTML_TEXT, b"<a "),
    "opening brackets": part(HTML_TEXT, b"<"),
    "comments": part(HTML_TEXT, b"<!--"),
    "declarations": part(HTML_TEXT, b"<!"),
    "instructions": part(HTML_TEXT, b"<?"),
    "closing tags": part(HTML_TEXT, b"</"),
    "CDATA": part(HTML_TEXT, b"<![CDATA["),
    "ampersands": part(HTML_TEXT, b"&"),
    "references": part(HTML_TEXT, b"&#1"),
    "attributes": part(HTML_TEXT, b"a='"),
    "scripts": part(HTML_TEXT, b"<script>"),
    "pictures in place": part(HTML_TEXT, b"cid:a "),
    "a ZIP of many files": attached(zipped, "a.zip"),
    "a ZIP that swells": attached(bomb, "a.zip"),
    "winmail.dat": attached(tnef, "winmail.dat"),
    "noise": attached(random_bytes, "a.bin"),
    "OLE": attached(lambda size: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + random_bytes(size), "a.msg"),
    "signed": attached(lambda size: b"MI" + base64.b64encode(random_bytes(size)), "smime.p7m"),
    "mail in a file": attached(repeat(b"a: b\n", b"From: a@b.test\n"), "a.eml"),
}


@pytest.mark.parametrize("make", MAILS.values(), ids=MAILS)
def test_mails(make: Make) -> None:
    assert_linear(lambda raw: open_mail(raw, OpenRules()), make, 256 * 1024)
