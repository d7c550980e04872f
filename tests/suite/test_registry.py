"""The registry: the shipped one is complete, a broken one is refused with file, line, value and advice."""

import re
from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from react_tck.model.requirement import Choice, Requirement
from react_tck.suite.registry import DEFAULT_PATH, Registry, RegistryError, load_registry

REGISTRY = """\
revision = 1

[sources]
S4 = "004, the specification"

[[requirement]]
id = "LOOP-001"
level = "MUST"
profile = "core"
sentence = "The tool runs once."
source = "S4 R2.1"
since = 1

[[requirement]]
id = "LOOP-002"
level = "SHOULD"
profile = "core"
sentence = "The result is shown."
source = "S4 R2.1"
since = 1

[[choice]]
name = "unknown-tool"
variants = ["observe", "error"]
"""


@pytest.fixture(name="shipped")
def _shipped() -> Registry:
    return load_registry()


def _load(tmp_path: Path, text: str) -> Registry:
    path = tmp_path / "requirements.toml"
    path.write_text(text, encoding="utf-8")
    return load_registry(path)


# The shipped registry


def test_shipped_registry_holds_every_requirement_of_every_profile(shipped: Registry) -> None:
    assert {profile: len(rows) for profile, rows in shipped.by_profile.items()} == {
        "core": 48,
        "sanitizer": 11,
        "robustness": 23,
        "conversation": 13,
        "transcript": 16,
        "confirmation": 12,
        "udspy": 5,
        "upstream": 5,
    }
    assert len(shipped.by_id) == len(shipped.requirements) == 133


def test_shipped_levels_are_those_of_the_catalogue(shipped: Registry) -> None:
    should = {row.id for row in shipped.requirements if row.level == "SHOULD"}
    assert should == {
        *("SIG-005", "SIG-006", "SIG-007", "STEP-005", "TOOL-001", "TOOL-002", "TOOL-004", "TOOL-005"),
        *("ERR-007", "ISO-002", "TRN-012"),
        *("EXT-005", "HIS-003", "ERR-014", "ERR-015", "OBS-001"),
    }
    assert {row.id for row in shipped.requirements if row.level == "MAY"} == {"LOOP-009", "TRN-007"}


def test_shipped_row_is_read_exactly(shipped: Registry) -> None:
    assert shipped.by_id["LOOP-001"] == Requirement(
        id="LOOP-001",
        level="MUST",
        profile="core",
        sentence=(
            "On a step with next_tool_name and next_tool_args, "
            "the named tool is executed exactly once with exactly those args."
        ),
        source="S4 R2.1",
        since=1,
    )


def test_shipped_row_that_is_a_choice_says_so_in_its_note(shipped: Registry) -> None:
    row = shipped.by_id["LOOP-008"]
    assert (row.level, row.note) == ("MUST", "The number is the choice `max-steps-default`.")


def test_only_what_revision_2_added_may_wait_for_its_scenarios(shipped: Registry) -> None:
    for row in shipped.requirements:
        assert row.pending in (None, *(["Its scenarios are to come."] if row.since == 2 else [])), row.id
        assert row.excluded is None


def test_rows_that_revision_2_made_precise_still_have_their_earlier_sentence(shipped: Registry) -> None:
    revised = [row for row in shipped.requirements if row.revised]
    assert {row.id for row in revised} >= {"ERR-001", "ERR-002", "ERR-003", "ERR-004", "ERR-012", "LOOP-004"}
    for row in revised:
        assert (row.since, row.revised) == (1, 2)
        assert row.earlier != row.sentence


def test_ids_of_an_area_are_consecutive_so_that_none_was_dropped(shipped: Registry) -> None:
    numbers = Counter(row.area for row in shipped.requirements)
    expected = [f"{area}-{number:03}" for area, count in numbers.items() for number in range(1, count + 1)]
    assert [row.id for row in shipped.requirements] == expected


def test_sentences_are_whole_and_leave_the_level_to_the_registry(shipped: Registry) -> None:
    for row in shipped.requirements:
        assert row.sentence.endswith("."), row.id
        assert not re.search(r"\b(MUST|SHOULD|MAY|SHALL)\b", row.sentence), row.id


def test_choices_that_rows_speak_of_exist(shipped: Registry) -> None:
    spoken_of = re.compile(r"choice `([^`]+)`")
    texts = " ".join(f"{row.sentence} {row.note or ''}" for row in shipped.requirements)
    assert len(shipped.choices_by_name) == 22
    assert set(spoken_of.findall(texts)) <= set(shipped.choices_by_name)
    assert shipped.choices_by_name["tool-error"].variants == ("observe", "error")


