"""Legal forms as OCR misreads them: "S.r.I.", "Sp. z 0.0.", "SON BHD", "TRADINGSDN BHD"."""

import re

# Each with what it is.
_MISREAD = (
    # Joined with the word before.
    (re.compile(r"(?<=[A-Z]{2})(?=SDN\.? ?BHD\b)"), " "),
    (re.compile(r"(?<!\w)S[DO0]N(\.? ?)[B8R]H[DO0](?!\w)"), r"SDN\1BHD"),
    (re.compile(r"(?<!\w)(S\. ?(?:à ?)?r\. ?)[I1|](?=\.|$)"), r"\1l"),
    (re.compile(r"(?<!\w)(S\. ?R\. ?)[1|](?=\.|$)"), r"\1L"),
    (re.compile(r"(?<!\w)(s\. ?r\. ?)0(?!\w)"), r"\1o"),
    (re.compile(r"(?<!\w)(z ?|(?:j\. ?)?d\. ?)[0o](\. ?)[0o](?!\w)"), r"\1o\2o"),
    (re.compile(r"(?<!\w)[GC]mb[HIl1]{1,2}(?!\w)"), "GmbH"),
    (re.compile(r"(?<!\w)(?:L[lI1]d|[I1]td)(?=\.?$)"), "Ltd"),
)


def with_form_repaired(name: str) -> str:
    """The name with its legal form as it is written."""
    for misread, form in _MISREAD:
        name = misread.sub(form, name)
    return name
