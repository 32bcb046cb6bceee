"""The table of mails as they are meant: receipts without the word, replies, news, files under wrong names."""

# ruff: noqa: E501 - a table

import base64
from collections.abc import Callable
from email.message import EmailMessage
from functools import partial

from tests.support.mail_cases import Case
from tests.support.mail_corpus import mail, pdf, picture, zipped
from tests.support.receipt_pictures import RECEIPTS, logo, receipt, signature

_TEXT = "Hello,\nbest regards\nAnna\n"
NONE = "1 ignored"
PAGE = "1 waiting"
MISSING = "1 attachment_missing"
FILE = "1 ignored, 2 waiting"

HTML_RECEIPTS = {
    "en": ("Thank you for your purchase", "Total", "VAT 20 %"),
    "de": ("Vielen Dank für Ihren Einkauf", "Gesamtsumme", "MwSt. 19 %"),
    "fr": ("Merci de votre achat", "Total TTC", "dont TVA 20 %"),
    "es": ("Gracias por su compra", "Total", "IVA 21 %"),
    "it": ("Grazie per il tuo acquisto", "Totale", "IVA 22 %"),
    "nl": ("Bedankt voor je aankoop", "Totaal", "BTW 21 %"),
    "pl": ("Dziękujemy za zakup", "Razem", "VAT 23 %"),
    "pt": ("Obrigado pela sua compra", "Total", "IVA 23 %"),
    "sv": ("Tack för ditt köp", "Totalt", "Moms 25 %"),
    "cs": ("Děkujeme za nákup", "Celkem", "DPH 21 %"),
}
ANNOUNCEMENTS = {
    "en": ("Our services in May", "Please find attached our invoice."),
    "de": ("Leistungen im Mai", "anbei erhalten Sie unsere Rechnung Nr. 4711 über 119,00 EUR."),
    "fr": ("Prestations de mai", "Veuillez trouver ci-joint notre facture."),
    "es": ("Servicios de mayo", "Adjuntamos nuestra factura."),
    "it": ("Servizi di maggio", "In allegato la nostra fattura."),
    "nl": ("Diensten in mei", "In de bijlage vindt u onze factuur."),
    "pl": ("Usługi w maju", "W załączniku przesyłam fakturę za maj."),
    "pt": ("Serviços de maio", "Segue em anexo a nossa fatura."),
    "sv": ("Tjänster i maj", "Vi bifogar vår faktura."),
}
REPLIES = {
    "en": ("Re: Invoice 4711", "Thanks, paid.\n\nOn Fri, 1 May 2026 Bert <b@x.example> wrote:\n> Invoice 4711, total 119.00, VAT 19.00"),
    "de": ("AW: Rechnung 4711", "Danke!\n\nVon: Bert\nGesendet: Freitag\nBetreff: Rechnung 4711\n\nRechnung 4711, Summe 119,00, MwSt 19,00"),
    "fr": ("RE: Facture 4711", "Merci.\n\nLe 1 mai 2026, Bert a écrit :\n> Facture 4711 ci-jointe, total 119,00, TVA 19,00"),
    "sv": ("SV: Faktura 4711", "Tack. Faktura 4711 på 119,00 är betald."),
    "nl": ("Antw: Factuur 4711", "Bedankt, factuur 4711 van 119,00 is betaald."),
    "pl": ("Odp: Faktura 4711", "Dziękuję, faktura 4711 na 119,00 zapłacona."),
}  # fmt: skip


def message(subject: str, text: str = "", html: str = "", headers: tuple[tuple[str, str], ...] = ()) -> EmailMessage:
    made = mail(subject, text=text or _TEXT)
    if html:
        made.set_content(html, subtype="html")
    for name, value in headers:
        made[name] = value
    return made


def _rows(*rows: tuple[str, str]) -> str:
    return "<table>" + "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows) + "</table>"


def html_receipt(language: str) -> bytes:
    thanks, total, tax = HTML_RECEIPTS[language]
    table = _rows(("Blue chair", "79,00 €"), ("Lamp", "40,00 €"), (tax, "19,00 €"), (total, "119,00 €"))
    return message("Order A-17", html=f"<html><body><h1>{thanks}</h1>{table}</body></html>").as_bytes()


