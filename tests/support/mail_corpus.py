"""Mails as clients write them, and as attackers do."""

import base64
import binascii
import io
import struct
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.policy import SMTP
from functools import cache

import pypdf
from asn1crypto import cms
from PIL import Image

INVOICE_TEXT = "Invoice no. 4711 of 2026-05-17\nAmount due: 119.00 EUR\n"


@cache
def pdf(text: str = "one") -> bytes:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(200, 200)
    writer.add_metadata({"/Title": text})
    return _written(writer)


@cache
def locked_pdf() -> bytes:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(200, 200)
    writer.encrypt("secret", algorithm="RC4-128")
    return _written(writer)


def _written(writer: pypdf.PdfWriter) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@cache
def picture(width: int, height: int, kind: str = "JPEG", noise: bool = True) -> bytes:
    image = Image.effect_noise((width, height), 90) if noise else Image.new("L", (width, height))
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def zipped(*files: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


def signed(content: bytes) -> bytes:
    """Signed data of S/MIME and PEC, without a signature."""
    info = cms.ContentInfo(
        {
            "content_type": "signed_data",
            "content": {
                "version": "v1",
                "digest_algorithms": [{"algorithm": "sha256"}],
                "encap_content_info": {"content_type": "data", "content": content},
                "signer_infos": [],
            },
        }
    )
    return bytes(info.dump())


def enveloped() -> bytes:
    return b"\x30\x82\x01\x00\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03" + bytes(200)


def tnef(name: str, data: bytes) -> bytes:
    """winmail.dat with one attachment."""

    def attribute(level: int, number: int, kind: int, value: bytes) -> bytes:
        return struct.pack("<BHHI", level, number, kind, len(value)) + value + struct.pack("<H", sum(value) & 0xFFFF)

    return (
        struct.pack("<IH", 0x223E9F78, 1)
        + attribute(1, 0x9006, 8, struct.pack("<I", 0x10000))
        + attribute(1, 0x9007, 6, struct.pack("<II", 1252, 0))
        + attribute(2, 0x9002, 6, bytes(14))
        + attribute(2, 0x8010, 1, name.encode() + b"\0")
        + attribute(2, 0x800F, 6, data)
    )


def mail(
    subject: str = "Invoice", text: str | None = "See attached.", sender: str = "Anna <anna@example.com>"
) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = "acme@in.example.com"
    message["Subject"] = subject
    message["Message-ID"] = "<1@example.com>"
    if text is not None:
        message.set_content(text)
    return message


def with_file(
    data: bytes, kind: str = "application/pdf", name: str | None = "invoice.pdf", text: str = "See attached."
) -> bytes:
    message = mail(text=text)
    main, _, sub = kind.partition("/")
    message.add_attachment(data, maintype=main, subtype=sub, filename=name)
    return message.as_bytes()


def outlook_tnef() -> bytes:
    return with_file(tnef("Rechnung.pdf", pdf()), "application/ms-tnef", "winmail.dat")


def apple_inline() -> bytes:
    """Apple Mail shows PDFs in place, without a file's disposition."""
    message = MIMEMultipart("mixed")
    message["From"] = "anna@example.com"
    message.attach(MIMEText("Here it is", "plain"))
    part = MIMEText("", "plain")
    part.replace_header("Content-Type", 'application/pdf; x-unix-mode=0644; name="invoice.pdf"')
    part["Content-Disposition"] = "inline; filename=invoice.pdf"
    part.replace_header("Content-Transfer-Encoding", "base64")
    part.set_payload(base64.encodebytes(pdf()).decode())
    message.attach(part)
    return message.as_bytes()


def with_logo(logo: bytes, *, has_pdf: bool = True, text: str = "<p>Regards</p>") -> bytes:
    message = mail(text="Regards")
    message.add_alternative(f"<html><body>{text}<img src='cid:logo@x'></body></html>", subtype="html")
    html = list(message.iter_parts())[1]
    assert isinstance(html, EmailMessage)
    html.add_related(logo, maintype="image", subtype="jpeg", cid="<logo@x>", filename="image001.jpg")
    if has_pdf:
        message.add_attachment(pdf(), maintype="application", subtype="pdf", filename="i.pdf")
    return message.as_bytes()


def ios_photos() -> bytes:
    """The iPhone sends photos in place, between texts, without a Content-ID."""
    message = mail(text="Sent from my iPhone")
    for number in range(2):
        message.add_attachment(
            picture(1200, 1600 + number), maintype="image", subtype="jpeg", disposition="inline", filename="IMG.jpeg"
        )
    return message.as_bytes()


def forwarded(depth: int, inner: bytes | None = None) -> bytes:
    """A mail attached to a mail, and so on."""
    from email import message_from_bytes

    raw = inner or with_file(pdf()).replace(b"anna@", b"supplier@")
    for level in range(depth):
        outer = MIMEMultipart("mixed")
        outer["From"] = "anna@example.com" if level == depth - 1 else f"level{level}@example.com"
        outer["Subject"] = "Fwd"
        outer.attach(MIMEText("FYI"))
        outer.attach(MIMEMessage(message_from_bytes(raw)))
        raw = outer.as_bytes()
    return raw


def pec() -> bytes:
    """Italian certified mail: the real mail is an attachment, the whole is signed."""
    from email import message_from_bytes

    message = MIMEMultipart("mixed")
    message["From"] = '"Per conto di: supplier@pec.example" <posta-certificata@pec.example>'
    message.attach(MIMEText("Messaggio di posta certificata"))
    inner = MIMEMessage(message_from_bytes(with_file(pdf()).replace(b"anna@", b"supplier@")))
    inner.add_header("Content-Disposition", "inline", filename="postacert.eml")
    message.attach(inner)
    data = MIMEText("<postacert/>", "xml")
    data.add_header("Content-Disposition", "inline", filename="daticert.xml")
    message.attach(data)
    return message.as_bytes()


def smime() -> bytes:
    content = with_file(pdf()).split(b"Message-ID", 1)[1].split(b"\r\n", 1)[1]
    return with_whole(signed(content), "application/pkcs7-mime; smime-type=signed-data")


def with_whole(data: bytes, kind: str) -> bytes:
    """A mail that is nothing but this."""
    head = f"From: anna@example.com\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return head.encode() + base64.encodebytes(data)


def html_mail(text: str) -> bytes:
    message = mail(text="see html")
    message.add_alternative(f"<html><body>{text}</body></html>", subtype="html")
    return message.as_bytes()


def nested_parts(count: int) -> bytes:
    head = b"From: anna@example.com\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n"
    return head + b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (number, number + 1)
        for number in range(count)
    )


