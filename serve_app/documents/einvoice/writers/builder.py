"""Build XML without empty elements, which the standards forbid."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, TypeAlias

from lxml import etree

from serve_app.domain.einvoice import Identifier, Party

SPECIFICATION = "urn:cen.eu:en16931:2017"
"""BT-24 of what is written here."""

_LENGTH_IN_ISO_6523 = 4
Child: TypeAlias = "etree._Element | None"
Content: TypeAlias = str | date | Decimal | Iterable[Child] | None
Make: TypeAlias = Callable[..., Child]


def maker(prefix: str, namespace: str) -> Make:
    """A function that makes elements of the namespace: name, content, and attributes. None if there is no content.

    An empty prefix makes the namespace the default.
    """
    prefixes: dict[Any, str] = {prefix or None: namespace}

    def make(name: str, content: Content, /, **attributes: str | None) -> Child:
        text, children = _text(content), _children(content)
        if text is None and not children:
            return None
        element = etree.Element(f"{{{namespace}}}{name}", nsmap=prefixes)
        element.text = text
        element.extend(children)
        for key, value in attributes.items():
            if value is not None:
                element.set(key, value)
        return element

    return make


def in_iso_6523(identifier: Identifier) -> bool:
    """Whether its list is one that EN 16931 allows for identifiers of parties, places and items: ISO 6523."""
    scheme = identifier.scheme or ""
    return len(scheme) == _LENGTH_IN_ISO_6523 and scheme.isdigit()


def only_identifier(party: Party) -> tuple[Identifier, ...]:
    """Of parties other than the seller, which have at most one: at best one of such a list."""
    return (max(party.identifiers, key=in_iso_6523),) if party.identifiers else ()


def document(root: Child, prefixes: Mapping[Any, str]) -> bytes:
    """The XML as a file."""
    if root is None:
        raise ValueError("the document is empty")
    etree.cleanup_namespaces(root, top_nsmap=prefixes)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _text(content: Content) -> str | None:
    if isinstance(content, str):
        return content or None
    if isinstance(content, Decimal):
        return f"{content:f}"
    return content.isoformat() if isinstance(content, date) else None


def _children(content: Content) -> list[etree._Element]:
    if content is None or isinstance(content, str | date | Decimal):
        return []
    return [child for child in content if child is not None]
