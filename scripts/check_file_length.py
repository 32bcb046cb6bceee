"""Fail for Python files of more than 400 lines. Files that a program writes do not count."""

import sys
from pathlib import Path

MAX_LINES = 400
# What the first line of a file says that a program writes.
WRITTEN = "Written by `"


def main(folders: list[str]) -> int:
    """Check every Python file below `folders`; the exit code."""
    too_long = False
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) > MAX_LINES and WRITTEN not in lines[0]:
            too_long = True
            print(f"{path}: {len(lines)} lines, more than {MAX_LINES}")
    return int(too_long)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
