"""Two ways to sample the same generator, so that the two models trained on it do not share blind spots."""

from enum import StrEnum
from zlib import crc32

_SHUNNED = 0.3


class Profile(StrEnum):
    EXTRACTOR = "extractor"
    VERIFIER = "verifier"

    @property
    def noise_share(self) -> float:
        """The share of documents that look as if read by OCR."""
        return 0.35 if self is Profile.EXTRACTOR else 0.5

    def weight(self, *names: str) -> float:
        """A weight from 0.4 to 1.6 for a named choice: stable, and unrelated between the profiles."""
        return 0.4 + (crc32("/".join((self.value, *names)).encode()) % 1000) / 833

    def liking(self, family: str) -> float:
        """A family's weight: a sixth of the families are rare in one profile, another sixth in the other."""
        shunned = crc32(f"family/{family}".encode()) % 6 == (0 if self is Profile.EXTRACTOR else 1)
        return _SHUNNED if shunned else self.weight(family)

    def skips(self, *names: str) -> bool:
        """Whether the profile never makes a named choice: none is skipped by both."""
        rest = crc32("/".join(names).encode()) % 12
        return rest in (0, 1) if self is Profile.VERIFIER else rest == 2
