"""Measures how a reader misreads: `invoices data misreadings TABLE REFERENCE PATTERN READ PATTERN ...`.

REFERENCE and READ are files of documents (`docs/how-to/train-models.md`): what is printed, and what was read.
Documents are paired if PATTERN's group finds the same text in both ids. Any number of such pairs of files can be
combined in one TABLE, from which the generator draws its reading errors
(`models/training/generator/core/misreadings.json`).
"""

import argparse
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Levenshtein

from models.training.box_shifts import Shifts, quantiles
from models.training.generator.core.letter_case import without_accents
from serve_app.domain.document import Box, Word, union
from serve_app.domain.reading_order import group_lines

# Lines less similar than this were not read from the same print.
_ALIKE = 0.6
# Differences longer than this, in characters, are different text rather than misreadings.
_LONGEST = 2
# If the reference is also a reading, only lines with at least this confidence are compared.
_SURE = 0.9


@dataclass
class Tally:
    """The counts. Reference texts in all capitals are compared case-insensitively."""

    seen: Counter[str] = field(default_factory=Counter)
    misread: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    added: Counter[str] = field(default_factory=Counter)
    spaces: Counter[str] = field(default_factory=Counter)
    merged: Counter[str] = field(default_factory=Counter)
    joints: Counter[str] = field(default_factory=Counter)
    split: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    sure: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    levels: list[float] = field(default_factory=list)
    spaceless: list[float] = field(default_factory=list)
    shifts: Shifts = field(default_factory=Shifts)


def kind(before: str, after: str) -> str:
    """What surrounds a space or cut: `letters` (and digits), or a `mark`."""
    return "letters" if before.isalnum() and after.isalnum() else "mark"


def size(word: str) -> str:
    """The length of a word, up to four characters; `mark` if it has neither letters nor digits."""
    return str(min(len(word), 4)) if any(char.isalnum() for char in word) else "mark"


def compare(reference: list[Word], read: list[Word], tally: Tally) -> None:
    """Counts the differences on a page, line by line; lines that were not found at all are ignored."""
    lines = [[reference[index] for index in line] for line in group_lines([word.box for word in reference])]
    boxes = [union(word.box for word in line) for line in lines]
    found: dict[int, list[Word]] = defaultdict(list)
    for word in read:
        line = _line_of(word.box, boxes)
        if line is not None:
            found[line].append(word)
    capitals = not any(char.islower() for word in reference for char in word.text)
    errors = seen = spaces = 0
    same: list[tuple[Word, Word]] = []
    merged = tally.merged.total()
    for number, words in found.items():
        if min(word.confidence for word in lines[number]) < _SURE:
            continue
        printed = " ".join(word.text for word in lines[number])
        words.sort(key=lambda word: word.box.x0)
        text = " ".join(word.text for word in words)
        if capitals:
            printed, text = printed.upper(), text.upper()
        if Levenshtein.normalized_similarity(printed, text) >= _ALIKE:
            errors += _count(printed, text, tally)
            seen += len(printed.replace(" ", ""))
            spaces += printed.count(" ")
            if len(words) == len(lines[number]):
                same += zip(lines[number], words, strict=True)
            _count_confidence(printed.split(), words, tally)
    tally.shifts.add([pair for pair in same if pair[0].text.casefold() == pair[1].text.casefold()])
    if seen:
        tally.levels.append(errors / seen)
    if spaces:
        tally.spaceless.append((tally.merged.total() - merged) / spaces)


def _line_of(box: Box, lines: list[Box]) -> int | None:
    """The line that contains the centre of `box`, with a tolerance of a quarter of a line."""
    near = [
        (abs(box.y_center - line.y_center), number)
        for number, line in enumerate(lines)
        if abs(box.y_center - line.y_center) <= line.height * 0.75
        and line.x0 - line.height <= box.x_center <= line.x1 + line.height
    ]
    return min(near)[1] if near else None


def _count_confidence(printed: list[str], read: list[Word], tally: Tally) -> None:
    for word in read:
        right = word.text.upper() in {text.upper() for text in printed}
        tally.sure["right" if right else "wrong"].append(word.confidence)


