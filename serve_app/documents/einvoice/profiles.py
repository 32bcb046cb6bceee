"""The standard and level that the specification identifier of an electronic invoice (BT-24) stands for."""

import re

from serve_app.domain.einvoice import EInvoice, EInvoiceSyntax

_LEVELS = {
    "minimum": "MINIMUM",
    "basicwl": "BASIC WL",
    "basic": "BASIC",
    "comfort": "COMFORT",
    "en16931": "EN 16931",
    "extended": "EXTENDED",
    "extended-ctc-fr": "EXTENDED CTC FR",
}
# The core guideline EN 16931 is that of several standards; the name of the file in a PDF says which.
_BY_FILE = {"factur-x.xml": "Factur-X", "zugferd-invoice.xml": "ZUGFeRD 2.0", "xrechnung.xml": "XRechnung"}
_PEPPOL = re.compile(r"urn:fdc:peppol\.eu:(?:\d{4}:)?poacc:billing:(\d+)")
_NLCIUS = re.compile(r"nlcius:v(\d+(?:\.\d+)*)")


def cii_profile(guideline: str, *, is_first_version: bool = False, file_name: str = "") -> str:
    """Standard and level, such as "Factur-X EN 16931"; only the standard if the level is unknown.

    `is_first_version`: the message is ZUGFeRD 1. `file_name` is that of an attachment of a PDF.
    """
    guideline = guideline.lower()
    if xrechnung := _xrechnung(guideline):
        return xrechnung
    level = _LEVELS.get(re.split(r"[:#]", guideline)[-1])
    if level is None and "en16931" in guideline:
        level = _LEVELS["en16931"]
    standard = _standard(guideline, file_name, is_first_version)
    return " ".join(filter(None, (standard, level))) or "CII"


def profile_in_pdf(found: EInvoice, file_name: str) -> str:
    """The profile of an electronic invoice that a PDF contains under this name."""
    if found.syntax is not EInvoiceSyntax.CII or found.profile.startswith("ZUGFeRD 1"):
        return found.profile
    return cii_profile(found.specification or "", file_name=file_name)


def ubl_profile(customization: str) -> str:
    """The standard, such as "Peppol BIS Billing 3" or "XRechnung 3.0"."""
    lowered = customization.lower()
    if xrechnung := _xrechnung(lowered):
        return xrechnung
    if peppol := _PEPPOL.search(lowered):
        return f"Peppol BIS Billing {peppol[1]}"
    if nlcius := _NLCIUS.search(lowered):
        return f"NLCIUS {nlcius[1]}"
    if lowered.startswith("tr1"):
        return f"UBL-TR {customization[2:12]}"
    return "EN 16931 (UBL)" if "en16931" in lowered else "UBL"


def _xrechnung(guideline: str) -> str | None:
    found = re.search(r"xrechnung_(\d+(?:\.\d+)?)", guideline)
    return f"XRechnung {found[1]}" if found else None


def _standard(guideline: str, file_name: str, is_first_version: bool) -> str | None:
    if is_first_version:
        return "ZUGFeRD 1.0"
    if "zugferd" in guideline:
        return "ZUGFeRD 2.0"
    return "Factur-X" if "factur-x" in guideline else _BY_FILE.get(file_name)
