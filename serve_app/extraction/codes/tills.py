"""Codes of tills that sign their receipts."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from serve_app.domain.invoice_data import InvoiceData
from serve_app.extraction.codes.values import amount_of, bytes_of, day_of, query_of

# Bytes of a Serbian code before and after the total (Poreska uprava, Tehničko uputstvo za ESIR, verification URL).
_SERBIAN_HEAD = 33
_TEN_THOUSANDTH = Decimal("0.0001")
_GERMAN_SUMS = re.compile(r"[^_^]{1,60}\^(-?[\d.]+(?:_-?[\d.]+){0,4})\^")


def rksv(text: str) -> InvoiceData | None:
    """Austria: RKSV, Anlage zur Registrierkassensicherheitsverordnung, Detailspezifikation."""
    if not re.match(r"_R\d-[A-Z]{2}\d{1,3}_", text):
        return None
    parts = text.split("_")[1:]
    if len(parts) < 9:
        raise ValueError("cut off")
    sums = [amount_of(part) or Decimal(0) for part in parts[4:9]]
    return InvoiceData(
        "Austrian till (RKSV)",
        issued_at=day_of(parts[3][:10], "%Y-%m-%d"),
        currency="EUR",
        amount=sum(sums, Decimal(0)),
        reference=parts[2],
    )


def kassensichv(text: str) -> InvoiceData | None:
    """Germany: DSFinV-K, Anhang I, QR-Code."""
    parts = text.split(";")
    if len(parts) < 8 or parts[0] != "V0":
        return None
    match = _GERMAN_SUMS.match(parts[3])
    sums = [amount_of(each) or Decimal(0) for each in match[1].split("_")] if match else []
    return InvoiceData(
        "German till (KassenSichV)",
        issued_at=day_of(parts[7][:10], "%Y-%m-%d"),
        currency="EUR",
        amount=sum(sums, Decimal(0)) if sums else None,
        reference=parts[5],
    )


def serbian(text: str) -> InvoiceData | None:
    """Serbia: the address at which the tax office shows a fiscal receipt; its parameter is binary."""
    stated = query_of(text, "purs.gov.rs")
    if stated is None or "vl" not in stated:
        return None
    data = bytes_of(stated["vl"].replace(" ", "+"))
    if len(data) < _SERBIAN_HEAD:
        raise ValueError("cut off")
    asked, signed = data[1:9].decode("ascii"), data[9:17].decode("ascii")
    count = int.from_bytes(data[17:21], "little")
    return InvoiceData(
        "Serbian fiscal receipt",
        number=f"{asked}-{signed}-{count}",
        issued_at=(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int.from_bytes(data[33:41], "big"))).date()
        if len(data) >= 41
        else None,
        currency="RSD",
        amount=int.from_bytes(data[25:33], "little") * _TEN_THOUSANDTH,
    )