def nested_mails(count: int) -> bytes:
    return b"From: anna@example.com\r\n" + b"Content-Type: message/rfc822\r\n\r\n" * count + b"Hello"


def nested_both(count: int) -> bytes:
    return b"From: anna@example.com\r\n" + b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\nContent-Type: message/rfc822\r\n\r\n" % (n, n)
        for n in range(count)
    )


def many_parts(count: int) -> bytes:
    head = b"From: anna@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    return head + b"--b\r\nContent-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\n" * count + b"--b--\r\n"


def delivery_report() -> bytes:
    return (
        b"From: mailer-daemon@example.com\r\nContent-Type: multipart/report; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: text/plain\r\n\r\nIt could not be delivered.\r\n"
        b"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nStatus: 5.1.1\r\n--b--\r\n"
    )


XRECHNUNG = (
    b'<?xml version="1.0"?><ubl:Invoice xmlns:ubl="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">'
    b"<ID>RE-71</ID></ubl:Invoice>"
)
ORDER = b'<?xml version="1.0"?><Order xmlns="urn:example:orders"><Invoice>1</Invoice></Order>'


def two_pdfs() -> bytes:
    message = mail()
    for number in range(2):
        message.add_attachment(pdf(str(number)), maintype="application", subtype="pdf", filename=f"{number}.pdf")
    return message.as_bytes()


