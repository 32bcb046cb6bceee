"""Pictures and web pages made to exhaust or to call home."""

import base64
import random
import struct
import zlib
from collections.abc import Callable

from benchmarks.fuzz.hostile_pdfs import Maker, exploding
from benchmarks.fuzz.seeds import SAMPLES, picture

_START, _END = "<!doctype html><html><head>", "<p>Invoice 17 Total 54.00</p></body></html>"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png(width: int, height: int, depth: int, colour: int, *chunks: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + b"".join(chunks) + _chunk(b"IEND", b"")


def png_bomb(chance: random.Random, canary: str) -> bytes:
    """Large by its header, by what its data unpack to, or by what it carries along."""
    bomb = exploding(chance.choice((10, 200, 800)), 1, b"\0")
    small = zlib.compress(b"\0" * 80)
    side = chance.choice((3_000, 9_000, 60_000, 2**31 - 1))
    choices: tuple[Callable[[], bytes], ...] = (
        lambda: _png(side, side, chance.choice((1, 8, 16)), chance.choice((0, 2, 6)), _chunk(b"IDAT", bomb)),
        lambda: _png(8, 8, 8, 0, _chunk(b"IDAT", bomb)),
        lambda: _png(8, 8, 8, 0, _chunk(b"zTXt", b"c\0\0" + bomb), _chunk(b"IDAT", small)),
        lambda: _png(8, 8, 8, 0, _chunk(b"iCCP", b"c\0\0" + bomb), _chunk(b"IDAT", small)),
        lambda: _png(8, 8, 8, 0, *[_chunk(b"IDAT", b"")] * 100_000, _chunk(b"IDAT", small)),
        lambda: _png(8, 8, 8, 0, _chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0)), _chunk(b"IDAT", small)),
    )
    return chance.choice(choices)()


def jpeg_bomb(chance: random.Random, canary: str) -> bytes:
    """A small picture that claims another size, another make-up or a long life."""
    data = bytearray(picture("JPEG"))
    frame = data.index(b"\xff\xc0")
    choices = (
        (frame + 5, b"\xff\xff\xff\xff"), (frame + 5, b"\x20\x00\x20\x00"), (frame + 1, b"\xc2"), (frame + 4, b"\x10"),
        (frame + 9, b"\xff"), (frame + 11, b"\x44"), (2, b"\xff\xe1\xff\xff"),
    )  # fmt: skip
    at, value = chance.choice(choices)
    data[at : at + len(value)] = value
    scan = data.index(b"\xff\xda")
    return bytes(data[:scan] + data[scan:-2] * chance.choice((1, 1, 300)) + data[-2:])


def heic_bomb(chance: random.Random, canary: str) -> bytes:
    """The sample with another size in its properties, or boxes that lie about their own."""
    data = bytearray((SAMPLES / "photo.heic").read_bytes())
    place = data.find(b"ispe")
    at = chance.choice((place + 8, place + 12, place - 4, max(data.find(b"iloc"), 4) - 4, data.find(b"meta") - 4))
    data[at : at + 4] = struct.pack(">I", chance.choice((0, 1, 2**16, 2**31 - 1, 2**32 - 1)))
    return bytes(data)


def html_bomb(chance: random.Random, canary: str) -> bytes:
    """Deep, wide, large, or all of one word."""
    size = chance.choice((100, 2_000, 30_000))
    tag = chance.choice(("div", "table><tr><td", "span", "ul><li", "b", "svg", "blockquote"))
    number = chance.choice(("1e9", "99999999", "-1", "0", "1e-9"))
    rows = chance.choice((10, 1_000))
    choices: tuple[Callable[[], str], ...] = (
        lambda: f"<body>{f'<{tag}>' * size}deep{_END}",
        lambda: f"<body><table><tr><td colspan={number} rowspan={number}>1</table>{_END}",
        lambda: f"<body>{'<p>word word' * size}{_END}",
        lambda: f"<body>{'w' * size * 100}{_END}",
        lambda: f"<body><table>{'<tr>' + '<td>1</td>' * 50}{'</tr><tr>' * rows}</table>{_END}",
        lambda: f"<style>p{{font-size:{number}px;width:{number}px;column-count:{number}}}</style><body>{_END}",
        lambda: f"<style>@page{{size:{number}mm {number}mm;margin:{number}px}}</style><body>{_END}",
        lambda: f"<style>{'p,' * size}p{{color:red}}</style><body>{_END}",
        lambda: f"<style>{'@media print{' * size}</style><body>{_END}",
        lambda: f"<style>p:before{{content:'{'x' * size * 50}'}}</style><body>{_END}",
        lambda: f"<body>{'&nbsp;&#x10FFFF;&#0;' * size}{_END}",
        lambda: f"<body {' '.join(f'a{n}={n}' for n in range(size))}>{_END}",
        lambda: f"<body><img src='data:image/png;base64,{_bomb_in_base64(chance)}'>{_END}",
        lambda: f"<body><div style='{'transform:scale(9);' * size}page-break-after:always'>{_END}" * 2,
    )
    return (_START + chance.choice(choices)()).encode()


def _bomb_in_base64(chance: random.Random) -> str:
    return base64.b64encode(png_bomb(chance, "")[:2_000_000]).decode()


def html_that_calls_home(chance: random.Random, canary: str) -> bytes:
    """Every way for a page to load something."""
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'>"
        f"<image xlink:href='{canary}'/></svg>"
    )
    links = (
        f"<link rel=stylesheet href={canary}>", f"<style>@import url({canary});</style>", f"<img src={canary}>",
        f"<style>@font-face{{font-family:F;src:url({canary})}}*{{font-family:F}}</style>", svg,
        f"<style>body{{background:url({canary});list-style-image:url({canary})}}</style>",
        f"<meta http-equiv=refresh content='0;url={canary}'>", f"<iframe src={canary}></iframe>",
        f"<object data={canary}>", f"<embed src={canary}>", f"<video poster={canary}>",
        f"<script src={canary}></script>", f"<img srcset='{canary} 2x'>", f"<base href={canary}><img src=a.png>",
        "<img src=file:///etc/passwd>", "<link rel=stylesheet href=file:///etc/passwd>", "<object data=/etc/passwd>",
        f"<link rel=attachment href={canary}>", "<link rel=attachment href=file:///etc/passwd>",
        f'<img src="data:image/svg+xml,{svg}">', f"<style>p:before{{content:url({canary})}}</style>",
        f"<style>@page{{background:url({canary})}}</style>", f"<?xml-stylesheet href='{canary}'?>",
        f"<image href={canary}><input type=image src={canary}>", f"<p style='border-image:url({canary})'>",
    )  # fmt: skip
    return f"{_START}{''.join(chance.sample(links, 4))}<body>{_END}".encode()


MAKERS: dict[str, Maker] = {
    "png": png_bomb,
    "jpeg": jpeg_bomb,
    "heic": heic_bomb,
    "html": html_bomb,
    "html, references": html_that_calls_home,
}
