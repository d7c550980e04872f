"""The table of all deviations in docs/FINDINGS.md: `python -m tests.support.deviation_table` writes it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from react_tck.subjects.config import FILE, read_config
from react_tck.subjects.libraries.deviations import DEVIATIONS

ROOT = Path(__file__).parents[2]
FINDINGS = ROOT / "docs" / "FINDINGS.md"
_BEGIN, _END = "<!-- deviations -->\n", "<!-- /deviations -->\n"

Deviations = Mapping[str, Sequence[str]]


def list_deviations() -> Iterator[tuple[str, Deviations]]:
    """Those of each library's adapter, and of each port, by its name."""
    yield from DEVIATIONS.items()
    for file in sorted((ROOT / "ports").glob(f"*/{FILE}")):
        yield f"port {file.parent.name}", read_config(file).deviations


def render_table() -> str:
    """A row for each deviation, with the harnesses that have it and what isn't judged by it."""
    who: dict[tuple[str, str], list[str]] = {}
    for name, deviations in list_deviations():
        for what, unjudged in deviations.items():
            who.setdefault((what, ", ".join(unjudged)), []).append(name)
    rows = [
        f"| {', '.join(dict.fromkeys(names))} | {what} | {unjudged or '–'} |" for (what, unjudged), names in who.items()
    ]
    return "\n".join(["| harness | deviation | not judged |", "|---|---|---|", *rows, ""])


def with_table(text: str, table: str) -> str:
    """The page with that table between its marks."""
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{table}\n{_END}{after}"


if __name__ == "__main__":
    FINDINGS.write_text(with_table(FINDINGS.read_text(encoding="utf-8"), render_table()), encoding="utf-8")
