"""Fail for Python files of more than 600 lines; ask to split those of more than 400. Written files do not count."""

import sys
from pathlib import Path

WARN_LINES = 400
FAIL_LINES = 600
# What the first line of a file says that a program writes.
WRITTEN = "Written by `"


def main(folders: list[str]) -> int:
    """Check every Python file below `folders`; the exit code."""
    too_long = False
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) > WARN_LINES and WRITTEN not in lines[0]:
            too_long |= len(lines) > FAIL_LINES
            too_many = f", more than {FAIL_LINES}" if len(lines) > FAIL_LINES else "; split it?"
            print(f"{path}: {len(lines)} lines{too_many}")
    return int(too_long)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
