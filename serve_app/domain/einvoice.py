"""An electronic invoice in the business terms of EN 16931 (BT: term, BG: group of terms), whatever its syntax.

Texts are kept as they are given, without white space around them. What is not given is None or empty: nothing is
calculated or assumed. Amounts have the sign that they have in the XML.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

MIME_TYPE = "application/xml"
"""Of a file that is an electronic invoice."""
MAX_LINES = 10_000
"""Lines of one electronic invoice that are kept; a longer one is refused."""
CREDIT_NOTE_TYPES = frozenset({"81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "532"})
"""Type codes (UNTDID 1001) of credit notes."""


class EInvoiceSyntax(StrEnum):
    """How an electronic invoice is written down."""

    UBL = "ubl"
    CII = "cii"
    FATTURAPA = "fatturapa"
    KSEF = "ksef"
    FACTURAE = "facturae"
    CFDI = "cfdi"
    NFE = "nfe"


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier, and the list that it is from, such as "0088" (ISO 6523), "VA" (a VAT number) or "SWIFT"."""

    value: str
    scheme: str | None = None


@dataclass(frozen=True, slots=True)
class Period:
    """First and last day: BG-14 of the invoice (BT-73, BT-74), BG-26 of a line (BT-134, BT-135)."""

    start: date | None = None
    end: date | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """A postal address: BG-5 of the seller, BG-8 of the buyer, BG-12 of the tax representative, BG-15 of delivery."""

    line_1: str | None = None
    """BT-35, BT-50: usually street and number."""
    line_2: str | None = None
    """BT-36, BT-51."""
    line_3: str | None = None
    """BT-162, BT-163."""
    city: str | None = None
    """BT-37, BT-52."""
    postal_code: str | None = None
    """BT-38, BT-53."""
    subdivision: str | None = None
    """BT-39, BT-54: region, province or state."""
    country: str | None = None
    """BT-40, BT-55: two letters (ISO 3166-1)."""


@dataclass(frozen=True, slots=True)
class Contact:
    """BG-6 of the seller, BG-9 of the buyer."""

    name: str | None = None
    """BT-41, BT-56."""
    phone: str | None = None
    """BT-42, BT-57."""
    email: str | None = None
    """BT-43, BT-58."""


@dataclass(frozen=True, slots=True)
class Party:
    """The seller (BG-4), the buyer (BG-7), the payee (BG-10) or the seller's tax representative (BG-11)."""

    name: str | None = None
    """BT-27, BT-44, BT-59, BT-62."""
    trading_name: str | None = None
    """BT-28, BT-45."""
    identifiers: tuple[Identifier, ...] = ()
    """BT-29, BT-46, BT-60: such as a GLN, or the number that the other party gave it."""
    registration: Identifier | None = None
    """BT-30, BT-47, BT-61: in the register of companies."""
    vat_id: str | None = None
    """BT-31, BT-48, BT-63: for VAT, with the country's letters where the syntax has them."""
    tax_number: str | None = None
    """BT-32: another number of the tax office, such as a "Steuernummer"."""
    legal_information: str | None = None
    """BT-33: such as the share capital."""
    electronic_address: Identifier | None = None
    """BT-34, BT-49: in the network that delivers the invoice."""
    address: Address | None = None
    """BG-5, BG-8, BG-12."""
    contact: Contact | None = None
    """BG-6, BG-9."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """BG-13."""

    name: str | None = None
    """BT-70: who receives the goods."""
    location: Identifier | None = None
    """BT-71."""
    delivered_at: date | None = None
    """BT-72."""
    address: Address | None = None
    """BG-15."""


@dataclass(frozen=True, slots=True)
class Account:
    """BG-17: an account to pay into."""

    number: str | None = None
    """BT-84: an IBAN where there is one."""
    name: str | None = None
    """BT-85."""
    bic: str | None = None
    """BT-86."""


@dataclass(frozen=True, slots=True)
class Payment:
    """BG-16, with its terms."""

    means_code: str | None = None
    """BT-81 (UNTDID 4461): such as 30 or 58 for a transfer, 59 for a direct debit."""
    means_text: str | None = None
    """BT-82."""
    reference: str | None = None
    """BT-83: what the payer gives as the reason for payment."""
    accounts: tuple[Account, ...] = ()
    """BG-17."""
    card_number: str | None = None
    """BT-87."""
    card_holder: str | None = None
    """BT-88."""
    mandate: str | None = None
    """BT-89: of a direct debit."""
    creditor_id: str | None = None
    """BT-90: of a direct debit."""
    debited_account: str | None = None
    """BT-91: the payer's own account."""
    terms: str | None = None
    """BT-20."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An allowance or a charge: BG-20 and BG-21 of the invoice, BG-27 and BG-28 of a line."""

    is_charge: bool
    amount: Decimal | None = None
    """BT-92, BT-99, BT-136, BT-141: without a sign."""
    base: Decimal | None = None
    """BT-93, BT-100, BT-137, BT-142."""
    percent: Decimal | None = None
    """BT-94, BT-101, BT-138, BT-143."""
    vat_category: str | None = None
    """BT-95, BT-102."""
    vat_rate: Decimal | None = None
    """BT-96, BT-103."""
    reason: str | None = None
    """BT-97, BT-104, BT-139, BT-144."""
    reason_code: str | None = None
    """BT-98, BT-105, BT-140, BT-145."""


