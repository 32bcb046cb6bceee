"""Amounts in English words, as tax forms print them."""

from decimal import Decimal

_TEENS = "Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen"
_ONES = [*["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"], *_TEENS.split(" ")]
_TENS = ["Zero", "Ten", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"]
_STEPS = ((10**9, "Billion"), (10**6, "Million"), (1000, "Thousand"), (100, "Hundred"))


def count_in_words(value: int) -> str:
    for size, name in _STEPS:
        if value >= size:
            rest = f" {count_in_words(value % size)}" if value % size else ""
            return f"{count_in_words(value // size)} {name}{rest}"
    if value >= len(_ONES):
        return _TENS[value // 10] + (f" {_ONES[value % 10]}" if value % 10 else "")
    return _ONES[value]


def amount_in_words(value: Decimal, currency: str) -> str:
    """`INR Twelve and 50/100 Only`"""
    whole, cents = int(abs(value)), int(abs(value) * 100) % 100
    tail = f" and {cents:02}/100" if cents else ""
    return f"{currency} {count_in_words(whole)}{tail} Only"
