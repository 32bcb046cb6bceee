"""Kinds of machine-readable codes on invoices."""

from enum import StrEnum

MOST_CODES = 16
"""Of one page. Labels for parcels have more, invoices do not."""
MOST_CHARACTERS = 7089
"""Of one code: the digits of the largest QR code (ISO/IEC 18004)."""


class CodeKind(StrEnum):
    """The standard that a code follows. `OTHER`: none that is known here."""

    SWISS_QR_BILL = "swiss_qr_bill"
    EPC = "epc"
    SPAYD = "spayd"
    UPI = "upi"
    HUB3 = "hub3"
    UPN = "upn"
    PL_TRANSFER = "pl_transfer"
    SID = "sid"
    ZATCA = "zatca"
    ATCUD = "atcud"
    IRN = "irn"
    TR_EINVOICE = "tr_einvoice"
    KSEF = "ksef"
    VERIFACTU = "verifactu"
    TICKETBAI = "ticketbai"
    DIAN = "dian"
    NFE = "nfe"
    AFIP = "afip"
    CFDI = "cfdi"
    SUNAT = "sunat"
    MYDATA = "mydata"
    RKSV = "rksv"
    KASSENSICHV = "kassensichv"
    SUF = "suf"
    OTHER = "other"

    @property
    def is_payment(self) -> bool:
        """Whether it orders a payment: its amount is what is to be paid, which may be less than the invoice's."""
        return self in _PAYMENTS


_PAYMENTS = frozenset(
    {
        CodeKind.SWISS_QR_BILL,
        CodeKind.EPC,
        CodeKind.SPAYD,
        CodeKind.UPI,
        CodeKind.HUB3,
        CodeKind.UPN,
        CodeKind.PL_TRANSFER,
    }
)
