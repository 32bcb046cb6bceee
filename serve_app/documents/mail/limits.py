"""How much of a mail is looked at. What is beyond is named as such, never dropped silently."""

from serve_app.documents.limits import MIB

HEADER_BYTES = 65_536
"""Of the headers of a mail or of one of its parts; what is beyond is left out."""
FIELD_BYTES = 8_192
"""Of one header, where all are too long together."""
VALUE_CHARACTERS = 2_000
"""Of a header: decoding long ones takes the standard library gigabytes."""
MOST_PARTS = 500
DEEPEST_MAIL = 5
"""Mails within mails."""
DEEPEST_PART = 20
"""Parts within parts."""
ZIP_ENTRIES = 100
ZIP_BYTES = 60 * MIB
ZIP_RATIO = 100
DOCUMENT_BYTES = 60 * MIB
"""All documents of a mail together, once they are unpacked: what fits into an answer of the child."""
MOST_LINKS = 20
LINK_CHARACTERS = 2_000
BODY_CHARACTERS = 1_000_000
TEXT_CHARACTERS = 20_000
"""Of the text that is looked through for questions of mail programs."""
