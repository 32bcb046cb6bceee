"""Codes of invoices that are registered with a tax office."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal

from serve_app.domain.invoice_data import InvoiceData
from serve_app.extraction.codes.values import amount_of, bytes_of, day_of, query_of, text_of, texts_of

# Tags of a Saudi code (ZATCA, Security Features Implementation Standards 1.2, 4.1).
_SELLER, _VAT_NUMBER, _TIME, _TOTAL, _TAX = 1, 2, 3, 4, 5
# Base64 of the tag 1 and a length.
_FIRST_TAG = re.compile(r"A[Q-Za-f][A-Za-z0-9+/]{18}")
_PORTUGUESE = re.compile(r"A:\d{9}\*B:")
_PAIR = re.compile(r"""["']?([\w()%.]{1,40})["']?\s{0,9}[:=]\s{0,9}["']?([^"',;{}\n]{0,120})""")
_ACCESS_KEY = re.compile(r"(?<!\d)\d{44}(?!\d)")
_KSEF_PATH = re.compile(r"/(?:client-app/)?invoice/(\d{10})/(\d\d-\d\d-\d{4})/")
_TICKETBAI = re.compile(r"TBAI-(\w{9})-(\d{6})-")
_SUNAT = re.compile(r"(\d{11})\|(\d\d|[A-Z]\d)\|([A-Z0-9]{1,4})\|(\d{1,8})\|")
_SPANISH_DAY = ("%d-%m-%Y",)
# Currency codes of Argentina's tax office (ARCA, Tabla de monedas) that differ from ISO 4217.
_ARGENTINE = {"PES": "ARS", "DOL": "USD", "060": "EUR", "012": "BRL"}


def zatca(text: str) -> InvoiceData | None:
    """Tags, lengths and values in base64: Saudi Arabia."""
    if not _FIRST_TAG.match(text):
        return None
    stated = _tags(bytes_of(text))
    if not {_SELLER, _VAT_NUMBER, _TOTAL} <= stated.keys():
        return None
    time = stated.get(_TIME, b"").decode()
    return InvoiceData(
        "ZATCA",
        seller=text_of(stated[_SELLER].decode()),
        issued_at=day_of(re.split(r"[T ]", time)[0], "%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y"),
        currency="SAR",
        amount=amount_of(stated[_TOTAL].decode().replace(",", "")),
        tax=amount_of(stated.get(_TAX, b"").decode().replace(",", "")),
        vat_ids=texts_of(stated[_VAT_NUMBER].decode()),
    )


def _tags(data: bytes) -> dict[int, bytes]:
    found, at = {}, 0
    while at + 2 <= len(data):
        tag, length = data[at], data[at + 1]
        if at + 2 + length > len(data):
            raise ValueError("cut off")
        found[tag] = data[at + 2 : at + 2 + length]
        at += 2 + length
    return found


def atcud(text: str) -> InvoiceData | None:
    """Portugal: Portaria 195/2020, Especificações Técnicas - Código QR."""
    if not _PORTUGUESE.match(text):
        return None
    stated = {name: value for name, _, value in (part.partition(":") for part in text.split("*"))}
    buyer = stated.get("B")
    return InvoiceData(
        "Portuguese QR code (ATCUD)",
        number=text_of(stated.get("G")),
        issued_at=day_of(stated.get("F"), "%Y%m%d"),
        amount=amount_of(stated.get("O")),
        tax=amount_of(stated.get("N")),
        # Of a consumer without a number.
        vat_ids=texts_of(stated.get("A"), None if buyer == "999999990" else buyer),
        reference=text_of(stated.get("H")),
    )


def irn(text: str) -> InvoiceData | None:
    """India: a JSON Web Token of the Invoice Registration Portal. Its signature is not checked."""
    parts = text.split(".")
    if len(parts) != 3 or not text.startswith("eyJ"):
        return None
    outer = json.loads(bytes_of(parts[1]))
    inner = outer.get("data") if isinstance(outer, dict) else None
    stated = json.loads(inner) if isinstance(inner, str) else inner
    if not isinstance(stated, dict) or "SellerGstin" not in stated:
        return None
    return InvoiceData(
        "Indian e-invoice (IRN)",
        number=text_of(_string(stated, "DocNo")),
        issued_at=day_of(_string(stated, "DocDt"), "%d/%m/%Y"),
        currency="INR",
        amount=amount_of(_string(stated, "TotInvVal")),
        vat_ids=texts_of(_string(stated, "SellerGstin"), _string(stated, "BuyerGstin")),
        reference=text_of(_string(stated, "Irn")),
    )


def turkish(text: str) -> InvoiceData | None:
    """Turkey: Gelir İdaresi Başkanlığı, e-Fatura Karekod Standardı. Many print broken JSON."""
    stated = {name.lower(): value.strip() for name, value in _PAIR.findall(text[:4000])}
    if not {"vkntckn", "tarih"} <= stated.keys() and not {"vkntckn", "no"} <= stated.keys():
        return None
    taxes = [amount_of(value) or Decimal(0) for name, value in stated.items() if name.startswith("hesaplanankdv")]
    currency = stated.get("parabirimi", "").upper()
    return InvoiceData(
        "Turkish e-invoice",
        number=text_of(stated.get("no")),
        issued_at=day_of(stated.get("tarih"), "%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y"),
        currency="TRY" if currency in ("TL", "TRL") else currency or None,
        amount=amount_of(stated.get("vergidahil") or stated.get("odenecek")),
        tax=sum(taxes, Decimal(0)) if taxes else None,
        vat_ids=texts_of(stated.get("vkntckn"), stated.get("avkntckn")),
        reference=text_of(stated.get("ettn")),
    )


def ksef(text: str) -> InvoiceData | None:
    """Poland: the address at which a structured invoice is verified (KSeF 2.0, kody QR)."""
    if query_of(text, "ksef.mf.gov.pl") is None:
        return None
    match = _KSEF_PATH.search(text)
    if match is None:
        return InvoiceData("KSeF")
    return InvoiceData("KSeF", issued_at=day_of(match[2], "%d-%m-%Y"), vat_ids=(match[1],))


def verifactu(text: str) -> InvoiceData | None:
    """Spain: Orden HAC/1177/2024, artículo 21."""
    stated = query_of(text, "agenciatributaria.gob.es", "aeat.es")
    if stated is None or "numserie" not in stated:
        return None
    return InvoiceData(
        "VERI*FACTU",
        number=text_of(stated["numserie"]),
        issued_at=day_of(stated.get("fecha"), *_SPANISH_DAY),
        currency="EUR",
        amount=amount_of(stated.get("importe")),
        vat_ids=texts_of(stated.get("nif")),
    )


def ticketbai(text: str) -> InvoiceData | None:
    """Basque Country: TicketBAI, identifier and QR code."""
    stated = query_of(text, "egoitza.gipuzkoa.eus", "batuz.eus", "ticketbai.araba.eus")
    match = _TICKETBAI.match(stated.get("id", "")) if stated else None
    if stated is None or match is None:
        return None
    return InvoiceData(
        "TicketBAI",
        number=text_of("-".join(filter(None, (stated.get("s"), stated.get("nf"))))),
        issued_at=day_of(match[2], "%d%m%y"),
        currency="EUR",
        amount=amount_of(stated.get("i")),
        vat_ids=texts_of(match[1]),
        reference=text_of(stated["id"]),
    )


def dian(text: str) -> InvoiceData | None:
    """Colombia: DIAN, Anexo técnico de factura electrónica de venta, código QR."""
    if query_of(text, "dian.gov.co") is not None:
        return InvoiceData("Colombian e-invoice (DIAN)")
    stated = {name.lower(): value.strip() for name, value in _PAIR.findall(text[:4000])}
    if not {"numfac", "nitfac"} <= stated.keys():
        return None
    taxes = [tax for name in ("valiva", "valotroim") if (tax := amount_of(stated.get(name))) is not None]
    return InvoiceData(
        "Colombian e-invoice (DIAN)",
        number=text_of(stated["numfac"]),
        issued_at=day_of(stated.get("fecfac"), "%Y-%m-%d"),
        currency="COP",
        amount=amount_of(stated.get("valtolfac")),
        tax=sum(taxes, Decimal(0)) if taxes else None,
        vat_ids=texts_of(stated["nitfac"], stated.get("docadq")),
        reference=text_of(stated.get("cufe")),
    )


def brazilian(text: str) -> InvoiceData | None:
    """Brazil: the access key of an NF-e or NFC-e (Manual de Orientação do Contribuinte), alone or in an address."""
    match = _ACCESS_KEY.search(text)
    if match is None or not _is_access_key(match[0]):
        return None
    key = match[0]
    stated = query_of(text, "gov.br") or {}
    parts = stated.get("p", "").split("|")
    # Only a receipt that was issued without a connection has its total in the address.
    total = stated.get("vnf") or (parts[4] if len(parts) > 6 else None)
    return InvoiceData(
        "Brazilian e-invoice (NF-e)",
        number=str(int(key[25:34])),
        currency="BRL",
        amount=amount_of(total),
        vat_ids=(key[6:20],),
        reference=key,
    )


def _is_access_key(key: str) -> bool:
    """Whether the last digit checks the others: modulus 11 with the weights 2 to 9 from the right."""
    total = sum(int(digit) * (2 + place % 8) for place, digit in enumerate(reversed(key[:-1])))
    rest = total % 11
    return int(key[-1]) == (0 if rest < 2 else 11 - rest)


def afip(text: str) -> InvoiceData | None:
    """Argentina: Resolución General 4892/2020."""
    stated = query_of(text, "afip.gob.ar", "arca.gob.ar")
    if stated is None or "p" not in stated:
        return None
    inner = json.loads(bytes_of(stated["p"].replace(" ", "+")))
    if not isinstance(inner, dict):
        raise ValueError("no object")
    currency = _string(inner, "moneda") or ""
    buyer = _string(inner, "nroDocRec")
    return InvoiceData(
        "Argentine e-invoice (ARCA)",
        number=f"{int(_string(inner, 'ptoVta') or ''):05}-{int(_string(inner, 'nroCmp') or ''):08}",
        issued_at=day_of(_string(inner, "fecha"), "%Y-%m-%d"),
        currency=_ARGENTINE.get(currency, currency if currency.isalpha() else None),
        amount=amount_of(_string(inner, "importe")),
        vat_ids=texts_of(_string(inner, "cuit"), None if buyer == "0" else buyer),
        reference=text_of(_string(inner, "codAut")),
    )


def cfdi(text: str) -> InvoiceData | None:
    """Mexico: Anexo 20, código de barras bidimensional."""
    stated = query_of(text, "sat.gob.mx")
    if stated is None or "re" not in stated:
        return None
    return InvoiceData(
        "CFDI",
        amount=amount_of(stated.get("tt")),
        vat_ids=texts_of(stated["re"], stated.get("rr")),
        reference=text_of(stated.get("id")),
    )


def sunat(text: str) -> InvoiceData | None:
    """Peru: `RUC|kind|series|number|IGV|total|date|kind of buyer|buyer|...` (SUNAT, Resolución 113-2018, anexo 23)."""
    match = _SUNAT.match(text)
    if match is None:
        return None
    parts = text.split("|")
    if len(parts) < 7:
        raise ValueError("cut off")
    return InvoiceData(
        "Peruvian e-invoice (SUNAT)",
        number=f"{match[3]}-{match[4]}",
        issued_at=day_of(parts[6], "%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y"),
        amount=amount_of(parts[5]),
        tax=amount_of(parts[4]),
        vat_ids=texts_of(match[1], parts[8] if len(parts) > 8 else None),
    )


def mydata(text: str) -> InvoiceData | None:
    """Greece: the address at which myDATA shows an invoice; it encodes no values."""
    is_greek = query_of(text, "aade.gr", "gsis.gr") is not None
    return InvoiceData("myDATA") if is_greek else None


def _string(stated: Mapping[str, object], name: str) -> str | None:
    value = stated.get(name)
    return str(value) if isinstance(value, (str, int, float)) else None
