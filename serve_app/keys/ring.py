"""The keys of one kind that a process has: the first is for new things, the others for what is there."""

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from serve_app.domain.user_error import UserError

Keys = Callable[[], Sequence[str]]
"""The keys at this moment, the current one first."""
LOOK_SECONDS = 1.0
"""How often a file of keys is looked at, at most."""

log = logging.getLogger(__name__)


class KeyRing:
    """Keys that change with their file, so that a key can be replaced without a restart. What the file says counts only
    if it has one of the keys of before: otherwise it is another deployment's."""

    def __init__(self, given: str, path: Path | None, read: Callable[[str], Sequence[str]]) -> None:
        """`path` is None if the keys do not come from a file. `read` makes keys of a text; it raises UserError if they
        are malformed, in `given` as well."""
        self._keys = read(given)
        self._path = path
        self._read = read
        self._seen: tuple[int, int] | None = None
        self._looked_at = 0.0

    def __call__(self) -> Sequence[str]:
        now = time.monotonic()
        if self._path is not None and now >= self._looked_at + LOOK_SECONDS:
            self._looked_at = now
            self._look(self._path)
        return self._keys

    def _look(self, path: Path) -> None:
        try:
            status = path.stat()
            if (seen := (status.st_mtime_ns, status.st_ino)) == self._seen:
                return
            found = self._read(path.read_text(errors="replace"))
        except (OSError, UserError):
            # Not there, or half of it: the keys of before go on.
            return
        self._seen = seen
        if set(found) & set(self._keys) and list(found) != list(self._keys):
            log.info("keys were changed, and are read again", extra={"keys": len(found)})
            self._keys = found
