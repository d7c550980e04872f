"""The variations: what they take of a subject, which rows they hold for, and how they are dealt."""

import re
from contextlib import suppress
from itertools import combinations as combinations_of
from itertools import groupby

import pytest

from react_tck.catalogue.dealing import Dealt, deal_variations, strip_variation
from react_tck.catalogue.features import load_features
from react_tck.catalogue.selection import Selection
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.case import Case
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Fault, Finish, Script
from react_tck.model.signature import parse_arrow, schema_of
from react_tck.variations.company import make_company
from react_tck.variations.earlier import make_sample
from react_tck.variations.marks import list_all_marks, list_foreign_marks, list_other_marks
from react_tck.variations.table import VARIATIONS
from react_tck.variations.variation import Combination, Unvaried, Variation
from tests.support.hand_made import MANIFEST

WITHOUT_TOOL_CALLS = Episode(
    case=Case(id="none", signature=parse_arrow("question -> answer")),
    script=Script(steps=(Finish(),), answers=(Answer(outputs={"answer": "yes"}),)),
    nonce="1",
)
WITH_A_TOOL = WITHOUT_TOOL_CALLS.model_copy(
    update={"case": WITHOUT_TOOL_CALLS.case.model_copy(update={"tools": (TOOLBOX["search"],)})}
)
CALLS_A_TOOL = WITH_A_TOOL.model_copy(
    update={"script": Script(steps=(CallTool(tool="search", args={"query": "hills"}), Finish()))}
)
#: Those that a row can be played under at once.
PAIRS = [(one, other) for one, other in combinations_of(VARIATIONS, 2) if one.fits_with(other)]
TITLE = "ReAct selects and executes a tool"
OWNERS = {row: scenario.requirement_id for scenario in load_features() for row in scenario.row_titles}


def pairs_of(dealt: Dealt) -> set[tuple[str | None, str]]:
    played = [(title, part) for title, combinations in dealt.items() for each in combinations for part in each.parts]
    return {(OWNERS[title], part.name) for title, part in played}


def find(name: str) -> Variation:
    return next(variation for variation in VARIATIONS if variation.name == name)


def test_each_variation_has_a_name_of_its_own() -> None:
    names = sorted(variation.name for variation in VARIATIONS)
    assert [len(list(same)) for _, same in groupby(names)] == [1] * len(names)


def test_no_two_variations_at_once_bring_the_same_tool() -> None:
    for pair in PAIRS:
        with suppress(Unvaried):
            names = [tool.name for tool in Combination(pair).change_episode(CALLS_A_TOOL).case.tools]
            assert len(names) == len({*names}), Combination(pair).name


def test_each_variation_fits_rows_and_each_exclusion_takes_some() -> None:
    rows = [(s.requirement_id or "", [step.text for step in row.steps]) for s in load_features() for row in s.rows]
    for variation in VARIATIONS:
        assert any(variation.fits_row(*row) for row in rows), variation.name
        meant = [row for row in rows if any(re.search(variation.only, text) for text in row[1])]
        for exclusion in variation.exclusions:
            assert any(exclusion.covers_row(*row) for row in meant), (variation.name, exclusion.reason)


def test_each_row_that_a_variation_fits_is_dealt_one_more_play_at_least() -> None:
    dealt, fitting = (deal_variations(load_features(), how) for how in ("deal", "all"))
    assert all(bool(dealt[title]) == bool(variations) for title, variations in fitting.items())
    assert sum(map(len, dealt.values())) < 1.6 * sum(map(bool, fitting.values()))
    for title, combinations in dealt.items():
        parts = {part.name for combination in combinations for part in combination.parts}
        assert len({combination.name for combination in combinations}) == len(combinations), title
        for combination in combinations:
            assert len(combination.parts) <= 5
            assert {Combination((part,)) for part in combination.parts} <= {*fitting[title]}
            assert all(one.fits_with(other) for one, other in combinations_of(combination.parts, 2))
            left = {each.parts[0].name: each.parts[0] for each in fitting[title] if each.parts[0].name not in parts}
            has_room = any(all(one.fits_with(part) for part in combination.parts) for one in left.values())
            assert len(combination.parts) >= 2 or not has_room


