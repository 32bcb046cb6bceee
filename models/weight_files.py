"""Whether safetensors files are complete. They are untrusted: read them in a process that can be killed."""

import json
from pathlib import Path

from models.config import ModelError, listed

# As safetensors itself allows.
_MOST_HEADER_BYTES = 100_000_000
_LENGTH_BYTES = 8


def check_weights(folder: Path) -> None:
    """Raise ModelError unless all weights are there, in files as long as their headers say."""
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelError(
            f"no weights in {folder}: no file there ends in .safetensors (pickles, such as pytorch_model.bin, are not"
            " taken, because they could run code)"
        )
    for file in files:
        _check_length(file)
    _check_parts(folder)


def _check_length(file: Path) -> None:
    """A header of JSON tells where each tensor lies: the last one ends with the file."""
    size = file.stat().st_size
    with file.open("rb") as opened:
        length = int.from_bytes(opened.read(_LENGTH_BYTES), "little")
        if not 0 < length <= min(_MOST_HEADER_BYTES, size - _LENGTH_BYTES):
            raise ModelError(f"{file} is truncated, or no file of safetensors: its header is not whole")
        header = opened.read(length)
    try:
        tensors = {name: each for name, each in json.loads(header).items() if name != "__metadata__"}
        end = max((int(each["data_offsets"][1]) for each in tensors.values()), default=0)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{file} is damaged: its header cannot be read ({type(error).__name__})") from error
    if _LENGTH_BYTES + length + end != size:
        raise ModelError(f"{file} is truncated or damaged: {size} bytes instead of {_LENGTH_BYTES + length + end}")


def _check_parts(folder: Path) -> None:
    """Large checkpoints are divided, with an index that names the parts."""
    for index in folder.glob("*.safetensors.index.json"):
        try:
            named = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ModelError(f"{index} is damaged ({type(error).__name__})") from error
        missing = sorted(name for name in map(str, named) if not (folder / name).is_file())
        if missing:
            raise ModelError(f"weights are missing in {folder}: {listed(missing)}, which {index.name} names")