def newsletter(text: str) -> bytes:
    return message("News", html=f"<p>{text}</p>", headers=(("List-Unsubscribe", "<https://x.example/u>"),)).as_bytes()


def parcel(text: str) -> bytes:
    return message("Your parcel", html=f"<p>{text}</p>").as_bytes()


def in_place(*pictures: bytes, with_pdf: bool = False) -> bytes:
    made = mail(text=_TEXT)
    tags = "".join(f"<img src='cid:{number}@x'>" for number in range(len(pictures)))
    made.set_content(f"<p>Hello</p>{tags}", subtype="html")
    for number, data in enumerate(pictures):
        kind = "png" if data.startswith(b"\x89PNG") else "jpeg"
        made.add_related(data, "image", kind, cid=f"<{number}@x>", filename=f"{number}.{kind}")
    if with_pdf:
        made.add_attachment(pdf(), maintype="application", subtype="pdf", filename="i.pdf")
    return made.as_bytes()


def attached(*files: tuple[str, bytes], with_pdf: bool = False) -> bytes:
    made = mail(text=_TEXT)
    for name, data in files:
        made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    if with_pdf:
        made.add_attachment(pdf(), maintype="application", subtype="pdf", filename="i.pdf")
    return made.as_bytes()


def raw_part(
    headers: bytes,
    data: bytes = b"",
    head: bytes = b"Content-Type: multipart/mixed; boundary=b\r\n",
    line: bytes = b"b",
) -> bytes:
    """A mail with a text and a PDF in base64, with these headers, byte for byte."""
    written = base64.encodebytes(data or pdf()).replace(b"\n", b"\r\n")
    text = b"--" + line + b"\r\nContent-Type: text/plain\r\n\r\nHello\r\n"
    part = b"--" + line + b"\r\n" + headers + b"\r\n\r\n" + written + b"--" + line + b"--\r\n"
    start = b"From: anna@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n"
    return start + head + b"\r\n" + text + part


BASE64 = b"Content-Transfer-Encoding: base64"
PDF_HEAD = b"Content-Type: application/pdf\r\n" + BASE64


def named(name: bytes) -> bytes:
    return raw_part(
        b'Content-Type: application/pdf; name="'
        + name
        + b'"\r\nContent-Disposition: attachment; filename="'
        + name
        + b'"\r\n'
        + BASE64
    )


def with_encoding_called(name: str) -> bytes:
    return raw_part(b"Content-Type: application/pdf\r\nContent-Transfer-Encoding: " + name.encode())


def written(subject_and_text: tuple[str, str]) -> bytes:
    return message(*subject_and_text).as_bytes()


def receipt_in_place(language: str) -> bytes:
    return in_place(receipt(480, 640, language))


def _case(name: str, make: Callable[[], bytes], expected: str) -> Case:
    return Case(name, make, expected)


