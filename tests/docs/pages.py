"""The pages of the documentation as tests see them: their text, headings and links."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
RECORDS = DOCS / "adr"
_CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def markdown_files() -> list[Path]:
    """Every Markdown file of the repository."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in done.stdout.splitlines() if (path := ROOT / name).exists()]


def links_of(page: Path) -> list[str]:
    """Targets of links and pictures, without those to other hosts."""
    targets = re.findall(r"\]\(([^)\s]+)\)", _CODE.sub("", page.read_text()))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def anchors_of(page: Path) -> set[str]:
    """What a link may name behind `#`: each heading in lower case, with dashes for spaces and without punctuation."""
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
