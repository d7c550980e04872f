"""TAP as its readers count it."""

import re
from types import ModuleType
from typing import Any

import pytest

from react_tck.reports.formats.tap import render_tap
from tests.support.gates import everything, kit_broken, without_errors


def points(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match(r"(not )?ok ", line)]


def test_every_verdict_is_told_apart_by_taps_own_words() -> None:
    text = render_tap(without_errors(everything()))
    assert text.startswith("TAP version 14\n1..7\n")
    assert points(text) == [
        "ok 1 - LOOP-003 (MUST): passes",
        "not ok 2 - LOOP-003 (MUST): is new",
        "not ok 3 - LOOP-003 (MUST): is listed # TODO expected failure: listed",
        "ok 4 - LOOP-003 (MUST): is flaky",
        "ok 5 - LOOP-003 (MUST): passes now # TODO unexpected pass",
        "ok 6 - ADP-001 (MUST): lacks # SKIP unsupported: said",
        "not ok 7 - the gate is open",
    ]
    told = "'is flaky' is flaky: failed, then passed when it was played alone; said: one became said"
    assert f'  ---\n  message: "{told}\\n\\nsaid"\n  ...\n' in text
    assert "not ok 4 - LOOP-003 (MUST): is flaky\n" in render_tap(without_errors(everything(flaky="fail")))
    assert "Bail out!" not in text


@pytest.mark.parametrize(
    ("gate", "why"),
    [
        (everything(), "the harness broke in 1 scenarios"),
        (kit_broken(everything()), "the kit fai"),
    ],
)
def test_without_a_verdict_it_bails_out(gate: Any, why: str) -> None:
    assert render_tap(gate).splitlines()[-1].startswith(f"Bail out! my said 1: {why}")


def read(text: str) -> list[Any]:
    parser: ModuleType = pytest.importorskip("tap.parser", reason="needs the extra 'dev': tap.py")
    pytest.importorskip("more_itertools", reason="needs the extra 'dev': tap.py[yaml]")
    return list(parser.Parser().parse_text(text))


def test_a_real_reader_reads_it() -> None:
    lines = read(render_tap(without_errors(everything())))
    results = [line for line in lines if line.category == "test"]
    assert [line.category for line in lines[:2]] == ["version", "plan"]
    assert not [line for line in lines if line.category == "unknown"]
    assert [result.ok for result in results] == [True, False, False, True, True, True, False]
    assert [result.number for result in results] == [1, 2, 3, 4, 5, 6, 7]
    assert [bool(result.todo) for result in results] == [False, False, True, False, True, False, False]
    assert [bool(result.skip) for result in results] == [False] * 5 + [True, False]
    assert results[1].yaml_block == {"message": "said"}