MEANT = [
    *(_case(f"a receipt of HTML without the word, {one}", partial(html_receipt, one), PAGE) for one in HTML_RECEIPTS),
    *(
        _case(f"an attachment that is missing, {one}", partial(written, ANNOUNCEMENTS[one]), MISSING)
        for one in ANNOUNCEMENTS
    ),
    *(_case(f"a reply, {one}", partial(written, REPLIES[one]), NONE) for one in REPLIES),
    _case(
        "a forwarded receipt in the text",
        lambda: message("Fwd: Your receipt", "---------- Forwarded message ---------\nFrom: shop@x.example\n\nReceipt no 17123\nTotal 119.00\nVAT 19.00").as_bytes(),
        PAGE,
    ),
    _case("a newsletter with prices", lambda: newsletter("Invoices made easy: now 9.99 a month instead of 19.99!"), NONE),
    _case("a newsletter with a total", lambda: newsletter("Your invoice software: total only 9.99 EUR, try it"), NONE),
    _case("a receipt with a link to unsubscribe", lambda: newsletter("Receipt no 17123<br>Total 9.99<br>VAT 1.60"), PAGE),
    _case("a report about a parcel", lambda: parcel("Your order was shipped. Tracking number 4711. Order total: 49.90 EUR incl. VAT"), NONE),
    _case("a chat about prices", lambda: message("Lunch?", "It was 12.50 each, let us go again.").as_bytes(), NONE),
    *(
        _case(f"a small receipt in place, {one}", partial(receipt_in_place, one), "1 ignored, 2 waiting")
        for one in RECEIPTS
    ),
    _case("a long receipt in place", lambda: in_place(receipt(420, 1900)), "1 ignored, 2 waiting"),
    _case("a small receipt beside a PDF", lambda: attached(("r.jpg", receipt(480, 640)), with_pdf=True), "1 ignored, 2 waiting, 3 waiting"),
    _case("a long receipt in place beside a PDF", lambda: in_place(receipt(420, 1900), with_pdf=True), "1.1 ignored, 1.2 waiting, 2 waiting"),
    _case("a logo in place", lambda: in_place(logo()), "1 ignored, 2 ignored"),
    _case("a signature in place", lambda: in_place(signature()), "1 ignored, 2 ignored"),
    _case("a logo and a signature beside a PDF", lambda: in_place(logo(), signature(), with_pdf=True), "1.1 ignored, 1.2 ignored, 1.3 ignored, 2 waiting"),
    _case("a photo of noise in place", lambda: in_place(picture(480, 480)), "1 ignored, 2 ignored"),
    _case("a TIFF", lambda: attached(("scan.tif", receipt(900, 1200, "en", "TIFF"))), FILE),
    _case("a WebP", lambda: attached(("scan.webp", receipt(900, 1200, "en", "WEBP"))), FILE),
    _case("a ZIP with stored PDFs", lambda: attached(("all.zip", zipped(("a.pdf", pdf("one")), ("b.pdf", pdf("two"))))), "1 ignored, 2 unpacked, 2.1 waiting, 2.2 waiting"),
    _case("a PDF that is called a text", lambda: raw_part(b"Content-Type: text/plain; charset=utf-8\r\n" + BASE64), FILE),
    _case("a PDF that is called a mail", lambda: raw_part(b"Content-Type: message/rfc822\r\n" + BASE64), FILE),
    _case("a PDF that is called a multipart", lambda: raw_part(b"Content-Type: multipart/mixed\r\n" + BASE64), FILE),
    _case("a PDF that is called a calendar", lambda: raw_part(b"Content-Type: text/calendar\r\n" + BASE64), FILE),
    _case("a PDF that is called a signature", lambda: raw_part(b"Content-Type: application/pkcs7-signature\r\n" + BASE64), FILE),
    _case("a PDF that is called a GIF", lambda: raw_part(b"Content-Type: image/gif\r\n" + BASE64), FILE),
    _case("a PDF with two types", lambda: raw_part(b"Content-Type: text/html\r\n" + PDF_HEAD), FILE),
    _case("a PDF with two types in one header", lambda: raw_part(b"Content-Type: text/plain, application/pdf\r\n" + BASE64), FILE),
    _case("two types of the whole mail", lambda: raw_part(PDF_HEAD, head=b"Content-Type: text/plain\r\nContent-Type: multipart/mixed; boundary=b\r\n"), FILE),
    _case("a wrong boundary", lambda: raw_part(PDF_HEAD, head=b"Content-Type: multipart/mixed; boundary=other\r\n"), FILE),
    _case("no boundary", lambda: raw_part(PDF_HEAD, head=b"Content-Type: multipart/mixed\r\n"), FILE),
    _case("no type of the whole mail", lambda: raw_part(PDF_HEAD, head=b""), FILE),
    *(
        _case(f"an encoding that is called {one}", partial(with_encoding_called, one), FILE)
        for one in ("base-64", "Base_64", "base 64", "b64", "x-base64", "BASE64;", "basex64", "8bit")
    ),
]  # fmt: skip

NAMES = {
    "UTF-8": ("Größe_März.pdf".encode(), "Größe_März.pdf"),
    "Latin-1": ("Größe für März.pdf".encode("latin-1"), "Größe für März.pdf"),
    "Latin-1, two in a row": ("Größe.pdf".encode("latin-1"), "Größe.pdf"),
    "Windows-1252": ("Rechnung – 17 €.pdf".encode("cp1252"), "Rechnung – 17 €.pdf"),
    "GBK": ("发票2026年5月.pdf".encode("gbk"), "发票2026年5月.pdf"),
    "GBK, a longer one": ("上海某某有限公司发票.pdf".encode("gbk"), "上海某某有限公司发票.pdf"),
}
