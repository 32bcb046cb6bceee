"""Networks of other people that a training begins with.

Each module of this package is one (`Base`), taken from a package of the package index.
"""

from models.training.bases.base import TOKENIZER_FILES, Base

__all__ = ["TOKENIZER_FILES", "Base"]
