"""The share of `high` values that must be right."""

from enum import ReprEnum


class TargetPrecision(float, ReprEnum):
    """The share of `high` values, of all header fields together, that must be right."""

    STANDARD = 0.99
    HIGHER = 0.995
    HIGHEST = 0.999

    @property
    def allowed_wrong(self) -> float:
        """The share of `high` values of all header fields together that may be wrong."""
        return round(1 - self, 6)

    @property
    def allowed_wrong_of_field(self) -> float:
        """The share of `high` values of one field that may be wrong: few values prove less (ADR 0035)."""
        return round(2 * self.allowed_wrong, 6)
