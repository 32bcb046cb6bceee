"""Documents survive packing, however the packets are ordered."""

from dataclasses import replace

from serve_app.documents.packing import WORDS, pack, unpack
from serve_app.domain.document import Box, Document, Origin, Page, Word


def document(*counts: int) -> Document:
    """Pages with these numbers of words."""
    word = Word("Total", Box(0.1, 0.1, 0.2, 0.2), 0.5)
    pages = (Page(number, 595.0, 842.0, (word,) * count) for number, count in enumerate(counts, 1))
    return Document(tuple(pages), origin=Origin("a/b"))


def test_a_document_is_itself_again_in_any_order_of_its_packets() -> None:
    whole = document(WORDS, 5, WORDS - 5, 1)
    packets = pack(whole)
    assert [packet.numbers for packet in packets] == [(1,), (2, 3), (4,)]
    assert [packet.words for packet in packets] == [WORDS, WORDS, 1]
    assert unpack(reversed(packets)) == whole


def test_a_page_over_the_size_is_a_packet_of_its_own() -> None:
    assert [packet.numbers for packet in pack(document(1, 2 * WORDS, 1))] == [(1,), (2,), (3,)]


def test_a_document_without_pages_has_no_packets() -> None:
    empty = replace(document(), origin=None)
    assert pack(empty) == ()
    assert unpack(()) == empty
