"""Readers of exported files, written from the published formats and sharing nothing with the code that writes them."""

import csv
import io
from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True)
class Booking:
    """A line of a batch, in the terms of the target."""

    values: dict[str, str]

    @property
    def amount(self) -> Decimal:
        """Signed: debit of the account is positive."""
        sign = {"S": 1, "H": -1}[self.values["Soll/Haben-Kennzeichen"]]
        return Decimal(self.values["Umsatz (ohne Soll/Haben-Kz)"].replace(",", ".")) * sign

    def day(self, year: int) -> date:
        text = self.values["Belegdatum"]
        return date(year, int(text[2:]), int(text[:2]))


def split_extf(line: str) -> list[str]:
    """The fields of a line: separated by semicolons, texts in quotes, quotes in them doubled."""
    fields, current, inside, i = [], "", False, 0
    while i < len(line):
        sign = line[i]
        if inside and sign == '"' and line[i + 1 : i + 2] == '"':
            current, i = current + '"', i + 1
        elif sign == '"':
            inside = not inside
        elif sign == ";" and not inside:
            fields.append(current)
            current = ""
        else:
            current += sign
        i += 1
    assert not inside, "a quote is not closed"
    return [*fields, current]


def read_extf(content: bytes) -> tuple[list[str], list[Booking]]:
    """The header, and the bookings by the names of the columns."""
    text = content.decode("cp1252")
    assert text.endswith("\r\n")
    lines = text.removesuffix("\r\n").split("\r\n")
    assert not any("\n" in line or "\r" in line for line in lines)
    header, names, *rows = (split_extf(line) for line in lines)
    assert (header[0], header[1], header[2], header[3], header[4]) == ("EXTF", "700", "21", "Buchungsstapel", "13")
    assert len(header) == 31
    assert len(names) == 125
    assert all(len(row) == 125 for row in rows)
    return header, [Booking(dict(zip(names, row, strict=True))) for row in rows]


def read_table(content: bytes, encoding: str = "utf-8-sig", delimiter: str = ",") -> list[dict[str, str]]:
    """Rows by their titles, after RFC 4180."""
    return list(csv.DictReader(io.StringIO(content.decode(encoding), newline=""), delimiter=delimiter, strict=True))


def read_fixed(line: str, fields: tuple[tuple[str, int], ...]) -> dict[str, str]:
    """A record of a fixed width."""
    values, start = {}, 0
    for name, width in fields:
        values[name], start = line[start : start + width].strip(), start + width
    assert start == len(line)
    return values
