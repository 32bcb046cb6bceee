"""Two ways to sample the same generator, so that the two models trained on it do not share their blind spots."""

from enum import StrEnum
from zlib import crc32


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

    def skips(self, *names: str) -> bool:
        """Whether the profile never makes a named choice. The extractor makes all of them."""
        return self is Profile.VERIFIER and crc32("/".join(names).encode()) % 6 == 0
