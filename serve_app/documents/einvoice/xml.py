"""XML of strangers: parsed without entities, without a DTD, without a network, and found by plain paths."""

from collections.abc import Iterator
from typing import TypeAlias

from lxml import etree

Node: TypeAlias = etree._Element


class UnsafeXmlError(ValueError):
    """XML that is malformed, or asks for what a message between businesses never needs."""


def parse(data: bytes) -> Node:
    """The root element; raise UnsafeXmlError for anything malformed, with a DTD, or nested beyond reason."""
    # Without `huge_tree`, libxml2 refuses more than 256 levels and texts over 10 MB.
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data.strip(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnsafeXmlError("malformed XML") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise UnsafeXmlError("XML with a document type")
    return root


def local_name(node: Node) -> str:
    return etree.QName(node).localname


def descend(node: Node, *names: str) -> Iterator[Node]:
    """All nodes down a path of local names: versions of a standard differ in their namespaces alone."""
    if not names:
        yield node
        return
    for child in node:
        if isinstance(child.tag, str) and local_name(child) == names[0]:
            yield from descend(child, *names[1:])


def text(node: Node) -> str | None:
    """The node's own text, or None where it is empty."""
    return (node.text or "").strip() or None


def texts(node: Node, *names: str) -> list[str]:
    """The texts at the end of a path, those that are empty left out."""
    return [found for element in descend(node, *names) for found in [text(element)] if found]


def first(node: Node, *names: str) -> str | None:
    """The first text at the end of a path."""
    return next(iter(texts(node, *names)), None)
