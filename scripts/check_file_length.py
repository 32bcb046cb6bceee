"""Fail for Python files of more than 600 lines; ask to split those of more than 400."""

import sys
from pathlib import Path

WARN_LINES = 400
FAIL_LINES = 600


def main(folders: list[str]) -> int:
    """Check every Python file below `folders`; the exit code."""
    too_long = False
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.py")):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > WARN_LINES:
            too_long |= lines > FAIL_LINES
            print(f"{path}: {lines} lines" + (f", more than {FAIL_LINES}" if lines > FAIL_LINES else "; split it?"))
    return int(too_long)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
