"""Check UBL with the rules of Peppol BIS Billing 3.0, those of countries included (ADR 0153)."""

import re
from collections.abc import Iterator

from lxml import etree
from mockeinvoice import rules, ubl

from serve_app.documents.einvoice.xml import Node
from serve_app.domain.einvoice_validation import Finding, FindingSeverity

_LAYER = "peppol"
_FATAL = "fatal"
_PREFIX = re.compile(r"[\w-]+:")


def broken_peppol_rules(xml: Node) -> Iterator[Finding]:
    """The findings, in the words of the package that has the rules."""
    # Of the rules of this layer, none asks for the package's own model of an invoice.
    for found in rules.run(None, _LAYER, ubl.tree(etree.tostring(xml))):
        severity = FindingSeverity.ERROR if found.level == _FATAL else FindingSeverity.WARNING
        yield Finding(found.code, severity, found.text, _PREFIX.sub("", found.path).strip("/") or None)
