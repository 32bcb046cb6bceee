"""What a file key may look like, the same in every files store."""

import re

_KEY = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")


def check_key(key: str) -> None:
    """ValueError for a key outside of letters, digits, `_`, `-` and single slashes: so no key leaves its place."""
    if _KEY.fullmatch(key) is None:
        raise ValueError("not a file key")
