"""A registry is read from a file; a broken one is refused with file, line, value and advice."""

from pathlib import Path

import pytest

from react_tck.catalogue.registry import Registry, RegistryError, load_registry

REGISTRY = """\
revision = 1

[sources]
S4 = "004, the specification"

[[requirement]]
id = "LOOP-001"
level = "MUST"
profile = "core"
sentence = "The tool runs once."
basis = "stated"
quote = "so it is said"
where = "S4 R2.1"
since = 1

[[requirement]]
id = "LOOP-002"
level = "SHOULD"
profile = "core"
sentence = "The result is shown."
basis = "stated"
quote = "so it is said"
where = "S4 R2.1"
since = 1

[[choice]]
name = "unknown-tool"
variants = ["observe", "error"]
"""


def _load(tmp_path: Path, text: str) -> Registry:
    path = tmp_path / "requirements.toml"
    path.write_text(text, encoding="utf-8")
    return load_registry(path)


# A registry of one's own


#: What stands before the basis of the first row alone.
_FIRST_ROW = 'sentence = "The tool runs once."\n'

BROKEN = {
    "duplicate id": (
        ('id = "LOOP-002"', 'id = "LOOP-001"'),
        (17, "id 'LOOP-001' is already taken in line 7; an id is given once and for all"),
    ),
    "unknown level": (
        ('level = "SHOULD"', 'level = "SHALL"'),
        (18, "requirement LOOP-002: level = 'SHALL': Input should be 'MUST', 'SHOULD' or 'MAY'"),
    ),
    "unknown profile": (
        ('profile = "core"\nsentence = "The result', 'profile = "kernel"\nsentence = "The result'),
        (19, "requirement LOOP-002: profile = 'kernel': Input should be 'core', 'sanitizer', 'robustness'"),
    ),
    "malformed id": (
        ('id = "LOOP-002"', 'id = "LOOP-2"'),
        (17, "id = 'LOOP-2': an id is three or four capitals, a hyphen and three digits, like LOOP-001"),
    ),
    "empty sentence": (
        ('sentence = "The result is shown."', 'sentence = ""'),
        (20, "requirement LOOP-002: sentence = '': a text is not empty"),
    ),
    "missing key": (
        ('sentence = "The result is shown."\n', ""),
        (16, "requirement LOOP-002: the key 'sentence' is missing"),
    ),
    "misspelt key": (
        ("since = 1\n\n[[choice]]", 'since = 1\npendign = "later"\n\n[[choice]]'),
        (25, "there is no key 'pendign'; the keys are basis, level, severity"),
    ),
    "pending and excluded": (
        ("since = 1\n\n[[choice]]", 'since = 1\npending = "later"\nexcluded = "never"\n\n[[choice]]'),
        (16, "requirement LOOP-002: a requirement is pending or excluded, not both"),
    ),
    "unknown source": (
        ('where = "S4 R2.1"\nsince = 1\n\n[[choice]]', 'where = "S9, R1"\nsince = 1\n\n[[choice]]'),
        (23, "requirement LOOP-002: source 'S9' is not in [sources]; it lists S4"),
    ),
    "row from the future": (
        ("since = 1\n\n[[choice]]", "since = 2\n\n[[choice]]"),
        (24, "requirement LOOP-002: since = 2; the revision is 1"),
    ),
    "split from what isn't older": (
        ("since = 1\n\n[[choice]]", 'since = 1\nsplit_from = "LOOP-001"\n\n[[choice]]'),
        (25, "requirement LOOP-002: split_from = 'LOOP-001'; it names an older requirement"),
    ),
    "nobody says so": (
        (
            'basis = "stated"\nquote = "so it is said"\nwhere = "S4 R2.1"\nsince = 1\n\n[[choice]]',
            "since = 1\n[[choice]]",
        ),
        (
            16,
            "requirement LOOP-002: nobody says so: a row has a `basis` (stated, follows or practice), or is `retired`",
        ),
    ),
    "stated without a quote": (
        ('quote = "so it is said"\nwhere = "S4 R2.1"\nsince = 1\n\n[[choice]]', "since = 1\n[[choice]]"),
        (16, "what is of the basis 'stated' has 'level', 'quote' and 'where'; there is no 'quote'"),
    ),
    "stated with a harm": (
        ("since = 1\n\n[[choice]]", 'since = 1\nharm = "It hurts."\n\n[[choice]]'),
        (16, "what is of the basis 'stated' has 'level', 'quote' and 'where', and no 'harm'"),
    ),
    "follows without a because": (
        (f'{_FIRST_ROW}basis = "stated"', f'{_FIRST_ROW}basis = "follows"'),
        (6, "what is of the basis 'follows' has 'level', 'quote', 'where' and 'because'; there is no 'because'"),
    ),
    "practice that is a MUST": (
        (f'{_FIRST_ROW}basis = "stated"', f'{_FIRST_ROW}severity = "major"\nharm = "It hurts."\nbasis = "practice"'),
        (6, "what is of the basis 'practice' has 'severity' and 'harm', and no 'level'"),
    ),
    "retired and a MUST": (
        ("since = 1\n\n[[choice]]", "since = 1\nretired = 3\n\n[[choice]]"),
        (16, "what is retired has no basis, no level and no severity"),
    ),
    "elsewhere without a basis": (
        ("since = 1\n\n[[choice]]", 'since = 1\nelsewhere = { level = "MAY" }\n\n[[choice]]'),
        (16, "`elsewhere` is a ground of its own, beside one that binds a system only"),
    ),
    "elsewhere by an unknown source": (
        (
            "since = 1\n\n[[choice]]",
            'since = 1\nelsewhere = { basis = "stated", level = "MAY", quote = "so", where = "S9" }\n\n[[choice]]',
        ),
        (25, "requirement LOOP-002: source 'S9' is not in [sources]; it lists S4"),
    ),
    "was something in the future": (
        ("since = 1\n\n[[choice]]", 'since = 1\nwas.1.level = "MAY"\n\n[[choice]]'),
        (25, "requirement LOOP-002: was.1; the revision is 1"),
    ),
    "was something before it was there": (
        ("since = 1\n\n[[choice]]", 'since = 1\nwas.0.level = "MAY"\n\n[[choice]]'),
        (16, "requirement LOOP-002: was.0 says what the row was in that revision, from 1 on"),
    ),
    "practice without the level that it had": (
        (
            'level = "SHOULD"\nprofile = "core"\nsentence = "The result is shown."\nbasis = "stated"\n'
            'quote = "so it is said"\nwhere = "S4 R2.1"\n',
            'profile = "core"\nsentence = "It."\nbasis = "practice"\nseverity = "major"\nharm = "It hurts."\n',
        ),
        (16, "was.2 says which level it had: every row had one"),
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
        (26, "the registry has no key or table 'choise'; it has revision, sources, requirement, choice"),
    ),
    "misnamed choice": (
        ('name = "unknown-tool"', 'name = "Unknown tool"'),
        (27, "choice Unknown tool: name = 'Unknown tool': a choice is named in lower-case words"),
    ),
    "choice of nothing": (
        ('["observe", "error"]', "[]"),
        (28, "choice unknown-tool: variants = []: Tuple should have at least 1 item"),
    ),
    "choice with one variant twice": (
        ('["observe", "error"]', '["error", "error"]'),
        (26, "choice unknown-tool: the variants of a choice differ"),
    ),
    "header inside a text": (
        ('"The tool runs once."', '"""\n[[requirement]]\n"""'),
        (None, "each requirement is a [[requirement]] table of its own, with its header on a line alone"),
    ),
    "broken TOML": (
        ("since = 1\n\n[[choice]]", "since = \n\n[[choice]]"),
        (24, "this is not TOML"),
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
