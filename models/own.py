"""Tell which checkpoints this project trained."""

from pathlib import Path

from models.encoding import COLUMN_GAP, NEW_LINE
from models.pieces import WordPieces


def is_own(checkpoint: Path) -> bool:
    """Whether the vocabulary contains the marks that only `models/training` adds.

    Its models were trained on words cut to a few pieces (`WordPieces`) and, without positions, on the marks.
    """
    if not (checkpoint / "tokenizer.json").is_file():
        return False
    try:
        return WordPieces(checkpoint).has(NEW_LINE, COLUMN_GAP)
    except ValueError:
        return False
