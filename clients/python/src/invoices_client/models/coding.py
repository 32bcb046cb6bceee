"""Answers about coding. Written by `python -m scripts.clients` from the OpenAPI document."""

from invoices_client.models.base import Model


class ChartCode(Model):
    """A value of a dimension, such as account `4930`. A code that is not `active` is no longer suggested."""

    code: str
    """The code itself."""
    name: str
    """What it is for."""
    active: bool
    """Whether it is suggested and can be entered."""


class Dimension(Model):
    """What codes answer one question: which account, which cost centre, which tax code, which project, or an own
    one. `key` is its name in postings.
    """

    key: str
    """The name of the dimension in postings."""
    name: str
    """What people call it."""
    codes: list[ChartCode] = []
    """Its codes."""


class CodingRule(Model):
    """The codes for lines that contain these words, of vendors whose names contain these; null: of any. Capital
    letters and accents do not count. The first rule that applies decides about a dimension.
    """

    vendor: str | None = None
    """A part of the vendor's name; null: any vendor."""
    contains: str | None = None
    """Words in the line; null: any line."""
    codes: dict[str, str] = {}
    """By the key of the dimension."""


class Chart(Model):
    """The dimensions of an account and its rules. `revision` grows with every change; 0: there is no chart."""

    object: str
    """The type of the object."""
    revision: int
    """The revision to send with a change."""
    dimensions: list[Dimension] = []
    """What codes answer: which account, cost centre, tax code, project, or an own question."""
    rules: list[CodingRule] = []
    """Codes for lines with certain words or vendors; the first that applies decides."""
