"""Run compiled Schematron (XSLT 2) with Saxon, and list the rules that an XML breaks."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from lxml import etree

from serve_app.documents.einvoice.validation.rule_sets import RuleSet
from serve_app.documents.einvoice.xml import Node
from serve_app.domain.einvoice_validation import Finding, FindingSeverity

_SVRL = "{http://purl.oclc.org/dsdl/svrl}"
RULE = "PROFILE"
"""Of findings without a name: what a level of Factur-X does not use, requires, or allows only once."""
# "[BR-CO-15]-..." or "[BR-DE-1] ...": the name of a rule before its text; some have what they compared before it.
_NAMED = re.compile(r"\[([A-Z][\w/-]*)\]\s*-?\s*")
# One step of a path: "*:Name[namespace-uri()='...'][2]" or "Q{...}Name[2]"; attributes as "@name".
_STEP = re.compile(r"/(?:\*:|Q\{[^}]*\}|[\w.-]+:)?(@?[\w.-]+)(?:\[namespace-uri\(\)=[^]]*\])?(\[\d+\])?")


def broken_rules(xml: Node, rules: RuleSet) -> Iterator[Finding]:
    """The findings of a rule set. Saxon raises PySaxonApiError for XML that it cannot handle."""
    document = _saxon().parse_xml(xml_text=etree.tostring(xml, encoding="unicode"))
    report = _compiled(str(rules.file)).transform_to_string(xdm_node=document)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    for node in etree.fromstring(report.encode(), parser).iter(f"{_SVRL}failed-assert", f"{_SVRL}successful-report"):
        finding = _finding(node)
        if finding.rule.startswith(rules.prefixes):
            yield finding


def start() -> None:
    """Load Saxon, which takes address space that is not counted later."""
    _saxon()


def _finding(node: Node) -> Finding:
    text = " ".join("".join(map(str, node.itertext())).split())
    named = _NAMED.search(text)
    return Finding(
        rule=named[1] if named else node.get("id") or RULE,
        severity=FindingSeverity.ERROR if node.get("flag", "fatal") in ("fatal", "error") else FindingSeverity.WARNING,
        text=text[named.end() :] if named and not named.start() else text,
        place=_place(node.get("location", "")),
    )


def _place(location: str) -> str | None:
    """The path with plain names, and positions only where an element is not the first of its kind."""
    steps = (name + (position if position != "[1]" else "") for name, position in _STEP.findall(location))
    return "/".join(steps) or None


@cache
def _saxon() -> Any:
    import saxonche

    return saxonche.PySaxonProcessor(license=False)


@lru_cache(maxsize=16)
def _compiled(file: str) -> Any:
    """Compiling takes up to 0.7 s, applying a few milliseconds."""
    return _saxon().new_xslt30_processor().compile_stylesheet(stylesheet_file=file)
