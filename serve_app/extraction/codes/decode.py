"""What the text of a code says of the invoice, by the standard that it follows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from serve_app.domain.code_kinds import CodeKind
from serve_app.domain.invoice_data import InvoiceData
from serve_app.extraction.codes import payments, registered, tills

Decoder = Callable[[str], InvoiceData | None]

# Each knows its own codes by how they begin, and leaves the others.
_DECODERS: dict[CodeKind, Decoder] = {
    CodeKind.SWISS_QR_BILL: payments.swiss_qr_bill,
    CodeKind.EPC: payments.epc,
    CodeKind.SPAYD: payments.spayd,
    CodeKind.SID: payments.short_invoice,
    CodeKind.UPI: payments.upi,
    CodeKind.HUB3: payments.hub3,
    CodeKind.UPN: payments.upn,
    CodeKind.PL_TRANSFER: payments.polish_transfer,
    CodeKind.ATCUD: registered.atcud,
    CodeKind.IRN: registered.irn,
    CodeKind.KSEF: registered.ksef,
    CodeKind.VERIFACTU: registered.verifactu,
    CodeKind.TICKETBAI: registered.ticketbai,
    CodeKind.AFIP: registered.afip,
    CodeKind.CFDI: registered.cfdi,
    CodeKind.SUNAT: registered.sunat,
    CodeKind.MYDATA: registered.mydata,
    CodeKind.RKSV: tills.rksv,
    CodeKind.KASSENSICHV: tills.kassensichv,
    CodeKind.SUF: tills.serbian,
    CodeKind.ZATCA: registered.zatca,
    CodeKind.DIAN: registered.dian,
    CodeKind.TR_EINVOICE: registered.turkish,
    CodeKind.NFE: registered.brazilian,
}


@dataclass(frozen=True, slots=True)
class DecodedCode:
    """The kind of a code and its values, which are empty if its kind is not known or it is damaged."""

    kind: CodeKind
    values: InvoiceData


# Asked for each field of an invoice, and again when it is compared with the page.
@lru_cache(maxsize=64)
def decode(text: str) -> DecodedCode:
    """What a code says; never fails, whatever the text is."""
    for kind, decoder in _DECODERS.items():
        try:
            values = decoder(text)
        # What a damaged code of this kind ends in, deep JSON included.
        except (ValueError, LookupError, ArithmeticError, RecursionError):
            return DecodedCode(kind, InvoiceData("Damaged code"))
        if values is not None:
            return DecodedCode(kind, values)
    return DecodedCode(CodeKind.OTHER, InvoiceData("Unknown code"))
