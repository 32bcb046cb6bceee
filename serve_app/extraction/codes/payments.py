"""Codes that order a payment."""

import re
from urllib.parse import parse_qsl, unquote

from serve_app.domain.invoice_data import InvoiceData
from serve_app.extraction.codes.values import address_of, amount_of, cents_of, day_of, text_of, texts_of

# The places of lines in a Swiss QR-bill (SIX, Implementation Guidelines QR-bill 2.3, chapter 4).
_SWISS_LINES = 31
_SWISS_BILL_INFORMATION = 32
_UPN_LINES = 19


def swiss_qr_bill(text: str) -> InvoiceData | None:
    """SIX, Swiss Implementation Guidelines QR-bill 2.3; number and date by the syntax S1 of Swico."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0] != "SPC":
        return None
    if len(lines) < _SWISS_LINES - 1:
        raise ValueError("cut off")
    information = lines[_SWISS_BILL_INFORMATION - 1] if len(lines) >= _SWISS_BILL_INFORMATION else ""
    stated = _swico(information)
    return InvoiceData(
        "Swiss QR-bill",
        seller=text_of(lines[5]),
        number=stated.get("10"),
        issued_at=day_of(stated.get("11"), "%y%m%d"),
        currency=text_of(lines[19]),
        amount=amount_of(lines[18]),
        vat_ids=texts_of(stated.get("30") and f"CHE{stated['30']}"),
        ibans=texts_of(lines[3]),
        reference=text_of(lines[28]),
    )


def _swico(information: str) -> dict[str, str]:
    """The tags of Swico's syntax S1: `//S1/10/10201409/11/190512`. A backslash keeps a stroke from being one."""
    if not information.startswith("//S1/"):
        return {}
    parts = re.split(r"(?<!\\)/", information[5:])
    return {tag: re.sub(r"\\(.)", r"\1", value) for tag, value in zip(parts[::2], parts[1::2], strict=False)}


def epc(text: str) -> InvoiceData | None:
    """European Payments Council, EPC069-12 (GiroCode)."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0] != "BCD" or lines[3:4] != ["SCT"]:
        return None
    lines += [""] * 12
    amount = lines[7].strip()
    return InvoiceData(
        "EPC payment code",
        seller=text_of(lines[5]),
        currency=amount[:3] or None,
        amount=amount_of(amount[3:]),
        ibans=texts_of(lines[6]),
        reference=text_of(lines[9]) or text_of(lines[10]),
    )


def spayd(text: str) -> InvoiceData | None:
    """Short Payment Descriptor (Czech Banking Association), with the invoice that it may carry (QR Faktura)."""
    if not text.startswith("SPD*1."):
        return None
    stated = _starred(text)
    invoice = short_invoice(unquote(stated["X-INV"])) if "X-INV" in stated else None
    invoice = invoice or InvoiceData("")
    return InvoiceData(
        "Short Payment Descriptor",
        seller=text_of(stated.get("RN")),
        number=invoice.number,
        issued_at=invoice.issued_at,
        due_at=day_of(stated.get("DT"), "%Y%m%d"),
        currency=text_of(stated.get("CC")) or "CZK",
        amount=amount_of(stated.get("AM")),
        tax=invoice.tax,
        vat_ids=invoice.vat_ids,
        ibans=texts_of(stated.get("ACC", "").partition("+")[0]),
        reference=text_of(stated.get("X-VS")) or text_of(stated.get("RF")),
    )


def short_invoice(text: str) -> InvoiceData | None:
    """Short Invoice Descriptor (QR Faktura)."""
    if not text.startswith("SID*1."):
        return None
    stated = _starred(text)
    taxes = [tax for name in ("T0", "T1", "T2") if (tax := amount_of(stated.get(name))) is not None]
    return InvoiceData(
        "Short Invoice Descriptor",
        number=text_of(stated.get("ID")),
        issued_at=day_of(stated.get("DD"), "%Y%m%d"),
        due_at=day_of(stated.get("DT"), "%Y%m%d"),
        currency=text_of(stated.get("CC")) or "CZK",
        amount=amount_of(stated.get("AM")),
        tax=sum(taxes[1:], taxes[0]) if taxes else None,
        vat_ids=texts_of(stated.get("VII"), stated.get("VIR")),
        ibans=texts_of(stated.get("ACC", "").partition("+")[0]),
        reference=text_of(stated.get("VS")),
    )


def _starred(text: str) -> dict[str, str]:
    parts = [part.partition(":") for part in text.split("*")[2:]]
    return {name.strip().upper(): unquote(value) if name != "X-INV" else value for name, _, value in parts}


def upi(text: str) -> InvoiceData | None:
    """NPCI, UPI Linking Specifications 1.6."""
    parts = address_of(text)
    if parts is None or (parts.scheme.lower(), parts.netloc.lower()) != ("upi", "pay"):
        return None
    stated = dict(parse_qsl(parts.query, max_num_fields=40))
    return InvoiceData(
        "UPI",
        seller=text_of(stated.get("pn")),
        currency=text_of(stated.get("cu")) or "INR",
        amount=amount_of(stated.get("am")),
        reference=text_of(stated.get("tr")),
    )


def hub3(text: str) -> InvoiceData | None:
    """Croatian Banking Association, 2D barcode of HUB 3."""
    lines = [line.strip() for line in text.split("\n")]
    if lines[0] != "HRVHUB30":
        return None
    return InvoiceData(
        "HUB 3",
        seller=text_of(lines[6]),
        currency=text_of(lines[1]),
        amount=cents_of(lines[2]),
        ibans=texts_of(lines[9]),
        reference=text_of(f"{lines[10]} {lines[11]}"),
    )


def upn(text: str) -> InvoiceData | None:
    """Bank Association of Slovenia, UPN QR."""
    lines = [line.strip() for line in text.split("\n")]
    if lines[0] != "UPNQR":
        return None
    if len(lines) < _UPN_LINES:
        raise ValueError("cut off")
    return InvoiceData(
        "UPN QR",
        seller=text_of(lines[16]),
        due_at=day_of(lines[13], "%d.%m.%Y"),
        currency="EUR",
        amount=cents_of(lines[8]),
        ibans=texts_of(lines[14]),
        reference=text_of(lines[15]),
    )


def polish_transfer(text: str) -> InvoiceData | None:
    """Polish Bank Association, code for domestic transfers: `NIP|PL|account|grosze|name|title|||`."""
    parts = text.split("|")
    is_transfer = len(parts) >= 6 and parts[1] == "PL" and re.fullmatch(r"\d{26}", parts[2])
    if not is_transfer:
        return None
    return InvoiceData(
        "Polish transfer code",
        seller=text_of(parts[4]),
        currency="PLN",
        amount=cents_of(parts[3]),
        vat_ids=texts_of(parts[0]),
        ibans=(f"PL{parts[2]}",),
        reference=text_of(parts[5]),
    )
