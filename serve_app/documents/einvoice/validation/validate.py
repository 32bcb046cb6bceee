"""Check an electronic invoice with everything that is published for its specification."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from serve_app.documents.einvoice.reader import einvoice_file
from serve_app.documents.einvoice.validation.peppol import broken_peppol_rules
from serve_app.documents.einvoice.validation.rule_sets import Plan, plan_of, specification_of
from serve_app.documents.einvoice.validation.schema import broken_schema
from serve_app.documents.einvoice.validation.schematron import broken_rules
from serve_app.documents.einvoice.xml import Node, UnsafeXmlError, parse
from serve_app.domain.document import Document
from serve_app.domain.einvoice_validation import Finding, FindingSeverity, Validation

MOST_FINDINGS = 100
"""A long invoice can break a rule in each of its lines."""
_MOST_CHARACTERS = 1000


def validate(xml: bytes) -> Validation:
    """What the rules of its specification say of the XML; nothing if there are none for its syntax.

    Takes long for a hostile file: call it where it can be stopped (`documents/isolation/validator.py`).
    """
    try:
        root = parse(xml)
    except UnsafeXmlError as error:
        return Validation(None, findings=(Finding("XML", FindingSeverity.ERROR, f"The file is {error}."),))
    plan = plan_of(root)
    specification = specification_of(root)
    if plan is None or root.node is None:
        return Validation(specification)
    used = (plan.schema, *plan.rule_sets)
    findings = tuple(map(_bounded, islice(_findings(root.node, plan), MOST_FINDINGS)))
    return Validation(specification, tuple(rules.name for rules in used), plan.missing, findings)


def validate_file(data: bytes) -> Validation | None:
    """`validate`, for the invoice in an XML or PDF file; None if it has none."""
    if data[:1024].lstrip().startswith(b"%PDF-"):
        xml = einvoice_file(data)
        return None if xml is None else validate(xml)
    return validate(data)


def validated(document: Document, data: bytes) -> Document:
    """The document that was read from the file, with what the rules say of its electronic invoice."""
    return document if document.einvoice is None else replace(document, validation=validate_file(data))


def _findings(root: Node, plan: Plan) -> Iterator[Finding]:
    """Each once: rule sets repeat some rules of those that they build on."""
    seen = set()
    for finding in _all_findings(root, plan):
        if finding not in seen:
            seen.add(finding)
            is_recommended = finding.rule in plan.recommended
            yield replace(finding, severity=FindingSeverity.WARNING) if is_recommended else finding


def _all_findings(root: Node, plan: Plan) -> Iterator[Finding]:
    yield from broken_schema(root, plan.schema)
    for rules in plan.rule_sets:
        yield from broken_rules(root, rules) if rules.file else broken_peppol_rules(root)


def _bounded(finding: Finding) -> Finding:
    return replace(
        finding, text=finding.text[:_MOST_CHARACTERS], place=(finding.place or "")[:_MOST_CHARACTERS] or None
    )