def test_dealt_variations_meet_all_requirements_that_they_fit_and_all_of_each_other() -> None:
    dealt, fitting = (deal_variations(load_features(), how) for how in ("deal", "all"))
    assert pairs_of(dealt) == pairs_of(fitting)
    met = {pair for each in dealt.values() for one in each for pair in combinations_of(one.parts, 2)}
    together = [pair for each in fitting.values() for pair in combinations_of([one.parts[0] for one in each], 2)]
    fit_together = {pair for pair in together if pair[0].fits_with(pair[1])}
    assert met == fit_together


def test_steps_are_not_exhausted_where_a_fault_answers_a_request_that_is_no_step() -> None:
    call = CallTool(tool="ping", args={})
    varied = Combination((find("exhausted"),))
    with_call, with_fault = (
        WITHOUT_TOOL_CALLS.model_copy(update={"script": Script(steps=steps, answers=WITHOUT_TOOL_CALLS.script.answers)})
        for steps in ((call, Finish()), (call, Fault(fault="context-window"), Finish()))
    )
    assert varied.change_episode(with_call).case.options.max_steps == 1
    with pytest.raises(Unvaried, match="is no step"):
        varied.narrow_to_episode(with_fault)


def test_a_row_is_dealt_one_settling_at_a_time() -> None:
    assert not find("chat").fits_with(find("json"))
    assert not find("json").fits_with(find("garbled first"))
    assert find("chat").fits_with(find("async"))
    assert find("async").fits_with(find("history"))


def test_a_row_is_selected_under_a_variation_with_itself() -> None:
    assert [row.title for row in Selection(title=f"{TITLE} {{async}}").rows] == []
    one = Selection(title=f"{TITLE} {{async}}", vary="all")
    itself, varied = one.rows
    assert (itself.title, varied.title) == (TITLE, f"{TITLE} {{async}}")
    assert strip_variation(varied.title) == TITLE
    assert strip_variation(f"{TITLE} {{async, json}}") == TITLE
    assert strip_variation(f"{TITLE} {{async, nothing}}") == f"{TITLE} {{async, nothing}}"
    assert one.narrow_to_row(varied).rows == [itself, varied]
    assert one.narrow_to_row(itself).rows == [itself]
    assert one.as_arguments()[-2:] == ["--vary", "all"]


@pytest.mark.parametrize(
    ("name", "changes", "lack"),
    [
        ("async", {"capabilities": ()}, "does not declare 'async'"),
        ("json", {"capabilities": ("global-adapter",), "dialects": ("chat",)}, "does not claim the dialect 'json'"),
        (
            "json",
            {"capabilities": ("global-adapter",), "dialects": ("json",), "default_dialect": "json"},
            "speaks 'json' without it",
        ),
        ("garbled first", {"retries": 0}, "declares no retries"),
        ("garbled first", {"retries": 1}, ""),
        (
            "garbled first",
            {"retries": 1, "choices": {"malformed-reply": "retries 1, then error, or retries 0, then observe"}},
            "that it always asks again",
        ),
        ("garbled first", {"retries": 2, "choices": {"malformed-reply": "retries 2, then observe"}}, ""),
        ("async", {"capabilities": ("async",)}, ""),
        ("failing first", {"choices": {"lm-fault": "error"}}, "that a provider that has failed is asked again"),
        ("failing first", {"choices": {"lm-fault": "retries 2, then error"}}, ""),
        *(
            ("unfit args before", {"choices": {"schema-mismatch": declared}}, lack)
            for declared, lack in {
                "observe": "",
                "coerce when lossless, or observe": "",
                "coerce when lossless": "that it goes on after args that don't fit",
                "coerce when lossless, or observe, or error": "that it goes on after args that don't fit",
            }.items()
        ),
    ],
)
def test_a_variation_is_not_played_where_the_subject_does_not_claim_what_it_needs(
    name: str, changes: dict[str, object], lack: str
) -> None:
    assert find(name).find_lack(MANIFEST.model_copy(update=changes)).endswith(lack)
    assert bool(find(name).find_lack(MANIFEST.model_copy(update=changes))) is bool(lack)


@pytest.mark.parametrize("variation", [each for each in VARIATIONS if each.respond], ids=lambda each: each.name)
def test_a_call_that_may_begin_anew_is_not_responded_to(variation: Variation) -> None:
    """udspy begins it anew, so that steps are asked for again: LOOP-004 failed under `agreed`."""
    beginning_anew = MANIFEST.model_copy(update={"capabilities": ("confirmation", "history")})
    assert "portable-state" in variation.find_lack(beginning_anew)


