"""What an invoice says of its issuer beside the name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VendorDetails:
    """How to reach the issuer and whom to pay; None for what is not printed.

    `website` is a host name, `email` an address, both in lower case; `phone` is as printed; `vat_id` and `iban` are
    compact (upper case letters and digits), and their check digits are right.
    """

    website: str | None = None
    email: str | None = None
    phone: str | None = None
    vat_id: str | None = None
    iban: str | None = None


NOTHING_KNOWN = VendorDetails()
