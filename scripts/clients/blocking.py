"""The blocking half of the Python client, translated from the asynchronous one."""

import re

from scripts.clients.formatting import formatted

# Each name of the asynchronous half, and what it is called in the blocking one.
_RENAMED = {
    r"async (def|with|for)\b": r"\1",
    r"\bawait ": "",
    r"\bAsyncGenerator\[(\w+), None\]": r"Generator[\1, None, None]",
    r"\bAsync([A-Z]\w*)": r"\1",
    r"\bAwaitable\[(\w+)\]": r"\1",
    r"\b_async\b": "_sync",
    r"\b__a(enter|exit|iter)__": r"__\1__",
    r"\baclos(e|ing)\b": r"clos\1",
    r"\basynchronous\b": "blocking",
}


def blocking(code: str) -> str:
    """A module of `_async` as one of `_sync`."""
    for pattern, name in _RENAMED.items():
        code = re.sub(pattern, name, code)
    return formatted(code)