def test_shipped_sources_are_the_five_documents_and_the_revision(shipped: Registry) -> None:
    assert list(shipped.sources) == ["S0", "S1", "S2", "S3", "S4", "S4+"]
    assert shipped.revision == 2


def test_line_of_a_row_is_known(shipped: Registry) -> None:
    line = shipped.lines["ERR-007"]
    text = DEFAULT_PATH.read_text(encoding="utf-8").splitlines()
    assert text[line - 1 : line + 1] == ["[[requirement]]", 'id = "ERR-007"']


def test_shipped_registry_is_read_once() -> None:
    assert load_registry() is load_registry()


# A registry of one's own


def test_registry_is_read_from_a_path(tmp_path: Path) -> None:
    registry = _load(tmp_path, REGISTRY)
    assert list(registry.by_id) == ["LOOP-001", "LOOP-002"]
    assert registry.lines == {"LOOP-001": 6, "LOOP-002": 14}
    assert registry.choices_by_name["unknown-tool"].variants == ("observe", "error")


def test_registry_is_frozen(tmp_path: Path) -> None:
    registry = _load(tmp_path, REGISTRY)
    with pytest.raises(AttributeError):
        registry.revision = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        registry.by_id["LOOP-001"] = registry.by_id["LOOP-002"]  # type: ignore[index]


BROKEN = {
    "duplicate id": (
        ('id = "LOOP-002"', 'id = "LOOP-001"'),
        (15, "id 'LOOP-001' is already taken in line 7; an id is given once and for all"),
    ),
    "unknown level": (
        ('level = "SHOULD"', 'level = "SHALL"'),
        (16, "requirement LOOP-002: level = 'SHALL': Input should be 'MUST', 'SHOULD' or 'MAY'"),
    ),
    "unknown profile": (
        ('profile = "core"\nsentence = "The result', 'profile = "kernel"\nsentence = "The result'),
        (17, "requirement LOOP-002: profile = 'kernel': Input should be 'core', 'sanitizer', 'robustness'"),
    ),
    "malformed id": (
        ('id = "LOOP-002"', 'id = "LOOP-2"'),
        (15, "id = 'LOOP-2': an id is three or four capitals, a hyphen and three digits, like LOOP-001"),
    ),
    "empty sentence": (
        ('sentence = "The result is shown."', 'sentence = ""'),
        (18, "requirement LOOP-002: sentence = '': a text is not empty"),
    ),
    "missing key": (
        ('sentence = "The result is shown."\n', ""),
        (14, "requirement LOOP-002: the key 'sentence' is missing"),
    ),
    "misspelt key": (
        ("since = 1\n\n[[choice]]", 'since = 1\npendign = "later"\n\n[[choice]]'),
        (21, "there is no key 'pendign'; the keys are id, level, profile"),
    ),
    "pending and excluded": (
        ("since = 1\n\n[[choice]]", 'since = 1\npending = "later"\nexcluded = "never"\n\n[[choice]]'),
        (14, "requirement LOOP-002: a requirement is pending or excluded, not both"),
    ),
    "unknown source": (
        ('source = "S4 R2.1"\nsince = 1\n\n[[choice]]', 'source = "S4, S9"\nsince = 1\n\n[[choice]]'),
        (19, "requirement LOOP-002: source 'S9' is not in [sources]; it lists S4"),
    ),
    "row from the future": (
        ("since = 1\n\n[[choice]]", "since = 2\n\n[[choice]]"),
        (20, "requirement LOOP-002: since = 2; the revision is 1"),
    ),
    "sentence from the future": (
        ("since = 1\n\n[[choice]]", 'since = 1\nrevised = 2\nearlier = "So it was."\n\n[[choice]]'),
        (21, "requirement LOOP-002: revised = 2; the revision is 1"),
    ),
    "revised before it was there": (
        ("since = 1\n\n[[choice]]", 'since = 2\nrevised = 2\nearlier = "So it was."\n\n[[choice]]'),
        (14, "requirement LOOP-002: a sentence is made precise in a later revision than its row first appeared in"),
    ),
    "revised without the earlier sentence": (
        ("since = 1\n\n[[choice]]", "since = 1\nrevised = 2\n\n[[choice]]"),
        (14, "requirement LOOP-002: `revised` and `earlier` stand together"),
    ),
    "revision that is no number": (
        ("revision = 1", 'revision = "one"'),
        (1, "revision is 'one'; it is the number of the requirement set, 1 or more"),
    ),
    "no sources": (
        ('[sources]\nS4 = "004, the specification"\n', ""),
        (None, "the table [sources] gives each source key its title"),
    ),
    "unknown table": (
        ("[[choice]]", "[[choise]]"),
        (22, "the registry has no key or table 'choise'; it has revision, sources, requirement, choice"),
    ),
    "misnamed choice": (
        ('name = "unknown-tool"', 'name = "Unknown tool"'),
        (23, "choice Unknown tool: name = 'Unknown tool': a choice is named in lower-case words"),
    ),
    "choice of nothing": (
        ('["observe", "error"]', "[]"),
        (24, "choice unknown-tool: variants = []: Tuple should have at least 1 item"),
    ),
    "choice with one variant twice": (
        ('["observe", "error"]', '["error", "error"]'),
        (22, "choice unknown-tool: the variants of a choice differ"),
    ),
    "header inside a text": (
        ('"The tool runs once."', '"""\n[[requirement]]\n"""'),
        (None, "each requirement is a [[requirement]] table of its own, with its header on a line alone"),
    ),
    "broken TOML": (
        ("since = 1\n\n[[choice]]", "since = \n\n[[choice]]"),
        (20, "this is not TOML"),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_registry_is_refused(name: str, tmp_path: Path) -> None:
    (old, new), (line, message) = BROKEN[name]
    assert REGISTRY.count(old) == 1
    with pytest.raises(RegistryError) as caught:
        _load(tmp_path, REGISTRY.replace(old, new))
    assert caught.value.file == tmp_path / "requirements.toml"
    assert caught.value.line == line
    assert message in caught.value.message


def test_error_is_printed_with_file_and_line(tmp_path: Path) -> None:
    with pytest.raises(RegistryError) as caught:
        _load(tmp_path, REGISTRY.replace('"SHOULD"', '"SHALL"'))
    assert str(caught.value).startswith(f"{tmp_path}/requirements.toml:16: requirement LOOP-002: level")


def test_registry_without_requirements_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match=r"there is no \[\[requirement\]\] row"):
        _load(tmp_path, 'revision = 1\n[sources]\nS4 = "004"\n')


def test_missing_registry_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match=r"absent\.toml: the registry can't be read: .*No such file"):
        load_registry(tmp_path / "absent.toml")


