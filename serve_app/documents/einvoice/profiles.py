"""The standard and level that an electronic invoice's guideline identifier stands for."""

import re

_LEVELS = {
    "minimum": "MINIMUM",
    "basicwl": "BASIC WL",
    "basic": "BASIC",
    "comfort": "COMFORT",
    "en16931": "EN 16931",
    "extended": "EXTENDED",
    "extended-ctc-fr": "EXTENDED CTC FR",
}
# The core guideline EN 16931 does not tell these standards apart; the file name does.
_BY_FILE = {"factur-x.xml": "Factur-X", "zugferd-invoice.xml": "ZUGFeRD 2.0", "xrechnung.xml": "XRechnung"}


def profile_name(guideline: str, file_name: str, *, first_version: bool) -> str:
    """Standard and level, such as "Factur-X EN 16931"; only the standard if the level is unknown.

    `first_version`: the message is ZUGFeRD 1.
    """
    guideline = guideline.lower()
    xrechnung = re.search(r"xrechnung_(\d+(?:\.\d+)?)", guideline)
    if xrechnung:
        return f"XRechnung {xrechnung[1]}"
    level = _LEVELS.get(re.split(r"[:#]", guideline)[-1])
    if level is None and "en16931" in guideline:
        level = _LEVELS["en16931"]
    return " ".join(filter(None, (_standard(guideline, file_name, first_version), level)))


def _standard(guideline: str, file_name: str, first_version: bool) -> str:
    if first_version:
        return "ZUGFeRD 1.0"
    if "zugferd" in guideline:
        return "ZUGFeRD 2.0"
    return "Factur-X" if "factur-x" in guideline else _BY_FILE[file_name]
