"""Which terms an electronic invoice lacks that EN 16931 requires, by number and name."""

from collections.abc import Iterable, Iterator

from serve_app.domain.einvoice import Adjustment, EInvoice, Line, Party, Payment, VatBreakdown

_STANDARD_RATE, _OUT_OF_SCOPE = "S", "O"
_TRANSFERS = ("30", "58")
Terms = Iterable[tuple[str, object]]


def missing_terms(record: EInvoice) -> tuple[str, ...]:
    """Such as "BT-1 Invoice number" or "BT-129 Invoiced quantity (line 2)"; each once."""
    found = (
        *_absent(_header(record)),
        *_absent(_sums(record)),
        *_of_seller(record),
        *_absent(_representative(record.tax_representative)),
        *_absent(_account(record.payment)),
        *(term for vat in record.vat for term in _absent(_breakdown(vat), f"rate {vat.rate}" if vat.rate else "")),
        *(term for each in record.adjustments for term in _absent(_adjustment(each))),
        *(term for number, line in enumerate(record.lines, 1) for term in _absent(_line(line), f"line {number}")),
    )
    return tuple(dict.fromkeys(found))


def _absent(terms: Terms, place: str = "") -> Iterator[str]:
    for name, value in terms:
        if value is None or value == "" or value == ():
            yield f"{name} ({place})" if place else name


def _header(record: EInvoice) -> Terms:
    return (
        ("BT-1 Invoice number", record.number),
        ("BT-2 Invoice issue date", record.issued_at),
        ("BT-3 Invoice type code", record.type_code),
        ("BT-5 Invoice currency code", record.currency),
        ("BT-27 Seller name", record.seller.name),
        ("BT-40 Seller country code", _country(record.seller)),
        ("BT-44 Buyer name", record.buyer.name),
        ("BT-55 Buyer country code", _country(record.buyer)),
        ("BG-23 VAT breakdown", record.vat),
        ("BG-25 Invoice line", record.lines),
    )


def _country(party: Party) -> str | None:
    return party.address.country if party.address else None


def _sums(record: EInvoice) -> Terms:
    totals, due_by = record.totals, record.due_at or record.payment.terms
    return (
        ("BT-106 Sum of Invoice line net amount", totals.lines),
        ("BT-109 Invoice total amount without VAT", totals.net),
        ("BT-112 Invoice total amount with VAT", totals.gross),
        ("BT-115 Amount due for payment", totals.due),
        ("BT-9 Payment due date", due_by if totals.due and totals.due > 0 else "not required"),
    )


def _of_seller(record: EInvoice) -> Iterator[str]:
    """What identifies the seller, also to the tax office where VAT is charged."""
    seller, representative = record.seller, record.tax_representative
    known = (*seller.identifiers, seller.registration, seller.vat_id)
    for_tax = (seller.vat_id, seller.tax_number, representative and representative.vat_id)
    charged = any(vat.category == _STANDARD_RATE for vat in record.vat)
    if not any(known) or (charged and not any(for_tax)):
        yield "BT-31 Seller VAT identifier"


def _representative(representative: Party | None) -> Terms:
    if representative is None:
        return ()
    return (
        ("BT-62 Seller tax representative name", representative.name),
        ("BT-63 Seller tax representative VAT identifier", representative.vat_id),
        ("BT-69 Tax representative country code", _country(representative)),
    )


def _account(payment: Payment) -> Terms:
    return (("BT-84 Payment account identifier", payment.accounts),) if payment.means_code in _TRANSFERS else ()


def _breakdown(vat: VatBreakdown) -> Terms:
    return (
        ("BT-116 VAT category taxable amount", vat.base),
        ("BT-117 VAT category tax amount", vat.tax),
        ("BT-118 VAT category code", vat.category),
        ("BT-119 VAT category rate", _rate(vat.category, vat.rate)),
    )


def _rate(category: str | None, rate: object) -> object:
    return "not required" if category == _OUT_OF_SCOPE else rate


def _adjustment(adjustment: Adjustment) -> Terms:
    reason = adjustment.reason or adjustment.reason_code
    if adjustment.is_charge:
        return (
            ("BT-99 Document level charge amount", adjustment.amount),
            ("BT-102 Document level charge VAT category code", adjustment.vat_category),
            ("BT-104 Document level charge reason", reason),
        )
    return (
        ("BT-92 Document level allowance amount", adjustment.amount),
        ("BT-95 Document level allowance VAT category code", adjustment.vat_category),
        ("BT-97 Document level allowance reason", reason),
    )


def _line(line: Line) -> Terms:
    return (
        ("BT-126 Invoice line identifier", line.id),
        ("BT-153 Item name", line.name),
        ("BT-129 Invoiced quantity", line.quantity),
        ("BT-130 Invoiced quantity unit of measure code", line.unit),
        ("BT-131 Invoice line net amount", line.net),
        ("BT-146 Item net price", line.price),
        ("BT-151 Invoiced item VAT category code", line.vat_category),
        ("BT-152 Invoiced item VAT rate", _rate(line.vat_category, line.vat_rate)),
        *(term for each in line.adjustments for term in _line_adjustment(each)),
    )


def _line_adjustment(adjustment: Adjustment) -> Terms:
    reason = adjustment.reason or adjustment.reason_code
    if adjustment.is_charge:
        return (("BT-141 Invoice line charge amount", adjustment.amount), ("BT-144 Invoice line charge reason", reason))
    return (
        ("BT-136 Invoice line allowance amount", adjustment.amount),
        ("BT-139 Invoice line allowance reason", reason),
    )
