"""Whether two checkouts of the kit come to the same verdicts: what a change of structure has to show.

    python -m benchmarks.verdicts write DIR [SUBJECT…]     what this checkout says, a file a subject
    python -m benchmarks.verdicts compare DIR DIR [--titles FILE]

`write` says of each subject how the run and, of the reference, how fuzzing ended. Run it in both checkouts with one
interpreter. `compare` prints every difference and exits with 1 if there is one. `--titles` is a JSON object of old and
new scenario titles: nonces are made from titles, so the texts in the messages are compared only without it.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

SUBJECTS = (
    *("reference", "reference-transcript", "reference-conversation", "reference-udspy"),
    *("dspy", "udspy", "dspy-v2", "machina", "smolagents", "langchain", "langchain-classic", "pydantic-ai"),
    *("mutant:tool-run-twice", "mutant:finish-does-not-stop", "mutant:call-repeated", "mutant:nearest-tool-run"),
    *("mutant:unknown-name-lost", "-- perl ports/perl/harness.pl", "-- node ports/ax/harness.mjs"),
)
_FUZZ = ("fuzz", "reference", "--examples", "3000")

Said = dict[str, Any]


def write(folder: Path, subjects: Sequence[str]) -> None:
    """Play every subject, and write its report; and what fuzzing the reference prints, if it is one of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for subject in subjects:
        report = folder / f"{_file_name(subject)}.json"
        workers = [] if subject.startswith("-- ") else ["-n", "2"]
        _kit(["run", "--profile", "all", *workers, "--json", str(report), *subject.split()])
        print(report.name, flush=True)
    if "reference" in subjects:
        (folder / "fuzz.txt").write_text(_kit(_FUZZ), encoding="utf-8")


def compare(one: Path, other: Path, titles: Mapping[str, str] | None) -> Iterator[str]:
    """Yield every difference, a line each."""
    names = {path.name for path in (*one.iterdir(), *other.iterdir()) if path.suffix in (".json", ".txt")}
    for name in sorted(names):
        if not (one / name).exists() or not (other / name).exists():
            yield f"{name}: only in one of the two"
        elif name.endswith(".txt"):
            if (one / name).read_text(encoding="utf-8") != (other / name).read_text(encoding="utf-8"):
                yield f"{name}: the texts differ"
        else:
            before, after = (json.loads((folder / name).read_text(encoding="utf-8")) for folder in (one, other))
            yield from (f"{name}: {line}" for line in _differences(before, after, titles))


def _differences(before: Said, after: Said, titles: Mapping[str, str] | None) -> Iterator[str]:
    for part in ("ledger", "declared", "choices"):
        if before[part] != after[part]:
            yield f"{part}: {before[part]} became {after[part]}"
    rows, now = (dict(_rows(report, names)) for report, names in ((before, titles), (after, None)))
    for row in sorted(rows.keys() | now.keys()):
        was, is_ = rows.get(row, ("not there", "")), now.get(row, ("not there", ""))
        if was[0] != is_[0]:
            yield f"{row}: {was[0]} became {is_[0]}"
        elif titles is None and was[1] != is_[1]:
            yield f"{row}: another message"


def _rows(report: Said, titles: Mapping[str, str] | None) -> Iterator[tuple[str, tuple[str, str]]]:
    """Verdict and message of every requirement, scenario and departure, by what it is."""
    for requirement in report["requirements"]:
        yield requirement["id"], (requirement["verdict"], "")
        for part in ("scenarios", "departures"):
            told: dict[str, int] = {}
            for scenario in requirement[part]:
                base, bracket, values = scenario["title"].partition(" [")
                title = f"{(titles or {}).get(base, base)}{bracket}{values}"
                told[title] = told.get(title, 0) + 1
                key = f"{requirement['id']} {part} {title} #{told[title]}"
                yield key, (scenario["verdict"], scenario["message"])


def _file_name(subject: str) -> str:
    return subject.removeprefix("-- ").replace(":", "-").replace("/", "-").replace(" ", "-")


def _kit(arguments: Sequence[str]) -> str:
    command = [sys.executable, "-m", "react_tck", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def main() -> int:
    """As the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts")
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write")
    writing.add_argument("folder", type=Path)
    writing.add_argument("subjects", nargs="*", default=SUBJECTS)
    comparing = commands.add_parser("compare")
    comparing.add_argument("one", type=Path)
    comparing.add_argument("other", type=Path)
    comparing.add_argument("--titles", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "write":
        write(arguments.folder, arguments.subjects)
        return 0
    titles = json.loads(arguments.titles.read_text(encoding="utf-8")) if arguments.titles else None
    differences = list(compare(arguments.one, arguments.other, titles))
    print("\n".join(differences) or "no difference")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
