"""What published rules say of an electronic invoice."""

from dataclasses import dataclass
from enum import StrEnum


class FindingSeverity(StrEnum):
    """`error`: a rule that the invoice must meet is broken. `warning`: it should be met, or it could not be checked."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that an electronic invoice breaks.

    `rule` is the publisher's name of it, such as "BR-CO-15", "XSD" for the schema, "PROFILE" for what
    a level of Factur-X allows without a name, or "NOT-CHECKED" if checking failed.
    `text` says in the publisher's words what is required. `place` is the path of the element, without namespaces.
    """

    rule: str
    severity: FindingSeverity
    text: str
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """The rules that an electronic invoice was checked with, and what they found.

    `specification` is what the invoice says it follows (BT-24). `not_checked` names the rules of that specification
    that are not available here. `checked_by` is empty if there are no rules for the syntax, or if checking failed.
    """

    specification: str | None
    checked_by: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def is_valid(self) -> bool | None:
        """Whether no rule is broken that the invoice must meet; None if nothing was checked."""
        if any(finding.severity is FindingSeverity.ERROR for finding in self.findings):
            return False
        return True if self.checked_by else None
