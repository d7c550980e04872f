"""Text from subjects can't steer the terminal."""

from react_tck.reports.printing import escape_text


def test_control_characters_are_written_out() -> None:
    assert escape_text("a\x1b[2Jb\rc\x00") == "a\\x1b[2Jb\\rc\\x00"


def test_ordinary_text_stays() -> None:
    assert escape_text("line\n\tété 日本 🙂") == "line\n\tété 日本 🙂"