@dataclass(frozen=True, slots=True)
class VatBreakdown:
    """BG-23: the tax of one category and rate."""

    base: Decimal | None = None
    """BT-116."""
    tax: Decimal | None = None
    """BT-117."""
    category: str | None = None
    """BT-118 (UNTDID 5305): such as S, Z, E, AE, K, G or O."""
    rate: Decimal | None = None
    """BT-119: in percent."""
    exemption_reason: str | None = None
    """BT-120."""
    exemption_code: str | None = None
    """BT-121."""


@dataclass(frozen=True, slots=True)
class Totals:
    """BG-22."""

    lines: Decimal | None = None
    """BT-106: the sum of the lines' net amounts."""
    allowances: Decimal | None = None
    """BT-107."""
    charges: Decimal | None = None
    """BT-108."""
    net: Decimal | None = None
    """BT-109: without VAT."""
    tax: Decimal | None = None
    """BT-110: all VAT, in the invoice's currency."""
    tax_in_accounting_currency: Decimal | None = None
    """BT-111: in `EInvoice.tax_currency`."""
    gross: Decimal | None = None
    """BT-112: with VAT."""
    paid: Decimal | None = None
    """BT-113: already paid."""
    rounding: Decimal | None = None
    """BT-114."""
    due: Decimal | None = None
    """BT-115: what is to be paid."""
    withheld: Decimal | None = None
    """Tax that the buyer keeps back and pays to the tax office, as in Italy and Spain: no term of EN 16931."""


@dataclass(frozen=True, slots=True)
class Line:
    """BG-25."""

    id: str | None = None
    """BT-126."""
    name: str | None = None
    """BT-153."""
    description: str | None = None
    """BT-154."""
    note: str | None = None
    """BT-127."""
    seller_item_id: str | None = None
    """BT-155."""
    buyer_item_id: str | None = None
    """BT-156."""
    standard_item_id: Identifier | None = None
    """BT-157: such as a GTIN."""
    order_line: str | None = None
    """BT-132: the line of the order that it refers to."""
    quantity: Decimal | None = None
    """BT-129."""
    unit: str | None = None
    """BT-130 (UN/ECE Recommendation 20), or as the syntax writes it."""
    net: Decimal | None = None
    """BT-131."""
    price: Decimal | None = None
    """BT-146: net, after `price_discount`, for `base_quantity`."""
    price_discount: Decimal | None = None
    """BT-147."""
    gross_price: Decimal | None = None
    """BT-148: before `price_discount`, without VAT."""
    base_quantity: Decimal | None = None
    """BT-149."""
    base_unit: str | None = None
    """BT-150."""
    vat_category: str | None = None
    """BT-151."""
    vat_rate: Decimal | None = None
    """BT-152: in percent."""
    adjustments: tuple[Adjustment, ...] = ()
    """BG-27 and BG-28."""
    period: Period | None = None
    """BG-26."""


@dataclass(frozen=True, slots=True)
class PrecedingInvoice:
    """BG-3: an earlier invoice that this one corrects or continues."""

    number: str | None = None
    """BT-25."""
    issued_at: date | None = None
    """BT-26."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """BG-24: a document that supports the invoice; its content is not kept."""

    id: str | None = None
    """BT-122."""
    description: str | None = None
    """BT-123."""
    file_name: str | None = None
    """Of BT-125."""


@dataclass(frozen=True, slots=True)
class EInvoice:
    """One invoice or credit note."""

    syntax: EInvoiceSyntax
    profile: str
    """Standard and level in words, such as "Factur-X EN 16931", "Peppol BIS Billing 3.0" or "KSeF FA(3)"."""
    specification: str | None = None
    """BT-24: the specification that the invoice says it follows."""
    process: str | None = None
    """BT-23: the business process."""
    number: str | None = None
    """BT-1."""
    issued_at: date | None = None
    """BT-2."""
    type_code: str | None = None
    """BT-3 (UNTDID 1001): 380 for an invoice, 381 for a credit note; parsers of other syntaxes translate theirs."""
    currency: str | None = None
    """BT-5."""
    tax_currency: str | None = None
    """BT-6: the currency of `Totals.tax_in_accounting_currency`."""
    tax_point: date | None = None
    """BT-7: when the VAT becomes due."""
    due_at: date | None = None
    """BT-9: the last date of instalments."""
    buyer_reference: str | None = None
    """BT-10: such as a "Leitweg-ID"."""
    project: str | None = None
    """BT-11."""
    contract: str | None = None
    """BT-12."""
    order: str | None = None
    """BT-13: the buyer's purchase order."""
    sales_order: str | None = None
    """BT-14: the seller's."""
    despatch_advice: str | None = None
    """BT-16."""
    buyer_accounting_reference: str | None = None
    """BT-19."""
    notes: tuple[str, ...] = ()
    """BT-22."""
    preceding: tuple[PrecedingInvoice, ...] = ()
    """BG-3."""
    seller: Party = Party()
    """BG-4."""
    buyer: Party = Party()
    """BG-7."""
    payee: Party | None = None
    """BG-10: who is paid, if it is not the seller."""
    tax_representative: Party | None = None
    """BG-11."""
    delivery: Delivery | None = None
    """BG-13."""
    period: Period | None = None
    """BG-14."""
    payment: Payment = Payment()
    """BG-16."""
    adjustments: tuple[Adjustment, ...] = ()
    """BG-20 and BG-21."""
    totals: Totals = Totals()
    """BG-22."""
    vat: tuple[VatBreakdown, ...] = ()
    """BG-23."""
    attachments: tuple[Attachment, ...] = ()
    """BG-24."""
    lines: tuple[Line, ...] = ()
    """BG-25."""

    @property
    def is_credit_note(self) -> bool:
        return self.type_code in CREDIT_NOTE_TYPES
