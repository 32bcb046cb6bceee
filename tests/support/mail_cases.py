"""The table of what is to become of the parts of mails."""

import base64
from collections.abc import Callable
from dataclasses import dataclass

from tests.support.mail_corpus import (
    INVOICE_TEXT,
    ORDER,
    XRECHNUNG,
    apple_double,
    apple_inline,
    calendar,
    delivery_report,
    enveloped,
    forwarded,
    html_mail,
    ios_photos,
    locked_pdf,
    locked_zip,
    mail,
    many_parts,
    named_alternative,
    nested_both,
    nested_mails,
    nested_parts,
    outlook_tnef,
    pdf,
    pec,
    picture,
    picture_and_pdf,
    rest_of_text,
    signed,
    smime,
    tnef,
    two_pdfs,
    uuencoded,
    with_encoding,
    with_file,
    with_head,
    with_logo,
    with_part,
    with_whole,
    xml_and_pdf,
    zipped,
)

FILE = "1 ignored, 2 waiting"
TEXT = "1 ignored"


@dataclass(frozen=True)
class Case:
    """`expected` are the outcomes of the parts by their paths, `sender` and `original` what is read of the senders."""

    name: str
    make: Callable[[], bytes]
    expected: str = FILE
    sender: str | None = "anna@example.com"
    original: str | None = None


LANGUAGES = {
    "en": "Invoice number 4711, total 119.00",
    "de": "Rechnung Nr. 4711, Gesamtbetrag 119,00",
    "fr": "Facture n° 4711, total 119,00",
    "es": "Factura n.º 4711, importe 119,00",
    "it": "Fattura n. 4711, totale 119,00",
    "nl": "Factuurnummer 4711, totaal 119,00",
    "pt": "Fatura n.º 4711, total 119,00",
    "pl": "Faktura nr 4711, razem 119,00",
}


def written_in(language: str) -> Callable[[], bytes]:
    return lambda: mail(text=LANGUAGES[language]).as_bytes()


