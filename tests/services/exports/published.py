"""The fields of bills that the publishers of Xero's and QuickBooks' SDKs list (xero-python 15.2.0 and python-quickbooks
0.9.12, both MIT), with the JSON types of their values: those that a bill may have when it is made."""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

_NUMBER = int, float
_XERO_LINE: Schema = {
    "Description": str,
    "Quantity": _NUMBER,
    "UnitAmount": _NUMBER,
    "ItemCode": str,
    "AccountCode": str,
    "AccountID": str,
    "TaxType": str,
    "TaxAmount": _NUMBER,
    "LineAmount": _NUMBER,
    "Tracking": [{"TrackingCategoryID": str, "TrackingOptionID": str, "Name": str, "Option": str}],
    "DiscountRate": _NUMBER,
    "DiscountAmount": _NUMBER,
}
_XERO_BILL: Schema = {
    "Type": {"ACCPAY", "ACCPAYCREDIT"},
    "Status": {"DRAFT", "SUBMITTED", "AUTHORISED"},
    "Contact": {"ContactID": str, "Name": str, "EmailAddress": str, "TaxNumber": str},
    "Date": str,
    "DueDate": str,
    "CurrencyCode": str,
    "CurrencyRate": _NUMBER,
    "LineAmountTypes": {"Exclusive", "Inclusive", "NoTax"},
    "LineItems": [_XERO_LINE],
    "Reference": str,
}
XERO: Mapping[str, Schema] = {
    "Invoices": {"Invoices": [{**_XERO_BILL, "InvoiceNumber": str, "Url": str}]},
    "CreditNotes": {"CreditNotes": [{**_XERO_BILL, "CreditNoteNumber": str}]},
}
_REFERENCE: Schema = {"value": str, "name": str}
QUICKBOOKS: Schema = {
    "VendorRef": _REFERENCE,
    "APAccountRef": _REFERENCE,
    "CurrencyRef": _REFERENCE,
    "DepartmentRef": _REFERENCE,
    "SalesTermRef": _REFERENCE,
    "DocNumber": str,
    "TxnDate": str,
    "DueDate": str,
    "PrivateNote": str,
    "ExchangeRate": _NUMBER,
    "GlobalTaxCalculation": {"TaxExcluded", "TaxInclusive", "NotApplicable"},
    "Line": [
        {
            "DetailType": {"AccountBasedExpenseLineDetail"},
            "Amount": _NUMBER,
            "Description": str,
            "LineNum": _NUMBER,
            "AccountBasedExpenseLineDetail": {
                "AccountRef": _REFERENCE,
                "TaxCodeRef": _REFERENCE,
                "ClassRef": _REFERENCE,
                "CustomerRef": _REFERENCE,
                "BillableStatus": str,
                "TaxInclusiveAmt": _NUMBER,
            },
        }
    ],
}


def differences(value: Any, schema: Any, path: str = "") -> list[str]:
    """Where the value has other fields or types than the schema."""
    if isinstance(schema, Mapping):
        unknown = [f"{path}.{name} is not published" for name in value if name not in schema]
        known = (differences(each, schema[name], f"{path}.{name}") for name, each in value.items() if name in schema)
        return unknown + [each for found in known for each in found]
    if isinstance(schema, list):
        return [each for item in value for each in differences(item, schema[0], path)]
    is_right = value in schema if isinstance(schema, set) else isinstance(value, schema)
    return [] if is_right else [f"{path} is {value!r}"]
