"""What the operator decides."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Options:
    """How the server serves agents."""

    folders: Collection[Path] = ()
    """Documents are read from these folders only. Without any, from the folders that the client names (its roots)."""
    asks_always: bool = False
    """Ask a person before each action, also if all values are certain."""
    approvers: Collection[str] = ()
    """Addresses (`boss@example.com`) and domains (`@example.com`) that are asked for approval without a question."""
    is_remote: bool = False
    """Agents are on other machines, so that the folders that they name are not on this one."""
