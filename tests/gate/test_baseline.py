"""The baseline file: what is written reads as the same, and what it can't mean is told with its line."""

from datetime import date
from pathlib import Path

import pytest

from react_tck.gate.baseline import BaselineError, Entry, Section, format_baseline, parse_baseline, read_baseline

ENTRY = Entry(
    "LOOP-003", "Then … \\ ends", ('a row [1, "é"]', "a tab\tand \x7f"), "later", "https://i/1", date(2027, 1, 31)
)
SEEN = Entry("TOOL-003", "goes on too long", blocked=(("ERR-002", 3), ("ERR-003", 12), ("LOOP-001", 1)))
GOOD = """\
["my-react"]
profile = "core"
unsupported = ["ADP-001"]

[["my-react".failure]]
requirement = "LOOP-003"
fault = "goes on too long"
rows = ["one", "two"]
expires = 2027-01-31
"""


def test_what_is_written_reads_as_the_same() -> None:
    baseline = {
        "my-react": Section("core", (ENTRY, SEEN), frozenset({"ADP-001"})),
        'ano"ther': Section("all", (SEEN,)),
    }
    assert parse_baseline(format_baseline(baseline)) == baseline
    assert format_baseline(parse_baseline(format_baseline(baseline))) == format_baseline(baseline)


def test_an_older_file_with_values_in_its_faults_is_read() -> None:
    text = GOOD.replace("goes on too long", "the next LM request shows 'add result 1 ~cbc73235'")
    again = '[["my-react".failure]]\nrequirement = "LOOP-003"\nfault = "the next LM request shows 5"\n'
    assert {each.fault for each in parse_baseline(text + again)["my-react"].entries} == {"the next LM request shows …"}


def test_an_entry_knows_its_line_also_where_sections_are_mixed() -> None:
    text = f'{GOOD}\n[other]\nprofile = "core"\n\n[[other.failure]]\nrequirement = "ERR-001"\nfault = "f"\n'
    text += '\n[["my-react".failure]]\nrequirement = "ERR-002"\nfault = "g"\n'
    found = parse_baseline(text)
    assert [entry.line for entry in found["my-react"].entries] == [5, 18]
    assert [entry.line for entry in found["other"].entries] == [14]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("LOOP-003", "LOOP-033", "b.toml:6: there is no requirement 'LOOP-033'; did you mean 'LOOP-003'?"),
        ("ADP-001", "ADP-901", "b.toml:3: there is no requirement 'ADP-901'; did you mean 'ADP-001'?"),
        ("expires =", "expired =", "b.toml:9: an entry has no key 'expired'; did you mean 'expires'?"),
        (
            "2027-01-31",
            '"31.1.2027"',
            "b.toml:9: expires = '31.1.2027'; it is a day, such as expires = 2027-01-31, without quotes.",
        ),
        ("2027-01-31", "2027-02-31", "b.toml: this is not TOML: Invalid date or datetime (at line 9, column 11)."),
        (
            '"one", "two"',
            '"one", "one"',
            "b.toml:5: LOOP-003, row 'one': line 5 lists it already; a failure is listed once.",
        ),
        ('rows = ["one", "two"]', 'rows = "one"', "b.toml:8: rows = 'one'; it is a list of texts."),
        (
            'rows = ["one", "two"]',
            'blocked = ["ERR-001 two"]',
            "b.toml:8: blocked: 'ERR-001 two' is no requirement with its number of rows, such as \"LOOP-001 3\".",
        ),
        (
            'rows = ["one", "two"]',
            'blocked = ["LOOP-033 2"]',
            "b.toml:8: there is no requirement 'LOOP-033'; did you mean 'LOOP-003'?",
        ),
        ('fault = "goes on too long"\n', "", 'b.toml:5: the entry needs a text fault = "...".'),
        ('"core"', '"cor"', "b.toml:2: there is no profile 'cor'; did you mean 'core'?"),
        ('profile = "core"\n', "", 'b.toml: ["my-react"] needs a profile; there are '),
        (
            "unsupported =",
            "unsuported =",
            "b.toml:3: [\"my-react\"] has no key 'unsuported'; did you mean 'unsupported'?",
        ),
        ("[[", "<<<<<<< ours\n[[", "b.toml:5: '<<<<<<<' is left of a merge; keep one side, or write the file anew."),
        (
            '["my-react"]\n',
            'mine = 1\n["my-react"]\n',
            'b.toml: mine is a subject\'s section: write ["mine"] and its keys below.',
        ),
    ],
)
def test_a_mistake_is_told_with_its_line(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(BaselineError) as raised:
        parse_baseline(GOOD.replace(old, new, 1), "b.toml")
    assert str(raised.value).startswith(message)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_bytes(b'["a"]\xff')
    with pytest.raises(BaselineError, match=r"b\.toml is not UTF-8: invalid start byte at byte 5, in line 1\."):
        read_baseline(tmp_path / "b.toml")
    with pytest.raises(BaselineError, match=r"can't be read: Is a directory\."):
        read_baseline(tmp_path)
