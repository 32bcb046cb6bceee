"""Usage: python -m benchmarks.mail rates | beside | kills [--mails N] | fuzz [--mails N] | postfix [--mails N] |
turns [--mails N]; each [--seed N]. 1 if a promise is broken."""

import argparse
import asyncio
import sys

from benchmarks.mail import fuzz, kills, rates, relayed, turns

RUNS = {
    "rates": rates.run,
    "beside": rates.run_beside,
    "kills": kills.run,
    "fuzz": fuzz.run,
    "postfix": relayed.run,
    "turns": turns.run,
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=RUNS)
    parser.add_argument("--mails", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    return 0 if asyncio.run(RUNS[arguments.what](arguments.mails, arguments.seed)) else 1


if __name__ == "__main__":
    sys.exit(main())