def test_steps_run_out_only_where_an_answer_is_asked_for_then() -> None:
    """The ports of ai and eino end with an error there: SIG-004 and ERR-009 failed under `exhausted`."""
    (exhausted,) = (each for each in VARIATIONS if each.name == "exhausted")
    lacks = {
        said: exhausted.find_lack(MANIFEST.model_copy(update={"choices": {"steps-exhausted": said}}))
        for said in ("extract", "error", "extract, or error", "last observation")
    }
    assert {said for said, lack in lacks.items() if not lack} == {"extract"}


def test_a_sample_of_a_union_is_null_only_where_null_is_a_member() -> None:
    assert make_sample(schema_of("int | None")) is None
    assert make_sample(schema_of("dict[str, int] | list[int]")) == {}


def test_no_given_text_ends_with_blank_space() -> None:
    """dspy leaves out what blank space a result ends with, which breaks no MUST: LOOP-002 failed under `long texts`."""
    given = [each.given_text for each in VARIATIONS if each.given_text]
    assert given
    assert [text for text in given if text != text.strip()] == []


def test_records_of_a_sync_and_an_async_call_are_compared_where_no_error_is_told() -> None:
    """A traceback of dspy's names lines of `forward` or `aforward`: ASY-001 failed under `unfit args before`."""
    failing = [each for each in VARIATIONS if each.name in ("failed step before", "unfit args before")]
    same, alike = (
        ["it is called with {}", f"the async call {did} as the sync one"]
        for did in ("gave the same record", "did the same")
    )
    assert [each.fits_row("ASY-001", ["a ReAct over x", *same]) for each in failing] == [False, False]
    assert [each.fits_row("ASY-001", ["a ReAct over x", *alike]) for each in failing] == [True, True]


def test_marks_are_those_of_dialects_that_are_not_claimed() -> None:
    told = list_foreign_marks(MANIFEST.model_copy(update={"dialects": ("machina", "react-text")}))
    assert "[[ ##" not in told
    assert "Final Answer" not in told
    assert "</next_thought>" in told


def test_marks_are_those_of_the_dialects_that_are_not_asked_for() -> None:
    assert list_other_marks("native") == list_all_marks()
    assert "[[ ##" not in list_other_marks("machina")
    assert "Final Answer" in list_other_marks("chat")
    assert "next_tool_name" not in list_other_marks("chat")


def test_a_case_beside_another_has_its_names_with_other_types() -> None:
    typed = MANIFEST.model_copy(update={"capabilities": ("typed-fields",)})
    company = make_company(WITH_A_TOOL, typed)
    field, *_ = company.case.signature.outputs
    own, *_ = WITH_A_TOOL.case.signature.outputs
    assert (field.name, field.annotation) == (own.name, "list[int]")
    assert [tool.name for tool in company.case.tools] == [WITH_A_TOOL.case.tools[0].name, "ping"]
    assert company.case.tools[0].parameters != WITH_A_TOOL.case.tools[0].parameters


def test_where_the_lm_finishes_at_once_steps_run_out_after_a_call_of_the_first_tool() -> None:
    changed = find("exhausted").change_episode(WITH_A_TOOL)
    assert [step.tool for step in changed.script.steps if isinstance(step, CallTool)] == ["search"]
    assert changed.case.options.max_steps == 1


def test_of_variations_at_once_those_are_played_that_the_subject_and_the_case_allow() -> None:
    both = Combination((find("json"), find("history"), find("agreed elsewhere")))
    assert both.find_lack(MANIFEST.model_copy(update={"capabilities": ("history",)})) == ""
    assert "global-adapter" in both.find_lack(MANIFEST.model_copy(update={"capabilities": ()}))
    declared = MANIFEST.model_copy(update={"capabilities": ("history", "confirmation", "portable-state")})
    narrowed = both.narrow_to_subject(declared)
    assert narrowed.name == "history, agreed elsewhere"
    assert narrowed.narrow_to_episode(WITHOUT_TOOL_CALLS).name == "history"
    with pytest.raises(Unvaried, match="no tool is called for which a person could be asked"):
        Combination((find("agreed elsewhere"),)).narrow_to_episode(WITHOUT_TOOL_CALLS)