def test_registry_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "requirements.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(RegistryError, match="the registry can't be read: 'utf-8' codec"):
        load_registry(path)


# The models


def test_requirement_is_frozen(shipped: Registry) -> None:
    with pytest.raises(ValidationError):
        shipped.by_id["LOOP-001"].level = "MAY"  # type: ignore[misc]


@pytest.mark.parametrize("id_", ["LOOP-001", "SIG-001"])
def test_areas_have_three_or_four_letters(id_: str, shipped: Registry) -> None:
    assert shipped.by_id[id_].area == id_.split("-")[0]


def test_requirement_needs_a_scenario_unless_it_is_a_sanitizer_or_put_off(shipped: Registry) -> None:
    assert shipped.by_id["LOOP-001"].needs_scenario
    assert not shipped.by_id["SAN-001"].needs_scenario
    assert not shipped.by_id["LOOP-001"].model_copy(update={"pending": "later"}).needs_scenario


def test_choice_may_have_a_note() -> None:
    assert Choice(name="x", variants=("a",), note="why").note == "why"


@pytest.mark.parametrize(
    ("choice", "variant", "allowed"),
    [
        ("malformed-reply", "retries 0, then observe", True),
        ("malformed-reply", "retries 12, then error", True),
        ("malformed-reply", "observe", False),
        ("malformed-reply", "retries n, then observe", False),
        ("max-steps-default", "20", True),
        ("max-steps-default", "many", False),
        ("unknown-tool", "observe and continue", True),
        ("unknown-tool", "observe", False),
        ("extraction", "chain-of-thought, or none (submit)", True),
        ("extraction", "chain-of-thought, or else", False),
        ("repeated-field", "last", True),
        ("repeated-field", "first in chat, or last in json", True),
        ("repeated-field", "none in chat", False),
        ("tool-error", "observe in chat", False),
    ],
)
def test_a_choice_knows_its_variants(choice: str, variant: str, allowed: bool) -> None:
    assert load_registry().choices_by_name[choice].allows(variant) is allowed
