"""Levels of confidence."""

from enum import StrEnum


class Confidence(StrEnum):
    """How far a value can be trusted. `high`: two models agree and the arithmetic checks out."""

    HIGH = "high"
    MID = "mid"
    LOW = "low"
