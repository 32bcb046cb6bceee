"""What is unusual about an invoice in tests."""

from serve_app.domain.invoice import CheckKind, CheckSeverity, SupplierCheck


def alert(kind: CheckKind = CheckKind.BANK_ACCOUNT_CHANGED) -> SupplierCheck:
    """Something that a person must look at before paying."""
    text = f"Something is new for this supplier: {kind.replace('_', ' ')}."
    return SupplierCheck(kind=kind, severity=CheckSeverity.ALERT, text=text, since=None, evidence=[])


NOTICE = alert(CheckKind.DATE_UNUSUAL).model_copy(update={"severity": CheckSeverity.NOTICE})
