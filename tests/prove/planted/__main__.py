"""`python -m tests.prove.planted [--write | --fuzz N] [NAME...]`: what is found of the planted faults, and by what."""

import argparse
import sys

from tests.prove.planted import faults
from tests.prove.planted.measure import by_fuzz, by_suite, write


def main() -> int:
    """Print a line a fault, and how many are found; 1 if any is missed."""
    arguments = argparse.ArgumentParser(prog="python -m tests.prove.planted", description=__doc__)
    arguments.add_argument("--fuzz", type=int, metavar="N", help="the fuzzer alone, with N examples, not the suite")
    arguments.add_argument("--write", action="store_true", help="keep what the suite finds in found.json")
    arguments.add_argument("names", nargs="*", metavar="NAME", help="these faults (default all)")
    said = arguments.parse_args()
    names = said.names or list(faults())
    found = []
    for each in by_fuzz(names, said.fuzz) if said.fuzz else by_suite(names):
        found += [each] if each.requirement else []
        told = " ".join((each.requirement, each.where, *each.violated)) if each.requirement else "MISSED"
        print(f"{each.fault:40} {told}", flush=True)
    print(f"{len(found)} of {len(names)} found")
    if said.write and not said.fuzz:
        write(found)
    return 0 if len(found) == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