def picture_and_pdf(height: int) -> bytes:
    message = mail()
    message.add_attachment(picture(600, height), maintype="image", subtype="jpeg", filename="p.jpg")
    message.add_attachment(pdf(), maintype="application", subtype="pdf", filename="i.pdf")
    return message.as_bytes()


def xml_and_pdf(name: str = "r.xml", xml: bytes = XRECHNUNG, shown: bytes | None = None) -> bytes:
    """`shown` is the PDF."""
    message = mail()
    message.add_attachment(xml, maintype="application", subtype="xml", filename=name)
    message.add_attachment(shown or pdf(), maintype="application", subtype="pdf", filename="i.pdf")
    return message.as_bytes()


def calendar() -> bytes:
    message = mail()
    message.add_attachment(b"BEGIN:VCALENDAR\r\n", maintype="text", subtype="calendar", filename="i.ics")
    message.add_attachment(b"BEGIN:VCARD\r\n", maintype="text", subtype="vcard", filename="i.vcf")
    return message.as_bytes()


def locked_zip() -> bytes:
    data = bytearray(zipped(("1.pdf", pdf())))
    # The flag that says so, in both headers of the file.
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


_TEXT = b"Content-Type: text/plain\r\n\r\nSee attached."


def in_parts(*parts: bytes, kind: str = "mixed") -> bytes:
    """Parts with headers of their own, in a mail that is written by hand."""
    head = f"From: anna@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/{kind}; boundary=b\r\n\r\n"
    return head.encode() + b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--\r\n"


def with_part(headers: bytes, data: bytes, encoding: bytes = b"base64") -> bytes:
    written = base64.encodebytes(data) if encoding == b"base64" else data
    return in_parts(_TEXT, headers + b"\r\nContent-Transfer-Encoding: " + encoding + b"\r\n\r\n" + written)


def with_encoding(written: str) -> Callable[[], bytes]:
    """A PDF in base64, about which the header says something else or more."""
    said = b"\r\nContent-Transfer-Encoding: " + written.encode() if written else b""
    headers = b"Content-Type: application/pdf; name=a.pdf" + said
    return lambda: in_parts(_TEXT, headers + b"\r\n\r\n" + base64.encodebytes(pdf()))


def with_head(header: bytes) -> bytes:
    """A mail with a PDF that begins with this header."""
    return header + b"\r\n" + with_part(b"Content-Type: application/pdf; name=a.pdf", pdf())


def uuencoded() -> bytes:
    data = pdf()
    lines = b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
    return b"From: anna@example.com\r\n\r\nHere it is:\r\n\r\nbegin 644 invoice.pdf\r\n" + lines + b"`\nend\n"


def named_alternative() -> bytes:
    html = b'Content-Type: text/html; name="mail.html"\r\n\r\n<html><body>See attached</body></html>'
    return in_parts(_TEXT, html, kind="alternative")


def rest_of_text() -> bytes:
    file = b"Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    rest = b"Content-Type: text/html; name=ATT00001.htm\r\nContent-Disposition: attachment; filename=ATT00001.htm"
    return in_parts(
        _TEXT, file + base64.encodebytes(pdf()), rest + b"\r\n\r\n<html><body><br>Sent from my iPhone</body></html>"
    )


def apple_double() -> bytes:
    fork = b"Content-Type: application/applefile; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nAAUWBwACAAA="
    file = b"Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    inner = b"--c\r\n" + fork + b"\r\n--c\r\n" + file + base64.encodebytes(pdf()) + b"\r\n--c--"
    return in_parts(_TEXT, b"Content-Type: multipart/appledouble; boundary=c\r\n\r\n" + inner)
