"""What a file key may look like, the same in every files store."""

import re

_KEY = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")


def check_key(key: str) -> None:
    """Raises ValueError if the key contains anything but letters, digits, `_`, `-` and single slashes: so no key can
    point outside the store."""
    if _KEY.fullmatch(key) is None:
        raise ValueError("not a file key")
