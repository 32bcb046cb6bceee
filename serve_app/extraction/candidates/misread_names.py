"""Names that were read otherwise than they are printed."""

import re
from itertools import pairwise

from serve_app.extraction.notation.plain import plain

_LETTERS_APART = re.compile(
    r"(?<!\S)[^\W\d_](?:\s[^\W\d_]){2,}(?!\S)|\S\s[^\W\d_]\s[^\W\d_](?!\S)|(?<!\S)[A-Z]\s(?=[a-zà-ÿ]{4})"
)


def is_misread(name: str) -> bool:
    """Whether some letters of a name were read as words because of the room between them ("MIRADOR D E L RIO",
    "T hornbury"), or two names as one, in which a word then follows itself ("Trattoria da Akme" over "AKME s.a.s.").
    Initials in front of a name are none of these: "J R Smith"."""
    is_joined = any(one == other for one, other in pairwise(plain(name).split()))
    return is_joined or _LETTERS_APART.search(name) is not None
