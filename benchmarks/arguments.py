"""Arguments that several benchmarks take."""

import argparse
from collections.abc import Callable, Collection


def some_of(names: Collection[str]) -> Callable[[str], list[str]]:
    """The type of an argument with one or more of these names, separated by commas."""

    def chosen(text: str) -> list[str]:
        found = text.split(",")
        if unknown := sorted(set(found) - set(names)):
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; there are {', '.join(names)}")
        return found

    return chosen
