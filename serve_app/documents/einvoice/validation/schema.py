"""Check XML with a published schema (XSD)."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lxml import etree

from serve_app.documents.einvoice.validation.rule_sets import RuleSet
from serve_app.documents.einvoice.xml import Node
from serve_app.domain.einvoice_validation import Finding, FindingSeverity

RULE = "XSD"
_NAMESPACE = re.compile(r"\{[^}]*\}")
_PREFIX = re.compile(r"/[\w.-]+:")


def broken_schema(xml: Node, schema: RuleSet) -> Iterator[Finding]:
    """What the schema does not allow."""
    # Typed as if its errors could not be listed.
    checker: Any = _compiled(str(schema.file))
    checker.validate(xml)
    for error in checker.error_log:
        # Messages name elements as "{namespace}Name".
        text = _NAMESPACE.sub("", error.message)
        place = _PREFIX.sub("/", error.path or "").replace("*", etree.QName(xml).localname).removeprefix("/")
        yield Finding(RULE, FindingSeverity.ERROR, text, place or None)


@lru_cache(maxsize=16)
def _compiled(file: str) -> etree.XMLSchema:
    return etree.XMLSchema(file=file)
