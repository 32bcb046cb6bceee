"""Damage: one sound file and chance to one that is not."""

import random
import re
from collections.abc import Callable

Mutation = Callable[[random.Random, bytes, bytes], bytes]

_NUMBER = re.compile(rb"\d+")
_HUGE = (b"0", b"-1", b"65536", b"2147483647", b"2147483648", b"4294967295", b"9999999999", b"1e308", b"0.0000001")


def mutated(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """`data` with one to three kinds of damage; some borrow from `other`."""
    for mutation in chance.choices(MUTATIONS, k=chance.choice((1, 1, 1, 2, 3))):
        data = mutation(chance, data, other) or data
    return data


def _flip_bits(chance: random.Random, data: bytes, other: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 4, 16, 64))):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def _truncate(chance: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: chance.randrange(1, len(data) + 1)]


def _delete(chance: random.Random, data: bytes, other: bytes) -> bytes:
    start, end = _span(chance, data)
    return data[:start] + data[end:]


def _repeat(chance: random.Random, data: bytes, other: bytes) -> bytes:
    start, end = _span(chance, data)
    return data[:end] + data[start:end] * chance.choice((1, 2, 50)) + data[end:]


def _noise(chance: random.Random, data: bytes, other: bytes) -> bytes:
    start, end = _span(chance, data)
    return data[:start] + chance.randbytes(end - start) + data[end:]


def _splice_header(chance: random.Random, data: bytes, other: bytes) -> bytes:
    size = chance.choice((8, 32, 200, 1000))
    return other[:size] + data[chance.choice((0, size)) :]


def _splice_tail(chance: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: chance.randrange(1, len(data) + 1)] + other[chance.randrange(len(other)) :]


def _number(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """Numbers in text (PDF, HTML) become extreme."""
    found = list(_NUMBER.finditer(data))
    for match in sorted(chance.sample(found, min(len(found), chance.choice((1, 2, 8)))), key=lambda m: -m.start()):
        data = data[: match.start()] + chance.choice(_HUGE) + data[match.end() :]
    return data


def _field(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """Two or four bytes of a binary header become extreme."""
    at, value = chance.randrange(min(len(data), 2000)), chance.choice((b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff"))
    size = chance.choice((2, 4))
    return data[:at] + value[:size] + data[at + size :]


def _span(chance: random.Random, data: bytes) -> tuple[int, int]:
    start = chance.randrange(len(data))
    return start, min(len(data), start + chance.choice((1, 4, 30, 300, 3000)))


MUTATIONS: tuple[Mutation, ...] = (
    _flip_bits, _flip_bits, _truncate, _delete, _repeat, _noise, _splice_header, _splice_tail, _number, _number, _field,
)  # fmt: skip
