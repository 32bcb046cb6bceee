"""Untrusted XML: parsed without entities, DTDs or network access, and queried by plain paths."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from lxml import etree

Node: TypeAlias = etree._Element

MAX_BYTES = 16 * 1024 * 1024
"""Size of an XML file: an XRechnung may embed whole files as base64 text."""
# No name, number or identifier in the standards is longer, and no amount has more digits.
_MAX_TEXT = 200
_MAX_NOTE = 2_000
_AMOUNT = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,10})?|\.\d{1,10})")
# ISO 8601 with or without dashes, time and zone; of UNTDID 2379, 203 and 204 add a time without any sign.
_DATE = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?:T.*|Z|[+-]\d{2}:\d{2}|\d{4}|\d{6})?")


class UnsafeXmlError(ValueError):
    """XML that is malformed or uses features that no business message needs."""


def parse(data: bytes) -> "Element":
    """The root element; raise UnsafeXmlError if it is malformed, too large, has a DTD or is nested too deeply."""
    if len(data) > MAX_BYTES:
        raise UnsafeXmlError(f"it is larger than {MAX_BYTES // 1024**2} MB")
    try:
        root = _root(data.strip())
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise UnsafeXmlError("it is malformed") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise UnsafeXmlError("it has a document type, which no electronic invoice needs")
    return Element(root)


def _root(data: bytes) -> Node:
    """What is wrong with namespaces alone is accepted, such as a name that is no URI or a prefix without one: portals
    do so, and Italian files with blanks in these names exist."""
    parser = _parser()
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        # Typed as if its entries could not be listed.
        entries: Any = parser.error_log
        if any(entry.domain != etree.ErrorDomains.NAMESPACE for entry in entries):
            raise
        return etree.fromstring(data, _parser(recover=True))


def _parser(*, recover: bool = False) -> etree.XMLParser:
    # Without `huge_tree`, libxml2 rejects more than 256 levels and text over 10 MB.
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


@dataclass(frozen=True, slots=True)
class Element:
    """An element, or none, so that a path through missing elements leads to nothing.

    Paths are local names separated by slashes, because versions of a standard differ only in their namespaces. A name
    may have alternatives: "Rate|Percent".
    """

    node: Node | None = None

    def __bool__(self) -> bool:
        return self.node is not None

    @property
    def name(self) -> str:
        """Without the namespace."""
        return "" if self.node is None else etree.QName(self.node).localname

    @property
    def namespace(self) -> str:
        """Without white space, which a URI cannot have."""
        return "" if self.node is None else "".join((etree.QName(self.node).namespace or "").split())

    def all(self, path: str) -> Iterator["Element"]:
        """All elements at the path; this one for an empty path."""
        if self.node is not None:
            yield from map(Element, _descend(self.node, path.split("/") if path else []))

    def at(self, path: str) -> "Element":
        """The first element at the path, or none."""
        return next(self.all(path), Element())

    def attribute(self, name: str) -> str | None:
        return None if self.node is None else _short(self.node.get(name))

    def raw(self, path: str = "") -> str:
        """The first text at the path that is not empty, as it is; "" if there is none."""
        texts = (each.node.text.strip() for each in self.all(path) if each.node is not None and each.node.text)
        return next(filter(None, texts), "")

    def text(self, path: str = "") -> str | None:
        """A name, number or code; None if there is none, or if it is absurdly long."""
        return _short(self.raw(path))

    def note(self, path: str = "") -> str | None:
        """A free text, whose end is left out if it is very long."""
        return self.raw(path)[:_MAX_NOTE].strip() or None

    def amount(self, path: str = "") -> Decimal | None:
        return to_amount(self.raw(path))

    def day(self, path: str = "") -> date | None:
        return to_day(self.raw(path))


def to_file(root: Element) -> bytes:
    """The element with its content as a file of its own."""
    return (
        b"" if root.node is None else etree.tostring(root.node, xml_declaration=True, encoding="UTF-8", with_tail=False)
    )


def each_alone(root: Element, elements: Sequence[Element]) -> Iterator[bytes]:
    """A file for each of the elements, which stand beside each other in `root`, without the others and without a
    signature."""
    nodes = [each.node for each in elements if each.node is not None]
    signatures = [each.node for each in root.all("Signature") if each.node is not None]
    parent = nodes[0].getparent()
    if parent is None:
        return
    place = parent.index(nodes[0])
    for node in (*nodes, *signatures):
        _remove(node)
    for node in nodes:
        parent.insert(place, node)
        yield to_file(root)
        parent.remove(node)


def _remove(node: Node) -> None:
    if (parent := node.getparent()) is not None:
        parent.remove(node)


def _descend(node: Node, names: list[str]) -> Iterator[Node]:
    if not names:
        yield node
        return
    wanted = names[0].split("|")
    for child in node:
        if isinstance(child.tag, str) and child.tag.rpartition("}")[2] in wanted:
            yield from _descend(child, names[1:])


def _short(found: str | None) -> str | None:
    return " ".join(found.split()) or None if found and len(found) <= _MAX_TEXT else None


def to_amount(found: str | None) -> Decimal | None:
    """A decimal as XML writes it, of a sane size."""
    found = (found or "").strip()
    try:
        return Decimal(found) if _AMOUNT.fullmatch(found) else None
    except InvalidOperation:
        return None


def sum_of(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """The sum of those that are given; None if none is."""
    found = [amount for amount in amounts if amount is not None]
    return sum(found, Decimal(0)) if found else None


def to_day(found: str | None) -> date | None:
    match = _DATE.fullmatch((found or "").strip()[:_MAX_TEXT])
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None
