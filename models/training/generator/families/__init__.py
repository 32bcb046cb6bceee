"""Importing this package registers all layout families."""

from models.training.generator.families import (
    business,
    dense,
    forms,
    households,
    letters,
    many_parties,
    modern,
    not_invoices,
    others,
    print_outs,
    prose,
    receipts,
    screens,
    slips,
    tills,
    trades,
    wholesale,
)
from models.training.generator.families.registry import FAMILIES, Family

__all__ = [
    "FAMILIES",
    "Family",
    "business",
    "dense",
    "forms",
    "households",
    "letters",
    "many_parties",
    "modern",
    "not_invoices",
    "others",
    "print_outs",
    "prose",
    "receipts",
    "screens",
    "slips",
    "tills",
    "trades",
    "wholesale",
]
