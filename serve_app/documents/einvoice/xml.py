"""Untrusted XML: parsed without entities, DTDs or network access, and queried by plain paths."""

from collections.abc import Iterator
from typing import TypeAlias

from lxml import etree

Node: TypeAlias = etree._Element


class UnsafeXmlError(ValueError):
    """XML that is malformed or uses features that no business message needs."""


def parse(data: bytes) -> Node:
    """The root element; raise UnsafeXmlError if it is malformed, has a DTD or is nested too deeply."""
    # Without `huge_tree`, libxml2 rejects more than 256 levels and text over 10 MB.
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
    """All nodes at a path of local names: versions of a standard differ only in their namespaces."""
    if not names:
        yield node
        return
    for child in node:
        if isinstance(child.tag, str) and local_name(child) == names[0]:
            yield from descend(child, *names[1:])


def text(node: Node) -> str | None:
    """The node's own text, or None if it is empty."""
    return (node.text or "").strip() or None


def texts(node: Node, *names: str) -> list[str]:
    """The non-empty texts at a path."""
    return [found for element in descend(node, *names) for found in [text(element)] if found]


def first(node: Node, *names: str) -> str | None:
    """The first non-empty text at a path."""
    return next(iter(texts(node, *names)), None)