def _count(printed: str, text: str, tally: Tally) -> int:
    """Adds one line's differences; returns how many characters of the print were misread."""
    tally.seen.update(printed.replace(" ", ""))
    for before, char, after in zip(printed, printed[1:], printed[2:], strict=False):
        if char == " ":
            tally.spaces[kind(before, after)] += 1
    for before, after in pairwise(printed):
        if " " not in (before, after):
            tally.joints[kind(before, after)] += 1
    tally.words.update(size(word) for word in printed.split())
    return sum(_count_block(printed, text, block, tally) for block in _blocks(printed, text))


def _blocks(printed: str, text: str) -> list[list[int]]:
    """The stretches that differ, neighbours joined: start and end in the print, start and end in the text."""
    blocks: list[list[int]] = []
    for step in Levenshtein.opcodes(printed, text):
        if step.tag == "equal":
            continue
        if blocks and blocks[-1][1] == step.src_start and blocks[-1][3] == step.dest_start:
            blocks[-1][1::2] = step.src_end, step.dest_end
        else:
            blocks.append([step.src_start, step.src_end, step.dest_start, step.dest_end])
    return blocks


def _count_block(printed: str, text: str, block: list[int], tally: Tally) -> int:
    start, end, first, last = block
    source, target = printed[start:end], text[first:last]
    if source == without_accents(target):
        return 0  # the reader of the reference knows no accents
    around = printed[max(0, start - 1) : start] or " ", printed[end : end + 1] or " "
    if source == " " and not target:
        tally.merged[kind(*around)] += 1
    elif target == " " and not source:
        tally.split[kind(*around)] += 1
    elif not target and source.strip() != source:
        tally.lost.update(size(word) for word in source.split())
    elif not source and len(target) <= _LONGEST and " " not in target and target != ",":
        tally.added[target] += 1  # a comma: some publishers leave out what follows one
    elif source and len(source) <= _LONGEST and len(target) <= _LONGEST and " " not in source + target:
        pairs = zip(source, target, strict=True) if len(source) == len(target) else [(source[0], target)]
        for char, read in pairs:
            tally.misread[char][read] += 1
        return len(source)
    return 0


def table(tally: Tally) -> dict[str, Any]:
    """The rates: of each character misread, and as what; of spaces lost and inserted; of words lost, by length."""
    return {
        "characters": sum(tally.seen.values()),
        "documents": len(tally.levels),
        "misread": {
            char: [round(sum(found.values()) / tally.seen[char], 5), dict(found.most_common(8))]
            for char, found in sorted(tally.misread.items())
            if tally.seen[char]
        },
        "added": [round(sum(tally.added.values()) / sum(tally.seen.values()), 5), dict(tally.added.most_common(12))],
        "space lost": {kind: round(tally.merged[kind] / count, 4) for kind, count in sorted(tally.spaces.items())},
        "space made": {kind: round(tally.split[kind] / count, 5) for kind, count in sorted(tally.joints.items())},
        "word lost": {name: round(tally.lost[name] / count, 5) for name, count in sorted(tally.words.items())},
        "levels": _relative(tally.levels),
        "space levels": _relative(tally.spaceless),
        "confidence": {name: [round(each, 3) for each in quantiles(found)] for name, found in tally.sure.items()},
        "boxes": {name: [round(each, 3) for each in quantiles(found)] for name, found in tally.shifts.parts().items()},
    }


def _relative(values: list[float]) -> list[float]:
    """How much better or worse than average documents were read."""
    mean = sum(values) / max(1, len(values)) or 1.0
    return [round(value / mean, 3) for value in quantiles(values)]


def _documents(path: Path, pattern: str) -> dict[str, list[Word]]:
    """The words of each one-page document, by the text that the group of `pattern` finds in its id."""
    documents = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            found = re.search(pattern, record["id"])
            if found and len(record["pages"]) == 1:
                words = record["pages"][0]["words"]
                documents[found[1]] = [Word(w["text"], Box(*w["box"]), w.get("confidence", 1.0)) for w in words]
    return documents


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(prog="invoices data misreadings", description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("files", nargs="+", metavar="REFERENCE PATTERN READ PATTERN")
    options = parser.parse_args(arguments)
    tally = Tally()
    for start in range(0, len(options.files), 4):
        reference, first, read, second = options.files[start : start + 4]
        texts = _documents(Path(read), second)
        for key, words in _documents(Path(reference), first).items():
            if key in texts:
                compare(words, texts[key], tally)
    options.table.write_text(json.dumps(table(tally), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