CASES = [
    Case("a PDF", lambda: with_file(pdf())),
    Case("a PDF that is called something else", lambda: with_file(pdf(), "application/octet-stream", "x.dat")),
    Case("Apple: a PDF in place", apple_inline),
    Case("two PDFs", two_pdfs, "1 ignored, 2 waiting, 3 waiting"),
    Case("Outlook: winmail.dat", outlook_tnef, "1 ignored, 2 unpacked, 2.1 waiting"),
    Case(
        "Outlook: a damaged winmail.dat",
        lambda: with_file(tnef("a", b"b")[:30], "application/ms-tnef"),
        "1 ignored, 2 unreadable",
    ),
    Case(
        "a logo beside a PDF",
        lambda: with_logo(picture(400, 120)),
        "1.1 ignored, 1.2.1 ignored, 1.2.2 ignored, 2 waiting",
    ),
    Case(
        "a wide banner in the text",
        lambda: with_logo(picture(3000, 620), has_pdf=False),
        "1 ignored, 2.1 ignored, 2.2 ignored",
    ),
    Case(
        "a scan in the text",
        lambda: with_logo(picture(1200, 1600), has_pdf=False),
        "1 ignored, 2.1 ignored, 2.2 waiting",
    ),
    Case(
        "a tracking pixel",
        lambda: with_file(picture(1, 1, "PNG"), "image/png", None),
        "1 attachment_missing, 2 ignored",
    ),
    Case("a small picture beside a PDF", lambda: picture_and_pdf(700), "1 ignored, 2 ignored, 3 waiting"),
    Case("a scan beside a PDF", lambda: picture_and_pdf(1600), "1 ignored, 2 waiting, 3 waiting"),
    Case("iOS: photos in place", ios_photos, "1 ignored, 2 waiting, 3 waiting"),
    Case(
        "a GIF as logo",
        lambda: with_file(picture(90, 40, "GIF"), "image/gif", "logo.gif"),
        "1 attachment_missing, 2 ignored",
    ),
    Case(
        "a large GIF", lambda: with_file(picture(900, 900, "GIF"), "image/gif", "scan.gif"), "1 ignored, 2 unsupported"
    ),
    Case(
        "forwarded as attachment",
        lambda: forwarded(1),
        "1 ignored, 2 unpacked, 2.1 ignored, 2.2 waiting",
        original="supplier@example.com",
    ),
    Case(
        "forwarded as attachment three deep",
        lambda: forwarded(3),
        "1 ignored, 2 unpacked, 2.1 ignored, 2.2 unpacked, 2.2.1 ignored, 2.2.2 unpacked, 2.2.2.1 ignored, "
        "2.2.2.2 waiting",
        original="level1@example.com",
    ),
    Case(
        "forwarded as attachment seven deep",
        lambda: forwarded(7),
        "1 ignored, 2 unpacked, 2.1 ignored, 2.2 unpacked, 2.2.1 ignored, 2.2.2 unpacked, 2.2.2.1 ignored, "
        "2.2.2.2 unpacked, 2.2.2.2.1 ignored, 2.2.2.2.2 unpacked, 2.2.2.2.2.1 ignored, 2.2.2.2.2.2 too_many",
        original="level5@example.com",
    ),
    Case(
        "a mail as a file (.eml)",
        lambda: with_file(with_file(pdf()), "application/octet-stream", "mail.eml"),
        "1 ignored, 2 unpacked, 2.1 ignored, 2.2 waiting",
        original="anna@example.com",
    ),
    Case(
        "certified mail (PEC)",
        pec,
        "1 ignored, 2 unpacked, 2.1 ignored, 2.2 waiting, 3 ignored",
        sender="posta-certificata@pec.example",
        original="supplier@example.com",
    ),
    Case("S/MIME: signed", smime, "1 unpacked, 1.1.1 ignored, 1.1.2 waiting"),
    Case("S/MIME: encrypted", lambda: with_whole(enveloped(), "application/pkcs7-mime"), "1 encrypted_mail"),
    Case(
        "a signed PDF (.p7m)",
        lambda: with_file(signed(pdf()), "application/pkcs7-mime", "fattura.pdf.p7m"),
        "1 ignored, 2 unpacked, 2.1 waiting",
    ),
    Case(
        "a signed PDF in base64",
        lambda: with_file(base64.b64encode(signed(pdf())), "application/octet-stream", "f.pdf.p7m"),
        "1 ignored, 2 unpacked, 2.1 waiting",
    ),
    Case(
        "a detached signature",
        lambda: with_file(signed(b""), "application/pkcs7-signature", "smime.p7s"),
        "1 attachment_missing, 2 ignored",
    ),
    Case(
        "PGP",
        lambda: with_file(b"-----BEGIN PGP MESSAGE-----\n", "application/octet-stream", "encrypted.asc"),
        "1 ignored, 2 encrypted_mail",
    ),
    Case(
        "a ZIP with two PDFs",
        lambda: with_file(
            zipped(("a/1.pdf", pdf("1")), ("2.pdf", pdf("2")), ("__MACOSX/._1.pdf", b"x")), "application/zip", "i.zip"
        ),
        "1 ignored, 2 unpacked, 2.1 waiting, 2.2 waiting",
    ),
    Case(
        "a ZIP in a ZIP",
        lambda: with_file(zipped(("i.zip", zipped(("1.pdf", pdf())))), "application/zip", "i.zip"),
        "1 ignored, 2 unpacked, 2.1 too_many",
    ),
    Case(
        "a ZIP bomb",
        lambda: with_file(zipped(("bomb", bytes(30_000_000)), ("1.pdf", pdf())), "application/zip", "i.zip"),
        "1 ignored, 2 unpacked, 2.1 too_large, 2.2 waiting",
    ),
    Case(
        "a ZIP with a thousand files",
        lambda: with_file(zipped(*((f"{n}.pdf", b"x") for n in range(1000))), "application/zip", "i.zip"),
        "1 ignored, 2 too_many",
    ),
    Case(
        "a ZIP with a password",
        lambda: with_file(locked_zip(), "application/zip", "i.zip"),
        "1 ignored, 2 unpacked, 2.1 needs_password",
    ),
    Case(
        "a damaged ZIP",
        lambda: with_file(zipped(("1.pdf", pdf()))[:100], "application/zip", "i.zip"),
        "1 ignored, 2 unreadable",
    ),
    Case(
        "a Word document",
        lambda: with_file(
            zipped(("[Content_Types].xml", b"<x/>"), ("word/document.xml", b"<x/>")), "application/zip", "i.docx"
        ),
        "1 ignored, 2 unsupported",
    ),
    Case("an encrypted PDF", lambda: with_file(locked_pdf())),
    Case("a damaged PDF", lambda: with_file(b"%PDF-1.7\nnothing\n")),
    Case("XRechnung alone", lambda: with_file(XRECHNUNG, "application/xml", "r.xml"), "1 ignored, 2 waiting"),
    Case("XRechnung beside another PDF", xml_and_pdf, "1 ignored, 2 waiting, 3 waiting"),
    Case("XRechnung beside its PDF", lambda: xml_and_pdf("i.xml"), "1 ignored, 2 ignored, 3 waiting"),
    Case(
        "a signed XRechnung",
        lambda: with_file(signed(XRECHNUNG), name="r.xml.p7m"),
        "1 ignored, 2 unpacked, 2.1 waiting",
    ),
    Case("an order as XML", lambda: with_file(ORDER, "application/xml", "o.xml"), "1 ignored, 2 unsupported"),
    Case("an order beside a PDF", lambda: xml_and_pdf("i.xml", ORDER), "1 ignored, 2 ignored, 3 waiting"),
    Case("an HTML file", lambda: with_file(b"<html><body><p>Invoice</p></body></html>", "text/html", "i.html")),
    Case("an invoice as the text", lambda: mail(text=INVOICE_TEXT).as_bytes(), "1 waiting"),
    Case("an invoice as HTML", lambda: html_mail("<h1>Invoice 4711</h1><p>Total: $119.00</p>")),
    *(Case(f"an invoice as the text: {language}", written_in(language), "1 waiting") for language in LANGUAGES),
    Case("see attached, and nothing is", lambda: mail().as_bytes(), "1 attachment_missing"),
    Case(
        "only a link",
        lambda: html_mail("<a href='https://shop.example/invoice?one-time=1'>Your document</a>"),
        "1 ignored, 2 links",
    ),
    Case(
        "an order confirmation forwarded as attachment",
        lambda: forwarded(1, mail(text=INVOICE_TEXT).as_bytes()),
        "1 ignored, 2 unpacked, 2.1 waiting",
        original="anna@example.com",
    ),
    Case("a calendar entry and a card", calendar, "1 attachment_missing, 2 ignored, 3 ignored"),
    Case("a bounce", delivery_report, "1 ignored, 2 ignored", sender="mailer-daemon@example.com"),
    Case("3,000 nested parts", lambda: nested_parts(3000), f"{'.'.join(21 * '1')} too_many, 501 too_many"),
    Case(
        "3,000 parts",
        lambda: many_parts(3000),
        ", ".join(f"{number} ignored" for number in range(1, 501)) + ", 501 too_many",
    ),
    Case(
        "3,000 nested mails",
        lambda: nested_mails(3000),
        "1 unpacked, 1.1 unpacked, 1.1.1 unpacked, 1.1.1.1 unpacked, 1.1.1.1.1 unpacked, 1.1.1.1.1.1 too_many, "
        "501 too_many",
    ),
    Case("mails in parts in mails", lambda: nested_both(490), "1 ignored, 501 too_many"),
    Case("30 nested parts", lambda: nested_parts(30), "1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1 too_many"),
    Case("an empty file", lambda: with_file(b"", "application/pdf"), "1 attachment_missing, 2 ignored"),
    Case("no header", lambda: b"\r\n\r\nHello", TEXT, sender=None),
    Case("nothing", lambda: b"", TEXT, sender=None),
    Case("an empty From", lambda: b"From:\r\nSubject: x\r\n\r\nHello", TEXT, sender=None),
    Case("two From", lambda: b"From: anna@example.com\r\nFrom: bert@example.com\r\n\r\nHello", TEXT),
    Case("a broken Message-ID", lambda: b"Message-ID: <\r\nFrom: anna@example.com\r\n\r\nHello", TEXT),
    Case("a Message-ID in brackets", lambda: b"Message-ID: <[1@x]>\r\nFrom: anna@example.com\r\n\r\nHello", TEXT),
    Case("an open quote in From", lambda: b'From: "\r\n\r\nHello', TEXT, sender=None),
    Case("500 open brackets in From", lambda: b"From: " + b"(" * 500 + b"\r\n\r\nHello", TEXT, sender=None),
    Case("20,000 addresses", lambda: b"From: " + b"anna@example.com, " * 20_000 + b"\r\n\r\nHello", TEXT),
    Case(
        "a subject of 1 MB",
        lambda: b"From: anna@example.com\r\nSubject: " + b"=?utf-8?q?a?= " * 75_000 + b"\r\n\r\nHello",
        TEXT,
    ),
    Case("bare line feeds", lambda: with_file(pdf()).replace(b"\r\n", b"\n")),
    Case("no end", lambda: with_file(pdf()).rsplit(b"--", 2)[0]),
    Case(
        "a boundary that never comes",
        lambda: b"From: anna@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\nHello",
        TEXT,
    ),
    Case(
        "an unknown encoding",
        lambda: b"From: anna@example.com\r\nContent-Type: text/plain; charset=klingon\r\n\r\n\xff\xfe",
        TEXT,
    ),
    Case("a name in many bytes", lambda: with_file(pdf(), name="Rechnung " + "\u00fc" * 300 + ".pdf")),
    Case("a subject of 1 MB before a file", lambda: with_head(b"Subject: " + b"=?utf-8?q?a?= " * 75_000)),
    Case("a subject of 1 MB on many lines", lambda: with_head(b"Subject: " + b"abcd efgh\r\n " * 90_000 + b"x")),
    Case("9,000 headers before From", lambda: b"X-Spam: x\r\n" * 9_000 + with_file(pdf())),
    Case("8-bit headers in Latin-1", lambda: with_head("Subject: Rechnung für März".encode("latin-1"))),
    Case("bare carriage returns", lambda: with_file(pdf()).replace(b"\r\n", b"\r")),
    Case("a PDF as text without a name", lambda: with_part(b"Content-Type: text/plain", pdf())),
    Case("a PDF without a type", lambda: with_part(b"X-Type: unknown", pdf())),
    Case(
        "a ZIP as HTML",
        lambda: with_part(b"Content-Type: text/html", zipped(("1.pdf", pdf()))),
        "1 ignored, 2 unpacked, 2.1 waiting",
    ),
    *(
        Case(f"an encoding written as {written!r}", with_encoding(written))
        for written in ("base64 ", "BASE64;", '"base64"', "base64 (a comment)", "7bit", "")
    ),
    Case("a PDF in binary", lambda: with_part(b"Content-Type: application/pdf", pdf(), b"binary")),
    Case("a PDF in a text (uuencode)", uuencoded, "1 ignored, 1.1 waiting"),
    Case(
        "a mail in base64",
        lambda: with_part(b"Content-Type: message/rfc822", with_file(pdf())),
        "1 ignored, 2 unpacked, 2.1 ignored, 2.2 waiting",
        original="anna@example.com",
    ),
    Case(
        "a mail with addresses beyond ASCII (message/global)",
        lambda: with_part(b"Content-Type: message/global", with_file(pdf()), b"8bit"),
        "1 ignored, 2 unpacked, 2.1 ignored, 2.2 waiting",
        original="anna@example.com",
    ),
    Case(
        "a mail as a file without a name",
        lambda: with_part(b"Content-Type: application/octet-stream", with_file(pdf())),
        "1 ignored, 2 unpacked, 2.1 ignored, 2.2 waiting",
        original="anna@example.com",
    ),
    Case(
        "a reference to a file elsewhere",
        lambda: with_part(b"Content-Type: message/external-body; access-type=ftp", b"Content-Type: text/plain\r\n"),
        "1 ignored, 2 unsupported",
    ),
    Case("HTML with a name in the place of the text", named_alternative, "1 ignored, 2 ignored"),
    Case("Exchange: what follows a PDF of Apple Mail", rest_of_text, "1 ignored, 2 waiting, 3 ignored"),
    Case("Apple: a file with its resource fork", apple_double, "1 ignored, 2.1 ignored, 2.2 waiting"),
    Case(
        "PGP in the text",
        lambda: mail(text="-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----").as_bytes(),
        "1 encrypted_mail",
    ),
    Case(
        "an encrypted file in base64",
        lambda: with_file(base64.encodebytes(enveloped()), "application/x-pkcs7-mime", "smime.p7m"),
        "1 ignored, 2 encrypted_mail",
    ),
    Case(
        "a ZIP with a folder of a name like Word's",
        lambda: with_file(zipped(("password/1.pdf", pdf()), ("xl/2.pdf", pdf("2"))), "application/zip", "i.zip"),
        "1 ignored, 2 unpacked, 2.1 waiting, 2.2 waiting",
    ),
    Case(
        "XRechnung in UTF-16",
        lambda: with_file(XRECHNUNG.decode().encode("utf-16"), "application/xml", "r.xml"),
        "1 ignored, 2 waiting",
    ),
    Case(
        "an SVG picture",
        lambda: with_file(b"<svg xmlns='x'/>", "image/svg+xml", "scan.svg"),
        "1 ignored, 2 unsupported",
    ),
    Case(
        "an SVG as logo",
        lambda: with_logo(b"<svg xmlns='x'/>"),
        "1.1 ignored, 1.2.1 ignored, 1.2.2 ignored, 2 waiting",
    ),
    Case(
        "Outlook: a winmail.dat with nothing but the look of the text",
        lambda: with_file(tnef("a", b"")[:40], "application/ms-tnef", "winmail.dat"),
        "1 attachment_missing, 2 ignored",
    ),
    Case(
        "Outlook: more bytes after winmail.dat",
        lambda: with_file(tnef("Rechnung.pdf", pdf()) + b"\n" * 20, "application/ms-tnef", "winmail.dat"),
        "1 ignored, 2 unpacked, 2.1 waiting",
    ),
]
