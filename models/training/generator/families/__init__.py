"""Importing this package registers all layout families."""

from models.training.generator.families import (
    business,
    forms,
    letters,
    others,
    print_outs,
    receipts,
    slips,
    trades,
)
from models.training.generator.families.registry import FAMILIES, Family

__all__ = [
    "FAMILIES",
    "Family",
    "business",
    "forms",
    "letters",
    "others",
    "print_outs",
    "receipts",
    "slips",
    "trades",
]
