"""What a PDF says of itself (XMP), with what Factur-X adds: which file the electronic invoice is."""

from lxml import etree

from serve_app.documents.einvoice.xml import Node, UnsafeXmlError, parse

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_FX = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"
_EARLIER = (
    _FX,
    "urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#",
    "urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#",
)
"""Of what a replaced invoice was described by."""
_PDFA_ID = "http://www.aiim.org/pdfa/ns/id/"
_EXTENSION = "http://www.aiim.org/pdfa/ns/extension/"
_SCHEMA, _PROPERTY = "http://www.aiim.org/pdfa/ns/schema#", "http://www.aiim.org/pdfa/ns/property#"
_PREFIXES = {
    "rdf": _RDF, "fx": _FX, "pdfaid": _PDFA_ID, "pdfaExtension": _EXTENSION,
    "pdfaSchema": _SCHEMA, "pdfaProperty": _PROPERTY,
}  # fmt: skip
_EMPTY = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="{_RDF}"/></x:xmpmeta>'.encode()
_DESCRIBED = {
    "DocumentFileName": ("factur-x.xml", "The name of the embedded XML document"),
    "DocumentType": ("INVOICE", "The type of the hybrid document in capital letters"),
    "Version": ("1.0", "The version of the standard that applies to the embedded XML document"),
    "ConformanceLevel": ("EN 16931", "The conformance level of the embedded XML document"),
}
"""Value and meaning of each property."""
_PACKET = b'<?xpacket begin="\xef\xbb\xbf" id="W5M0MpCehiHzreSzNTczkc9d"?>\n', b'\n<?xpacket end="w"?>'
_WITHOUT_ATTACHMENTS, _WITH_ATTACHMENTS = ("1", "2"), "3"


def facturx_metadata(earlier: bytes) -> bytes:
    """The metadata with those of Factur-X; what is damaged is left out. A PDF/A becomes one that may have attachments
    (PDF/A-3); no other PDF becomes a PDF/A, which is more than its metadata."""
    root, rdf = _parsed(earlier)
    for each in rdf.iter(f"{{{_RDF}}}Description"):
        _drop_earlier(each)
    _mark_attachments(rdf)
    _declare(rdf)
    description = _added(rdf, _RDF, "Description", {f"{{{_RDF}}}about": ""})
    for name, (value, _) in _DESCRIBED.items():
        _added(description, _FX, name).text = value
    etree.cleanup_namespaces(root, top_nsmap={"rdf": _RDF})
    return _PACKET[0] + etree.tostring(root, encoding="UTF-8") + _PACKET[1]


def _parsed(data: bytes) -> tuple[Node, Node]:
    """The root, and the descriptions in it."""
    for each in (data, _EMPTY):
        try:
            root = parse(each).node
        except UnsafeXmlError:
            continue
        rdf = None if root is None else next(root.iter(f"{{{_RDF}}}RDF"), None)
        if root is not None and rdf is not None:
            return root, rdf
    raise AssertionError("empty metadata are well-formed")


def _drop_earlier(description: Node) -> None:
    for child in list(description):
        if etree.QName(child).namespace in _EARLIER:
            description.remove(child)
    for name in list(description.attrib):
        if etree.QName(str(name)).namespace in _EARLIER:
            del description.attrib[name]


def _mark_attachments(rdf: Node) -> None:
    name = f"{{{_PDFA_ID}}}part"
    for each in rdf.iter():
        if each.get(name) in _WITHOUT_ATTACHMENTS:
            each.set(name, _WITH_ATTACHMENTS)
        if each.tag == name and (each.text or "").strip() in _WITHOUT_ATTACHMENTS:
            each.text = _WITH_ATTACHMENTS


def _declare(rdf: Node) -> None:
    """PDF/A wants properties that are not its own declared, all in one list."""
    if any(each.text == _FX for each in rdf.iter(f"{{{_SCHEMA}}}namespaceURI")):
        return
    listed = next(rdf.iter(f"{{{_EXTENSION}}}schemas"), None)
    bag = None if listed is None else listed.find(f"{{{_RDF}}}Bag")
    if bag is None:
        description = _added(rdf, _RDF, "Description", {f"{{{_RDF}}}about": ""})
        bag = _added(_added(description, _EXTENSION, "schemas"), _RDF, "Bag")
    resource = {f"{{{_RDF}}}parseType": "Resource"}
    schema = _added(bag, _RDF, "li", resource)
    _added(schema, _SCHEMA, "schema").text = "Factur-X PDFA Extension Schema"
    _added(schema, _SCHEMA, "namespaceURI").text = _FX
    _added(schema, _SCHEMA, "prefix").text = "fx"
    properties = _added(_added(schema, _SCHEMA, "property"), _RDF, "Seq")
    for name, (_, meaning) in _DESCRIBED.items():
        declared = _added(properties, _RDF, "li", resource)
        _added(declared, _PROPERTY, "name").text = name
        _added(declared, _PROPERTY, "valueType").text = "Text"
        _added(declared, _PROPERTY, "category").text = "external"
        _added(declared, _PROPERTY, "description").text = meaning


def _added(parent: Node, namespace: str, name: str, attributes: dict[str, str] | None = None) -> Node:
    return etree.SubElement(parent, f"{{{namespace}}}{name}", attributes or {}, nsmap=_PREFIXES)
