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
    "malformed id": (
        ('id = "LOOP-002"', 'id = "LOOP-2"'),
        (17, "id = 'LOOP-2': an id is three or four capitals, a hyphen and three digits, like LOOP-001"),
    ),
    "missing key": (
        ('sentence = "The result is shown."\n', ""),
        (16, "requirement LOOP-002: the key 'sentence' is missing"),
    ),
    "misspelt key": (
        ("since = 1\n\n[[choice]]", 'since = 1\npendign = "later"\n\n[[choice]]'),
        (25, "there is no key 'pendign'; the keys are basis, level, severity"),
    ),
    "unknown source": (
        ('where = "S4 R2.1"\nsince = 1\n\n[[choice]]', 'where = "S9, R1"\nsince = 1\n\n[[choice]]'),
        (23, "requirement LOOP-002: source 'S9' is not in [sources]; it lists S4"),
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
    "practice that is a MUST": (
        (f'{_FIRST_ROW}basis = "stated"', f'{_FIRST_ROW}severity = "major"\nharm = "It hurts."\nbasis = "practice"'),
        (6, "what is of the basis 'practice' has 'severity' and 'harm', and no 'level'"),
    ),
    "revision that is no number": (
        ("revision = 1", 'revision = "one"'),
        (1, "revision is 'one'; it is the number of the requirement set, 1 or more"),
    ),
    "unknown table": (
        ("[[choice]]", "[[choise]]"),
        (26, "the registry has no key or table 'choise'; it has revision, sources, requirement, choice"),
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
